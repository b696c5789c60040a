/** A receiver that forgets alerts gets them again while they are open, at once after a restart, and their end. */
import { expect, test } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { createStatusWorld } from '../support/status-world.ts';
import {
  DELIVERED,
  MINUTE,
  paperDisk,
  paperReceiver,
  START,
  startPaperDaemon,
  transient,
  virtualClock,
  type PaperReceiver,
} from '../support/paper-daemon.ts';

function begin() {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const rounds: string[][] = [];
  let outcome = DELIVERED;
  const router: PaperReceiver = {
    ...paperReceiver('router', 'people'),
    ringsUntilTheEnd: true,
    keepAlive: {
      everyMs: MINUTE,
      send(open: () => readonly Message[]) {
        rounds.push(open().map(({ alert }) => alert.title));
        return Promise.resolve(outcome);
      },
    },
  };
  const disk = paperDisk();
  const start = () => startPaperDaemon({ source: world, receivers: [router], clock, disk });
  return { world, rounds, router, start, fail: (next: typeof outcome) => (outcome = next) };
}

test('nothing is sent while nothing is open, every minute while something is, and no more after its end', async () => {
  const { world, rounds, start } = begin();
  const running = await start();
  await running.pass(3 * MINUTE);
  expect(rounds.flat()).toEqual([]);
  const id = world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(10 * MINUTE);
  expect(rounds.flat().length).toBeGreaterThanOrEqual(9);
  world.updateNotice(id, { state: 'resolved', content: 'Calls work.' });
  await running.pass(2 * MINUTE);
  const sent = rounds.flat().length;
  await running.pass(10 * MINUTE);
  expect(rounds.flat().length).toBe(sent);
  await running.stop();
});

test('after a restart the open ones come first', async () => {
  const { world, rounds, start } = begin();
  const running = await start();
  await running.pass(MINUTE);
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  await running.pass(3 * MINUTE);
  await running.stop();
  rounds.length = 0;
  const again = await start();
  await again.settle();
  expect(rounds[0]).toHaveLength(1);
  await again.stop();
});

test('a failure is no end: the next minute tries again', async () => {
  const { world, rounds, start, fail } = begin();
  const running = await start();
  world.openNotice({ subject: 'No calls', components: ['Trunks'] });
  fail(transient('down'));
  await running.pass(5 * MINUTE);
  expect(rounds.length).toBeGreaterThanOrEqual(5);
  await running.stop();
});
