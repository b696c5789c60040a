/** SIGHUP: a wrong file changes nothing, a right one takes effect without a word. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cases, TRIES_ALL } from '../support/runs.ts';
import { openSite, type Site } from '../support/site.ts';

const REFUSED = 'The new configuration is refused; the running one stays';
const TAKEN = 'The configuration was read again';

// By default so is every other wrong file: test/hostile/configuration.test.ts.
test.skipIf(!TRIES_ALL).concurrent('a wrong file leaves the running configuration in place', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await site.slack.takes(1);
  await writeFile(join(site.folder, 'linewatch.yaml'), 'status_pagse: []\n');
  linewatch.signal('SIGHUP');
  const { problems, level } = await linewatch.logged(REFUSED);
  expect(level).toBe('error');
  expect(problems).toEqual(
    expect.arrayContaining([expect.stringMatching(/linewatch\.yaml:1:1: .*did you mean "status_pages"/)]),
  );

  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  expect((await site.slack.takes(2))[1]?.body).toContain('Calls fail');
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
});

test.skipIf(!TRIES_ALL).concurrent('certificates that cannot be read are a wrong file, too', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await site.slack.takes(1);
  const mail = site.config.receivers.find(({ name }) => name === 'ops-mail');
  Object.assign(mail?.['smtp'] as object, { ca_file: 'missing.pem' });
  await site.save();
  linewatch.signal('SIGHUP');
  const { problems } = await linewatch.logged(REFUSED);
  expect(String(problems)).toContain('missing.pem');
  await site.round();
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
});

/** The words of a refusal, and what is refused so. */
const SPOILT: readonly (readonly [RegExp, (site: Site) => void])[] = [
  [/api_key: it holds a blank/, (site) => addAccount(site, 'planted key')],
  [/api_key: it holds a blank, a line break/, (site) => addAccount(site, 'planted\nkey')],
  [/api_key: .*beyond ASCII/, (site) => addAccount(site, 'plantedkeyü')],
  [
    /ca_file: "linewatch.yaml" holds no certificate/,
    (site) => Object.assign(smtpOf(site), { ca_file: 'linewatch.yaml' }),
  ],
  [/secret: no library could verify/, (site) => Object.assign(receiver(site, 'bus'), { secret: 'whsec_planted!' })],
];

test.concurrent('what a reload cannot work with changes nothing', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await site.slack.takes(1);
  const right = structuredClone(site.config);
  const refused = (): unknown[] => linewatch.log().filter(({ msg }) => msg === REFUSED);
  for (const [index, [words, spoil]] of cases(SPOILT, 3).entries()) {
    spoil(site);
    await site.save();
    const checked = await site.command('config', 'check');
    expect(checked.code).toBe(2);
    expect(checked.out + checked.err).toMatch(words);
    expect(checked.out + checked.err).toMatch(/linewatch\.yaml:\d+:\d+: /);
    expect(checked.out + checked.err).not.toContain('planted');
    linewatch.signal('SIGHUP');
    await linewatch.logged(REFUSED, () => refused().length > index);
    expect(refused().at(-1)).toMatchObject({ problems: expect.arrayContaining([expect.stringMatching(words)]) });
    const subject = `Calls fail ${index}`;
    site.provider.simulator.status.openNotice({ subject, components: ['SMS'] });
    await site.slack.gets(`word of ${subject}`, ({ body }) => body.includes(subject));
    delete site.config['accounts'];
    Object.assign(site.config, structuredClone(right));
  }
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
});

test.concurrent('a state that only a newer Linewatch can read', async () => {
  await using site = await openSite();
  await using other = await openSite();
  const linewatch = await site.start();
  await site.slack.takes(1);
  await writeFile(join(site.stateDir, 'sources', 'other.json'), '{"linewatch_state":9}\n{}');
  site.config.status_pages.push({ name: 'other', base_url: other.provider.statusUrl, interval: '1s' });
  await site.save();
  linewatch.signal('SIGHUP');
  const { problems } = await linewatch.logged(REFUSED);
  expect(String(problems)).toContain('newer Linewatch');
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  expect((await site.slack.takes(2))[1]?.body).toContain('Calls fail');
  expect(other.provider.simulator.log.all()).toEqual([]);
  // Mended, it is taken up like any other.
  await rm(join(site.stateDir, 'sources', 'other.json'));
  linewatch.signal('SIGHUP');
  await linewatch.logged(TAKEN);
  await site.event('source.baseline', ({ source }) => source === '/linewatch/hq/other');
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
});

