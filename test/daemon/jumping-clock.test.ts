/** What Linewatch says of itself when the wall clock is set, and how a jump is noticed. */
import { manualClock } from '../support/manual-clock.ts';
import { expect, test } from 'vitest';
import { createJumpMeter } from '../../src/daemon/common/clock.ts';
import { backdateTold } from '../../src/core/alert/notified.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { frozen } from '../support/frozen.ts';
import {
  DELIVERED,
  HOUR,
  MINUTE,
  type PaperReceiver,
  paperReceiver,
  START,
  startPaperDaemon,
  transient,
} from '../support/paper-daemon.ts';

async function withDeadBus() {
  const clock = manualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const [mail, bus] = [paperReceiver('mail', 'people'), paperReceiver('bus', 'programs')];
  const route = { repeatInterval: 4 * HOUR };
  const running = await startPaperDaemon({ source: world, receivers: [mail, bus], clock, route });
  await running.pass(2 * MINUTE);
  bus.conduct = () => transient('The webhook answered 503');
  world.openNotice({ subject: 'No calls', components: [] });
  await running.pass(MINUTE);
  return { clock, mail, running };
}

/** What was told of the receiver: how often, and how many of them are reminders. */
function ofReceiver({ taken }: PaperReceiver): [number, number] {
  const all = taken.filter(({ changes }) => changes.some(({ transition }) => transition.kind === 'receiver.failed'));
  return [all.length, all.filter(({ reminder }) => reminder > 0).length];
}

test.each([-5, 5])('a receiver fails no longer because the clock jumps by %d hours', async (hours) => {
  const { clock, mail, running } = await withDeadBus();
  clock.jump(hours * HOUR);
  await running.pass(MINUTE);
  expect(ofReceiver(mail)).toEqual([0, 0]);
  // It is said with the next try that fails.
  await running.pass(10 * MINUTE);
  expect(ofReceiver(mail)).toEqual([1, 0]);
  await running.stop();
});

test('and that is not said again because the clock jumps, but after four hours', async () => {
  const { clock, mail, running } = await withDeadBus();
  await running.pass(10 * MINUTE);
  clock.jump(5 * HOUR);
  await running.pass(10 * MINUTE);
  expect(ofReceiver(mail)).toEqual([1, 0]);
  await running.pass(4 * HOUR);
  expect(ofReceiver(mail)).toEqual([2, 1]);
  await running.stop();
});

test.each([
  [5, 5 * HOUR],
  [-5, -5 * HOUR],
  [0, undefined],
])('what waits while the clock jumps by %d hours says so, and is not called late by them', async (hours, jumpedMs) => {
  const clock = manualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const mail = paperReceiver('mail', 'people');
  const running = await startPaperDaemon({ source: world, receivers: [mail], clock });
  await running.pass(2 * MINUTE);
  mail.conduct = () => transient('451 later');
  world.openNotice({ subject: 'No calls', components: [] });
  await running.pass(MINUTE);
  clock.jump(hours * HOUR);
  mail.conduct = () => DELIVERED;
  await running.pass(5 * MINUTE);
  const opened = mail.taken.find(({ alert }) => alert.number !== null);
  expect(opened?.jumpedMs).toBe(jumpedMs);
  await running.stop();
});

test('a jump is what the wall clock gains or loses beside the other, told once', () => {
  const clock = manualClock(START);
  const jumped = createJumpMeter(clock);
  clock.advance(10 * HOUR);
  expect(jumped()).toBe(0);
  clock.jump(5 * HOUR);
  expect([jumped(), jumped()]).toEqual([5 * HOUR, 0]);
  clock.jump(-2 * HOUR);
  clock.advance(HOUR);
  expect([jumped(), jumped()]).toEqual([-2 * HOUR, 0]);
  // Small steps are none, until they come to more.
  for (let step = 0; step < 3; step += 1) clock.jump(25_000);
  expect(jumped()).toBe(75_000);
  clock.jump(59_000);
  expect(jumped()).toBe(0);
});

test('what is moved along is a copy', () => {
  const told = (at: number) => [{ told: [{ receiver: 'ops', at, reminders: 0 }] }];
  expect(backdateTold(frozen(told(START)), HOUR)).toEqual(told(START + HOUR));
});
