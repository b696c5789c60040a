/** What waits is kept within its bounds, and looked through only when it may be beyond them. */
import { expect, test } from 'vitest';
import { measureEntry, type Bounds } from '../../src/core/outbox/retention.ts';
import type { Entry, Message } from '../../src/core/outbox/message.ts';
import { createPending } from '../../src/daemon/delivery/pending.ts';
import { createBoundsKeeper } from '../../src/daemon/loop/rounds.ts';
import { DAY, NOW, opened, resolved } from '../support/messages.ts';
import { quietLog } from '../support/running-daemon.ts';
import { virtualClock } from '../support/paper-daemon.ts';

function entry({ alert, changes }: Message): Entry {
  const to = [{ receiver: 'ops', first: false, dueAt: NOW }];
  return { alert, changes: [...changes], reminder: 0, promisedAt: NOW, to };
}

function keeping(bounds: Bounds) {
  const clock = virtualClock(NOW);
  const pending = createPending();
  const settled = new Set<string>();
  const given: string[] = [];
  let asked = 0;
  const keep = createBoundsKeeper({
    pending,
    bounds,
    clock,
    log: quietLog,
    sources: { all: () => [] },
    own: { state: { alerts: [] } },
    tell: () => undefined,
    deliveries: {
      isSettled({ id }) {
        asked += 1;
        return settled.has(id);
      },
      giveUp: (_receiver, ids) => Promise.resolve(void given.push(...ids)),
    },
  });
  return { clock, pending, settled, given, keep, asked: () => asked };
}

test('nothing is looked through as long as all that was promised is within bounds', () => {
  const { pending, keep, asked, given } = keeping({ bytes: 1_000_000, ageMs: DAY });
  pending.replace('provider', { outbox: [entry(opened())] }, true);
  keep();
  keep();
  pending.replace('provider', { outbox: [entry(opened()), entry(resolved())] }, true);
  keep();
  expect([asked(), given]).toEqual([0, []]);
});

test('what was settled since no longer counts once all that was promised is beyond the bounds', () => {
  const first = entry(opened());
  const { pending, settled, keep, given, asked } = keeping({ bytes: 1.5 * measureEntry(first), ageMs: DAY });
  pending.replace('provider', { outbox: [first] }, true);
  keep();
  for (const { id } of pending.to('ops')) settled.add(id);
  const second = entry(resolved());
  pending.replace('provider', { outbox: [first, second] }, true);
  keep();
  expect([asked(), given]).toEqual([2, []]);
  pending.replace('provider', { outbox: [second] }, true);
  keep();
  expect([asked(), given]).toEqual([2, []]);
});

test('what grows beyond its bounds is given up with the next round', () => {
  const { pending, keep, given } = keeping({ bytes: 10, ageMs: DAY });
  keep();
  expect(given).toEqual([]);
  pending.replace('provider', { outbox: [entry(opened())] }, true);
  keep();
  expect(given).toHaveLength(1);
});

test('what grows too old is given up though nothing else has changed', () => {
  const { clock, pending, keep, given } = keeping({ bytes: 1_000_000, ageMs: DAY });
  pending.replace('provider', { outbox: [entry(opened())] }, true);
  keep();
  clock.advance(DAY + 1);
  keep();
  expect(given).toHaveLength(1);
});

test('what was settled meanwhile is not given up for its age', () => {
  const { clock, pending, settled, keep, given, asked } = keeping({ bytes: 1_000_000, ageMs: DAY });
  pending.replace('provider', { outbox: [entry(opened())] }, true);
  keep();
  for (const { id } of pending.to('ops')) settled.add(id);
  clock.advance(DAY + 1);
  keep();
  keep();
  expect(given).toEqual([]);
  expect(asked()).toBe(1);
});
