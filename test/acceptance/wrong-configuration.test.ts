/** A mistake in the configuration of a running daemon locks its administrator out of nothing. */
import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isTried } from '../support/runs.ts';
import { openSite } from '../support/site.ts';

const TESTDATA = join(import.meta.dirname, '../config/testdata');

test('commands that ask the daemon work with every mistake there is, and say it', { timeout: 600_000 }, async () => {
  await using site = await openSite();
  const first = await site.start();
  await Promise.all([site.slack.takes(1), site.event('source.baseline')]);
  site.slack.react({ status: 503 });
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await site.event('notice.opened');
  // At its end all of the history is on disk.
  first.signal('SIGTERM');
  await first.ended;
  await site.start();
  const file = join(site.folder, 'linewatch.yaml');
  const wrong = (await readdir(TESTDATA)).filter((name) => name.endsWith('.yaml'));
  expect(wrong.length).toBeGreaterThan(40);
  for (const [row, name] of wrong.entries()) {
    await cp(join(TESTDATA, name), file);
    const commands = [
      ['alert', 'ack', '1', '--by', name],
      ['silence', 'add', '--match', 'component=Nothing', '--for', '1h', '--comment', name],
      ['deliveries', 'retry', '--all'],
      ['history'],
    ];
    const tried = commands.filter((_, column) => isTried(row, column, 4));
    const asked = [await site.command('status')];
    for (const command of tried) asked.push(await site.command(...command));
    const failed = asked.filter(({ code }) => code !== 0);
    expect([name, failed]).toEqual([name, []]);
    for (const { err } of asked) {
      expect([name, err]).toEqual([name, expect.stringMatching(/^linewatch: note: .*linewatch\.yaml.*goes on with/s)]);
      expect(err).not.toContain('planted-');
    }
    const [status] = asked;
    expect(status?.out).toMatch(/^Linewatch hq is running/m);
    // In the time zone of the daemon, which the file no longer says.
    expect(status?.out).toMatch(/A[DE][SD]T|AEST/);
    const acknowledged = asked[1 + tried.findIndex(([command]) => command === 'alert')];
    if (acknowledged !== status) expect(acknowledged?.out).toContain(`${name} has it`);
  }
});

test('without a daemon the mistakes are what there is to say', async () => {
  await using site = await openSite();
  await site.save();
  await writeFile(join(site.folder, 'linewatch.yaml'), 'status_pages: [');
  for (const command of [['status'], ['alert', 'ack', '1'], ['deliveries', 'retry'], ['history']]) {
    const { code, out, err } = await site.command(...command);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('linewatch.yaml:1');
  }
});

test('a right configuration brings no note', async () => {
  await using site = await openSite();
  await site.start();
  expect(await site.command('status')).toMatchObject({ code: 0, err: '' });
});

test('deliveries are named by receiver or by message, and need no name where one receiver waits', async () => {
  await using site = await openSite();
  // Whatever comes to a program is settled before this test asks: only what Slack refuses waits.
  site.config.receivers = site.config.receivers.filter(({ name }) => name !== 'ops-mail');
  site.config.route['receivers'] = ['ops-slack', 'bus'];
  await site.start();
  await Promise.all([site.slack.takes(1), site.event('source.baseline')]);
  expect(await site.command('deliveries', 'retry')).toMatchObject({ code: 0, out: 'Nothing waits.\n' });
  site.slack.react({ status: 404, body: 'no_service' });
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  const failed = await site.event('receiver.failed');
  expect(failed.subject).toBe('receiver/ops-slack');
  expect(await site.command('deliveries', 'drop')).toMatchObject({ code: 2, err: expect.stringContaining('--all') });
  const { out } = await site.command('deliveries', 'list', '--json');
  const waiting = (JSON.parse(out) as { id: string; receiver: string }[]).filter(
    ({ receiver }) => receiver === 'ops-slack',
  );
  expect(waiting.length).toBeGreaterThan(0);
  expect((await site.command('deliveries', 'retry', 'ops-slack')).out).toMatch(/^\d+ messages? will be tried now\.\n$/);
  expect(await site.command('deliveries', 'retry')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+ messages? will be tried now\.\n$/),
  });
  const values = async (kind: string): Promise<string> => (await site.command('completion', '--values', kind)).out;
  expect(await values('alerts')).toMatch(/^1\tcritical: Calls fail.*\n/);
  expect(await values('receivers')).toBe('ops-slack\t\nbus\t\n');
  expect(await values('deliveries')).toMatch(/^ops-slack\tall that waits for it\n[0-9a-f]{8}\tops-slack: Calls fail/);
  expect(await values('matchers')).toContain('source=provider\t\n');
  expect(await values('kinds')).toContain('registration.mass\t\n');
  const { code, err } = await site.command('deliveries', 'retry', 'ops-slak');
  expect([code, err]).toEqual([1, expect.stringContaining('ops-slak')]);
});
