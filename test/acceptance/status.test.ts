/** `linewatch status`: what the running daemon knows, or what the last one knew. */
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { StatusReport } from '../../src/core/view/status-report.ts';
import { openSite } from '../support/site.ts';

test.concurrent('asks the running daemon, and without one tells what was last committed', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
  site.slack.react({ status: 503 });
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await Promise.all([site.event('component.state'), site.event('page.state')]);
  await linewatch.logged('delivery failed for now');
  await site.mailbox.takes(2);

  const open = expect.objectContaining({
    number: 1,
    severity: 'critical',
    title: expect.stringContaining('Calls fail'),
  });
  const running = await site.run('status', '--json');
  expect([running.code, running.err]).toEqual([0, '']);
  const report = JSON.parse(running.out) as unknown;
  expect(report).toMatchObject({
    instance: 'hq',
    running: true,
    sources: [{ name: 'provider', blind: [], page: { state: 'degraded' }, components: { total: 12 }, alerts: [open] }],
  });
  expect((report as { deliveries: unknown[] }).deliveries).toEqual([
    expect.objectContaining({
      receiver: 'ops-slack',
      waiting: 1,
      failing: expect.objectContaining({ reason: expect.stringContaining('503') }),
    }),
    expect.objectContaining({ receiver: 'ops-mail', failing: null }),
    expect.objectContaining({ receiver: 'bus', failing: null }),
  ]);
  const text = (await site.command('status')).out;
  expect(text).toMatch(/^Calls fail; 1 open: 1 critical\nLinewatch hq is running, started /);
  for (const words of ['#1 critical: ', 'Calls fail', 'SMS: degraded', 'receiver ops-slack: 1 waiting', '503']) {
    expect(text).toContain(words);
  }

  linewatch.signal('SIGTERM');
  await linewatch.ended;
  const left = await site.command('status', '--json');
  expect(left.code).toBe(0);
  expect(JSON.parse(left.out)).toMatchObject({
    running: false,
    sources: [{ name: 'provider', page: { state: 'degraded' }, alerts: [open] }],
    deliveries: [
      { receiver: 'ops-slack', waiting: 1 },
      { receiver: 'ops-mail', waiting: 0 },
      { receiver: 'bus', waiting: 0 },
    ],
  });
  expect((await site.command('status')).out).toMatch(
    /^1 open: 1 critical\nNo daemon is running for hq on \S+; this is what was last committed there\./,
  );
});

test.concurrent('tells what waits for a receiver that is no longer configured, with a daemon and without one', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
  site.slack.react({ status: 503 });
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await linewatch.logged('delivery failed for now');
  linewatch.signal('SIGTERM');
  await linewatch.ended;
  Object.assign(site.config, JSON.parse(JSON.stringify(site.config).replaceAll('ops-slack', 'new-slack')) as object);
  await site.save();
  const waiting = async (): Promise<unknown> =>
    (JSON.parse((await site.command('status', '--json')).out) as StatusReport).deliveries.find(
      ({ receiver }) => receiver === 'ops-slack',
    );
  const left = await waiting();
  expect(left).toMatchObject({ receiver: 'ops-slack', removed: true, waiting: 1 });
  await site.start();
  expect(await waiting()).toEqual(left);
});

test.concurrent('finds the daemon of its configuration wherever its state is, and no other', async () => {
  await using site = await openSite();
  await using other = await openSite();
  const elsewhere = join(dirname(site.stateDir), 'elsewhere');
  await Promise.all([site.start({ STATE_DIRECTORY: elsewhere }), other.start()]);
  await site.event('source.baseline');
  const { code, out, err } = await site.run('status');
  expect([code, err]).toEqual([0, '']);
  expect(out.split('\n').slice(0, 3)).toEqual([
    'All is well; nothing is open',
    expect.stringMatching(/^Linewatch hq is running, started /),
    `Its state is in ${elsewhere}; by ${join(dirname(site.stateDir), 'linewatch.yaml')} alone it would be in ${site.stateDir}.`,
  ]);
  const silenced = await site.run('silence', 'add', '--match', 'source=provider', '--for', '1h', '--json');
  expect([silenced.code, JSON.parse(silenced.out)]).toEqual([0, expect.objectContaining({ state: 'active' })]);
  expect((await site.command('silence', 'list')).out).toContain('source=provider');
  expect((await other.command('silence', 'list')).out).toBe('No silences.\n');
});

test.concurrent('says so when nothing was ever committed', async () => {
  await using site = await openSite();
  const { code, out, err } = await site.command('status');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^Nothing is open\nNo daemon is running for hq on /);
  expect(out).toMatch(/^No daemon of this machine runs \/.*\/linewatch\.yaml\.$/m);
  expect(out).toContain('not read yet');
  expect(out).not.toContain('all operational');
});

test.concurrent('who takes an alert has a name where the environment names nobody', async () => {
  await using site = await openSite();
  await Promise.all([site.start(), site.event('source.baseline')]);
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await site.event('notice.opened');
  const { code, out, err } = await site.run('alert', 'ack', '1');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`#1 Calls fail: ${userInfo().username} has it. `);
});
