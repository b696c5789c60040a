/** What may be asked about alerts over the control socket: the list, a story, and to take one in hand. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ControlRoutes } from '../../src/control/protocol.ts';
import { createControlRoutes, type DaemonContract } from '../../src/daemon/requests/control.ts';
import { createSingleDaemon } from '../../src/daemon/status/daemons.ts';
import { createDaemonStatusReader } from '../../src/daemon/status/status-reader.ts';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';
import { quietLog, runDaemon, type RunningDaemon } from '../support/running-daemon.ts';
import { NO_HISTORY } from '../support/no-history.ts';

const START = Date.parse('2026-03-24T02:00:00.000Z');

let provider: Provider;
let running: RunningDaemon;
let routes: ControlRoutes<DaemonContract>;
let notice: number;

beforeEach(async () => {
  provider = await startProvider();
  running = await runDaemon({ statusUrl: provider.statusUrl, startAt: START, intervalMs: 30_000 });
  const { daemon, clock } = running;
  const config = { instance: 'hq', timezone: 'UTC', statusPages: [], accounts: [] };
  const reading = ({ lastReadAt }: { lastReadAt: number | null }) => ({ lastReadAt, unreadMs: 0 });
  const drawn = createDaemonStatusReader(() => ({ config, daemon, reading, clock, startedAt: START, log: quietLog }));
  routes = createControlRoutes({
    ...drawn,
    daemons: createSingleDaemon(() => daemon),
    now: clock.now,
    configuration: () => ({ file: '', timezone: 'UTC', database: null }),
    ...NO_HISTORY,
  });
  await running.sweep();
  notice = provider.simulator.status.openNotice({ subject: 'Calls fail <b>', content: 'We look.', components: [] });
  await running.sweep();
});

afterEach(async () => {
  await running.stop();
  await provider.close();
});

test('it is told who has an alert, its story says so, and status too', async () => {
  const [open] = await routes['alert.list']({});
  expect(open).toMatchObject({ number: 1, severity: 'critical' });
  const answer = await routes['alert.ack']({ number: 1, by: ' alex\n', comment: 'on the phone' });
  expect(answer.told.toSorted()).toEqual(['people', 'programs']);
  await expect
    .poll(() => running.people.sent.at(-1)?.changes[0]?.transition)
    .toMatchObject({ kind: 'alert.acknowledged', to: 'alex' });
  expect(await routes['alert.list']({})).toMatchObject([{ acknowledged: { by: 'alex', comment: 'on the phone' } }]);
  expect(await routes['alert.show']({ number: 1 })).toMatchObject({
    status: 'open',
    not_told: 'acknowledged',
    acknowledged: { by: 'alex' },
    words: [{ source: 'provider', state: 'investigating', text: 'We look.' }],
    told: [{ receiver: 'people' }, { receiver: 'programs' }],
    untold: [],
  });
});

test('an acknowledgement proves the receivers that were notified of the alert, and a release does not', async () => {
  const { own } = running.daemon;
  const proving = { receivers: ['people', 'other'], timezone: 'UTC' };
  await own.happened({ kind: 'receivers', configured: ['people', 'programs', 'other'], proving });
  const seen = (): unknown[] => ['people', 'other'].map((name) => own.state.proofs?.[name]?.seenAt);
  await routes['alert.ack']({ number: 1, by: 'alex', comment: '' });
  expect(seen()).toEqual([running.clock.now(), null]);
  const before = running.clock.now();
  running.clock.jump(60_000);
  await routes['alert.release']({ number: 1, by: 'alex' });
  expect(seen()).toEqual([before, null]);
});

test('an alert is released by anybody, once, and its receivers are notified', async () => {
  await expect(routes['alert.release']({ number: 1, by: 'priya' })).rejects.toThrow(
    'Alert #1 is not acknowledged: there is nothing to release.',
  );
  await routes['alert.ack']({ number: 1, by: 'alex', comment: '' });
  await expect(routes['alert.release']({ number: 1, by: '' })).rejects.toThrow('who releases it?');
  const answer = await routes['alert.release']({ number: 1, by: 'priya' });
  expect(answer.told.toSorted()).toEqual(['people', 'programs']);
  await expect
    .poll(() => running.people.sent.at(-1)?.changes[0]?.transition)
    .toMatchObject({ kind: 'alert.acknowledged', from: 'alex', to: null });
  const [open] = await routes['alert.list']({});
  expect(open).not.toHaveProperty('acknowledged');
  await expect(routes['alert.release']({ number: 1, by: 'priya' })).rejects.toThrow('nothing to release');
});

test('what is over cannot be taken, and its story is still told', async () => {
  provider.simulator.status.closeNotice(notice, { content: 'Mended.' });
  await running.sweep();
  await expect(routes['alert.ack']({ number: 1, by: 'alex', comment: '' })).rejects.toThrow('#1 is not open');
  expect(await routes['alert.show']({ number: 1 })).toMatchObject({
    status: 'resolved',
    words: [{}, { text: 'Mended.' }],
  });
});

test.each([
  [{ number: 7, by: 'alex', comment: '' }, 'There is no alert #7.'],
  [{ number: 1, by: '  ', comment: '' }, 'who has it?'],
  [{ number: 0, by: 'alex', comment: '' }, 'cannot be read'],
  [{ number: '1', by: 'alex', comment: '' }, 'cannot be read'],
  [{ number: 1, by: 'alex', comment: 'x'.repeat(2_000) }, 'cannot be read'],
])('what makes no sense is refused: %j', async (asked, why) => {
  await expect(routes['alert.ack'](asked)).rejects.toThrow(why);
});
