/** A receiver that is down gets everything when it is back, in order, and nobody else waits for it. */
import { expect, test } from 'vitest';
import { openSite, type Site } from '../support/site.ts';

/** Three changes of one notice, each of which the others have been told before the next happens. */
async function outage(site: Site): Promise<void> {
  const { status } = site.provider.simulator;
  const notice = status.openNotice({ subject: 'Calls fail', content: 'One.', components: ['SMS'] });
  await site.mailbox.takes(2);
  status.updateNotice(notice, { state: 'identified', content: 'Two.' });
  await site.mailbox.takes(3);
  status.closeNotice(notice, { content: 'Three.' });
  await site.mailbox.takes(4);
}

test.concurrent('a program gets every event, in order', async () => {
  await using site = await openSite();
  await site.start();
  await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
  site.bus.react({ status: 503 });
  await outage(site);
  await site.slack.takes(4);
  expect(site.events()).toHaveLength(1);

  site.bus.react({ status: 200 });
  // On a slow machine it has failed often enough by now to be left alone for more than half a minute.
  expect(await site.run('deliveries', 'retry', '--all')).toMatchObject({ code: 0, err: '' });
  await site.event('notice.closed');
  const notices = site.events().filter(({ type }) => type.startsWith('linewatch.notice.'));
  expect(notices.map(({ type, data }) => [type, data.to])).toEqual([
    ['linewatch.notice.opened', 'investigating'],
    ['linewatch.notice.state', 'identified'],
    ['linewatch.notice.closed', 'resolved'],
  ]);
  const times = site.events().map(({ time }) => String(time));
  expect(times).toEqual(times.toSorted());
});

test.concurrent('a person gets the latest state, with what it stands for', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
  site.slack.react('reset');
  await outage(site);
  await site.event('notice.closed');

  site.slack.react({ status: 200, body: 'ok' });
  expect(await site.command('deliveries', 'retry', '--all')).toMatchObject({ code: 0, err: '' });
  await site.slack.gets(
    'the end',
    ({ body }) => body.includes('Three.') && site.slack.taken.some((each) => each.body === body),
  );
  await site.round();
  linewatch.signal('SIGTERM');
  await linewatch.ended;
  // Fewer than what happened, since nobody wants to read it one by one; what happened is all there, in order.
  const [, ...late] = site.slack.taken.map(({ body }) => body);
  expect(late.length).toBeLessThan(3);
  const told = late.join('\n');
  const places = ['One.', 'Two.', 'Three.'].map((words) => told.indexOf(words));
  expect(places).not.toContain(-1);
  expect(told).toMatch(/eplaces \d messages? that had not gone out/);
  expect(late.at(-1)).toContain('Resolved');
});

test.concurrent('a refusal for good is told through the others and waits for the operator to mend it', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
  site.slack.react({ status: 404, body: 'no_service' });
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  const { level, reason } = await linewatch.logged('delivery refused for good; it stays on disk');
  expect([level, reason]).toEqual(['error', expect.stringContaining('no_service')]);
  const failed = await site.event('receiver.failed');
  expect([failed.subject, failed.data.alert.status]).toEqual(['receiver/ops-slack', 'open']);
  const mails = await site.mailbox.takes(3);
  expect(mails.map(({ text }) => text).join('\n')).toContain('no_service');
  expect((await site.command('status')).out).toContain('receiver ops-slack: nothing waits; 1 refused for good');

  site.slack.react({ status: 200, body: 'ok' });
  expect(await site.command('deliveries', 'retry', '--all')).toMatchObject({ code: 0, err: '' });
  const [, late] = await site.slack.takes(2);
  expect(late?.body).toContain('Calls fail');
  const recovered = await site.event('receiver.recovered');
  expect(recovered.data.alert).toMatchObject({ id: failed.data.alert.id, status: 'resolved' });
});

test.concurrent('what waits for a receiver that was removed is shown, and dropped for good', async () => {
  await using site = await openSite();
  const first = await site.start();
  await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
  site.bus.react({ status: 503 });
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await site.slack.takes(2);
  first.signal('SIGTERM');
  await first.ended;

  const bus = site.config.receivers.pop();
  site.config.route['receivers'] = ['ops-slack', 'ops-mail'];
  await site.save();
  const second = await site.start();
  const listed = async (): Promise<string> => (await site.command('deliveries', 'list')).out;
  expect(await listed()).toMatch(
    /^\w{8} {2}bus {2}receiver removed, promised .* #1 .*\n +the receiver is no longer configured/,
  );
  expect(await site.run('deliveries', 'retry', '--all', '--receiver', 'bus')).toMatchObject({
    code: 1,
    err: expect.stringContaining('bus is no longer configured'),
  });
  // It may return: nothing of it goes unasked.
  expect((await site.command('deliveries', 'drop', '--all')).out).toBe('0 messages dropped.\n');
  expect((await site.run('deliveries', 'drop', '--all', '--receiver', 'bus')).out).toMatch(
    /^[1-9]\d* messages? dropped\.\n$/,
  );
  expect(await listed()).toMatch(/^Nothing waits\.\nops-slack: last message .*, shown: people can see it\n/);
  second.signal('SIGTERM');
  await second.ended;

  const taken = site.events().length;
  site.config.receivers.push(bus ?? {});
  site.config.route['receivers'] = ['ops-slack', 'ops-mail', 'bus'];
  await site.save();
  site.bus.react({ status: 200 });
  await site.start();
  expect(await listed()).toMatch(/^Nothing waits\.\n/);
  await site.round();
  expect(
    site
      .events()
      .slice(taken)
      .filter(({ type }) => type.includes('notice')),
  ).toEqual([]);
});
