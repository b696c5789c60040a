/** Quiet hours are those of the clock on the wall and of the route of today, whatever was true when something began to wait. */
import { expect, test } from 'vitest';
import type { Route } from '../../src/core/alert/route.ts';
import { createStatusWorld } from '../support/status-world.ts';
import {
  HOUR,
  MINUTE,
  paperDisk,
  paperReceiver,
  START,
  startPaperDaemon,
  virtualClock,
} from '../support/paper-daemon.ts';

type QuietHours = NonNullable<Route['quietHours']>;

function quiet(start: number, end: number): QuietHours {
  const range = { days: [1, 2, 3, 4, 5, 6, 7], start: start * 60, endDay: end < start ? 1 : 0, end: end * 60 };
  return { hours: { ranges: [range], except: [], timezone: 'UTC' }, letThrough: null };
}

/** An outage at ten past nine in the morning, which the next daemon finds. */
async function waiting() {
  const clock = virtualClock(START);
  const disk = paperDisk();
  const mail = paperReceiver('mail', 'people');
  const source = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const start = (quietHours: Route['quietHours']) =>
    startPaperDaemon({ source, receivers: [mail], clock, disk, intervalMs: 20 * MINUTE, route: { quietHours } });
  const running = await start(null);
  await running.pass(10 * MINUTE);
  await running.stop();
  mail.calls.length = 0;
  source.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  return { clock, mail, start };
}

test('quiet hours end by the wall clock, also where it was put forward meanwhile', async () => {
  const { clock, mail, start } = await waiting();
  const running = await start(quiet(9, 17));
  await running.pass(5 * MINUTE);
  expect(mail.calls).toEqual([]);
  clock.jump(8 * HOUR);
  await running.pass(MINUTE);
  expect(mail.calls).toHaveLength(1);
});

test('quiet hours that a reload has taken away hold nothing back, and new ones hold what waits', async () => {
  const { mail, start } = await waiting();
  const first = await start(quiet(9, 17));
  await first.pass(5 * MINUTE);
  await first.stop();
  const longer = await start(quiet(8, 18));
  await longer.pass(HOUR);
  expect(mail.calls).toEqual([]);
  await longer.stop();
  const without = await start(null);
  await without.settle();
  expect(mail.calls).toHaveLength(1);
});