function receiver(site: Site, name: string): Record<string, unknown> {
  return site.config.receivers.find((one) => one['name'] === name) ?? {};
}

function smtpOf(site: Site): object {
  return receiver(site, 'ops-mail')['smtp'] as object;
}

function addAccount(site: Site, key: string): void {
  site.config['accounts'] = [{ name: 'head-office', base_url: site.provider.accountUrl, api_key: key }];
}

test.concurrent('a right one takes effect: another receiver, silently', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
  site.config.receivers = site.config.receivers.map((receiver) =>
    receiver['type'] === 'slack'
      ? { ...receiver, name: 'new-slack', webhook_url: `${site.slack.url}/services/new` }
      : receiver,
  );
  site.config.route['receivers'] = ['new-slack', 'ops-mail', 'bus'];
  await site.save();
  linewatch.signal('SIGHUP');
  await linewatch.logged(TAKEN);
  await site.round();
  await site.round();
  expect([site.slack.arrived.length, site.mailbox.mails.length, site.bus.arrived.length]).toEqual([1, 1, 1]);

  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  const [, message] = await site.slack.takes(2);
  expect(message).toMatchObject({ path: '/services/new', body: expect.stringContaining('Calls fail') });
  await site.mailbox.takes(2);
});

test.concurrent('what adds a page watches it from now on; what removes one ends its alerts and says so', async () => {
  await using site = await openSite();
  await using other = await openSite();
  const linewatch = await site.start();
  await site.event('source.baseline');
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  const [opened] = await Promise.all([
    site.event('notice.opened'),
    site.event('component.state'),
    site.event('page.state'),
  ]);
  site.config.status_pages = [{ name: 'other', base_url: other.provider.statusUrl, interval: '1s' }];
  await site.save();
  linewatch.signal('SIGHUP');
  await linewatch.logged(TAKEN);
  const { data } = await site.event('linewatch.config');
  expect([data.alert.status, data.to]).toEqual(['info', 'provider is no longer watched']);
  await site.event('source.baseline', ({ source }) => source === '/linewatch/hq/other');

  const { log } = site.provider.simulator;
  log.clear();
  other.provider.simulator.status.openNotice({ subject: 'Elsewhere', components: ['SMS'] });
  const elsewhere = await site.event('notice.opened', ({ source }) => source === '/linewatch/hq/other');
  expect([opened.data.alert.number, elsewhere.data.alert.number]).toEqual([1, 2]);
  expect(log.all()).toEqual([]);
});

test.concurrent('what gives a page another address ends what was open at the old one, once', async () => {
  await using site = await openSite();
  await using other = await openSite();
  const linewatch = await site.start();
  await site.event('source.baseline');
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  const opened = await site.event('notice.opened');
  const [page] = site.config.status_pages;
  const old = page?.['base_url'];
  Object.assign(page ?? {}, { base_url: other.provider.statusUrl });
  await site.save();
  linewatch.signal('SIGHUP');
  const { data } = await site.event('linewatch.config');
  expect(data.to).toBe(`provider is no longer watched at ${String(old)}`);
  expect(data.alert).toMatchObject({ id: opened.data.alert.id, status: 'info' });
  await linewatch.logged(TAKEN);
  linewatch.signal('SIGTERM');
  await linewatch.ended;
  other.judgePace();
  const again = await site.start();
  await other.round();
  again.signal('SIGTERM');
  await again.ended;
  expect(site.events().filter(({ type }) => type === 'linewatch.linewatch.config')).toHaveLength(1);
});

test.concurrent('a reload does not log again what was found at the start', async () => {
  await using site = await openSite();
  const before = await site.start();
  await site.event('source.baseline');
  before.signal('SIGTERM');
  await before.ended;
  await writeFile(join(site.stateDir, 'sources', 'provider.json'), '');
  const linewatch = await site.start();
  await linewatch.logged('state', ({ finding }) => finding === 'restored');
  linewatch.signal('SIGHUP');
  await linewatch.logged(TAKEN);
  linewatch.signal('SIGTERM');
  const { code, err } = await linewatch.ended;
  expect([code, err.split('"finding":"restored"').length - 1]).toEqual([0, 1]);
});
