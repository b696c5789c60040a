/** One receiver's loop on a clock that goes on while it is read, and whose timers fire a fraction early, as real ones do. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/daemon/common/clock.ts';
import type { Outcome } from '../../src/receivers/receiver.ts';
import { deliverFromMemory } from '../support/memory-delivery.ts';
import { NOW, opened } from '../support/messages.ts';
import { DELIVERED, transient } from '../support/paper-daemon.ts';

/** Between two looks at the clock. */
const LOOK_MS = 0.3;
const REFUSED = transient('The connection was refused');

/** `slept` is told how long; for ever is where nobody would wake it. */
function realisticClock(slept: (ms: number) => void): Clock {
  let passed = 0;
  const look = (): number => (passed += LOOK_MS);
  return {
    now: () => NOW + Math.floor(look()),
    monotonic: look,
    sleep(ms) {
      slept(ms);
      if (Number.isFinite(ms)) passed += Math.floor(ms);
      return Promise.resolve();
    },
  };
}

async function deliver(dueAt: number, outcomes: Outcome[]): Promise<{ sent: number; longest: number }> {
  const { alert, changes } = opened();
  const to = [{ receiver: 'ops', first: true, dueAt }];
  const stop = new AbortController();
  let [sent, longest] = [0, 0];
  await deliverFromMemory({
    outbox: [{ alert, changes: [...changes], reminder: 0, promisedAt: NOW, to }],
    clock: realisticClock((ms) => {
      longest = Math.max(longest, ms);
      if (ms === Infinity) stop.abort();
    }),
    stop: stop.signal,
    audience: 'programs',
    batch: 100,
    send() {
      sent += 1;
      const outcome = outcomes.shift() ?? DELIVERED;
      if (outcome === DELIVERED) stop.abort();
      return Promise.resolve(outcome);
    },
  });
  return { sent, longest };
}

test('what falls due while the loop looks at it is sent, and not slept over', async () => {
  const { sent, longest } = await deliver(
    NOW,
    Array.from({ length: 30 }, () => REFUSED),
  );
  expect(longest).toBeLessThan(Infinity);
  expect(sent).toBe(31);
});

test('a message that falls due while the loop looks at it is sent', async () => {
  for (let dueMs = 1; dueMs < 40; dueMs += 1) {
    expect(await deliver(NOW + dueMs, []), `due after ${dueMs} ms`).toMatchObject({ sent: 1 });
  }
});
