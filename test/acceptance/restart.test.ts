/** What a restart tells, and what no restart, however it came about, loses. */
import { expect, test } from 'vitest';
import { cases } from '../support/runs.ts';
import { openSite, type CloudEvent } from '../support/site.ts';

test.concurrent('tells nothing when nothing has changed', async () => {
  await using site = await openSite();
  const first = await site.start();
  await site.slack.takes(1);
  await site.mailbox.takes(1);
  await site.event('source.baseline');
  first.signal('SIGTERM');
  await first.ended;

  const second = await site.start();
  await site.round();
  await site.round();
  second.signal('SIGTERM');
  expect(await second.ended).toMatchObject({ code: 0 });
  expect([site.slack.arrived.length, site.bus.arrived.length, site.mailbox.mails.length]).toEqual([1, 1, 1]);
});

test.concurrent('tells the net of what changed meanwhile, once', async () => {
  await using site = await openSite();
  const { status } = site.provider.simulator;
  const first = await site.start();
  await site.mailbox.takes(1);
  first.signal('SIGTERM');
  await first.ended;
  const before = site.events().length;

  const notice = status.openNotice({ subject: 'Calls fail', content: 'First word.', components: ['SMS'] });
  status.updateNotice(notice, { state: 'identified', content: 'Second word.' });
  status.renameComponent('Voicemail', 'Voice mail');
  status.setComponentState('SIP Trunks', 'degraded');
  status.setComponentState('SIP Trunks', null);

  const second = await site.start();
  await site.event('component.renamed');
  await site.mailbox.takes(2);
  await site.round();
  second.signal('SIGTERM');
  await second.ended;

  const told = site.events().slice(before);
  expect(told.map(line).toSorted()).toEqual([
    'component.renamed component/113 "Voicemail" → "Voice mail"',
    'component.state component/120 "operational" → "degraded"',
    `notice.opened notice/${notice} null → "identified"`,
    'page.state page "operational" → "degraded"',
  ]);
  const messages = site.slack.taken.filter(({ body }) => body.includes('Calls fail'));
  expect(messages).toHaveLength(1);
  for (const words of ['First word.', 'Second word.']) expect(messages[0]?.body).toContain(words);
});

function line({ type, subject, data }: CloudEvent): string {
  return `${type.replace('linewatch.', '')} ${subject} ${JSON.stringify(data.from)} → ${JSON.stringify(data.to)}`;
}

test.concurrent('kill -9 while receivers do not answer: everything arrives after the restart, with the same ids', async () => {
  await using site = await openSite();
  const first = await site.start();
  await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
  site.slack.react('hang');
  site.bus.react('hang');
  const notice = site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  const mentions = ({ body }: { body: string }): boolean => body.includes('Calls fail');
  const [, inFlight] = await Promise.all([
    site.slack.gets('the message in flight', mentions),
    site.bus.gets('the events in flight', mentions),
    site.mailbox.takes(2),
  ]);
  first.signal('SIGKILL');
  expect(await first.ended).toMatchObject({ signal: 'SIGKILL' });

  site.slack.react({ status: 200, body: 'ok' });
  site.bus.react({ status: 200 });
  await site.start();
  const opened = await site.event('notice.opened');
  const [promised] = JSON.parse(inFlight.body) as CloudEvent[];
  expect(opened).toEqual(promised);
  await site.slack.takes(2);
  await site.event('component.state');
  await site.round();

  expect(site.slack.taken.filter(mentions)).toHaveLength(1);
  expect(site.events().filter(({ type }) => type === 'linewatch.notice.opened')).toHaveLength(1);
  expect(new Set(site.events().map(({ id }) => id)).size).toBe(site.events().length);
  const mails = site.mailbox.mails.filter(({ subject }) => subject?.includes('Calls fail'));
  expect(mails.length).toBeLessThanOrEqual(2);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
  expect(opened.subject).toBe(`notice/${notice}`);
});

// At random instants: kill.test.ts; at every instant of a daemon, without a process: test/daemon/kill-at-every-await.test.ts.
test.concurrent.each(cases(['transition', 'request', 'delivered']))(
  'kill -9 at the log line "%s" after a change loses nothing and repeats nothing under another id',
  async (instant) => {
    await using site = await openSite();
    site.config['log'] = { level: 'debug' };
    const first = await site.start();
    await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
    await site.round();
    const seen = first.log().length;
    site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
    await first.logged(instant, (entry) => first.log().findIndex((each) => each['time'] === entry['time']) >= seen);
    first.signal('SIGKILL');
    await first.ended;

    await site.start();
    await Promise.all([site.event('notice.opened'), site.event('component.state'), site.event('page.state')]);
    await Promise.all([site.slack.takes(2), site.mailbox.takes(2)]);
    await site.round();
    const opened = site.events().filter(({ type }) => type === 'linewatch.notice.opened');
    expect(opened.length).toBeLessThanOrEqual(2);
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    const mails = site.mailbox.mails.filter(({ subject }) => subject?.includes('Calls fail'));
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
    expect(site.slack.taken.filter(({ body }) => body.includes('Calls fail')).length).toBeLessThanOrEqual(2);
  },
);
