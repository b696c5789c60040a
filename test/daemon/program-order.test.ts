/** Programs get events in the order in which they were promised, through outages as well; one that is refused holds up no other. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../src/daemon/common/clock.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import type { Outcome } from '../../src/receivers/receiver.ts';
import { deliveryInMemory } from '../support/memory-delivery.ts';
import { NOW, opened } from '../support/messages.ts';
import { DELIVERED, MINUTE, SECOND, transient } from '../support/paper-daemon.ts';

const TICK_MS = 250;
const REASON = 'The webhook answered 503';
const DOWN = transient(REASON);

interface Promised {
  id: string;
  alert: string;
  /** Milliseconds after the start. */
  at: number;
}

interface Played {
  /** The ids that were taken, a sending each. */
  taken: string[][];
  /** How long each of them waited. */
  waitedMs: Map<string, number>;
  calls: number;
}

/** The loop of a webhook in virtual time; `answer` says what becomes of a sending. */
async function play(
  events: readonly Promised[],
  untilMs: number,
  answer: (ids: readonly string[], at: number) => Outcome,
): Promise<Played> {
  const clock = createVirtualClock(NOW);
  const played: Played = { taken: [], waitedMs: new Map(), calls: 0 };
  const all = events.map(messageOf);
  let promised: Message[] = [];
  const delivery = deliveryInMemory({
    receiver: {
      name: 'bus',
      type: 'paper',
      audience: 'programs',
      batch: 100,
      send(messages) {
        const ids = messages.map(({ id }) => id);
        const at = clock.now() - NOW;
        const outcome = answer(ids, at);
        played.calls += 1;
        if (outcome.kind === 'delivered') {
          played.taken.push(ids);
          for (const { id, promisedAt } of messages) played.waitedMs.set(id, clock.now() - promisedAt);
        }
        return Promise.resolve(outcome);
      },
    },
    clock,
    promised: () => promised,
    isPromised: () => true,
  });
  const stop = new AbortController();
  const running = delivery.run(stop.signal, new AbortController().signal);
  for (let passed = 0; passed <= untilMs; passed += TICK_MS) {
    const known = all.filter(({ promisedAt }) => promisedAt <= clock.now());
    if (known.length > promised.length) {
      promised = known;
      delivery.wake();
    }
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(TICK_MS);
  }
  stop.abort();
  await running;
  return played;
}

function messageOf({ id, alert, at }: Promised): Message {
  const message = opened();
  const promisedAt = NOW + Math.ceil(at / TICK_MS) * TICK_MS;
  return { ...message, id, alert: { ...message.alert, id: alert }, promisedAt, dueAt: promisedAt };
}

/** Seven events of six alerts. */
const SEVEN: readonly Promised[] = [
  { id: 'E1', alert: 'A', at: 0 },
  { id: 'E2', alert: 'B', at: 3 * SECOND },
  { id: 'E3', alert: 'C', at: 6 * SECOND },
  { id: 'E4', alert: 'D', at: 9 * SECOND },
  { id: 'E5', alert: 'A', at: 12 * SECOND },
  { id: 'E6', alert: 'E', at: 15 * SECOND },
  { id: 'E7', alert: 'F', at: 25 * SECOND },
];
const IN_ORDER = SEVEN.map(({ id }) => id);

const downFor =
  (ms: number) =>
  (_ids: readonly string[], at: number): Outcome =>
    at < ms ? DOWN : DELIVERED;

describe('after an outage', () => {
  test.each([1, 4, 10, 14, 30, 45, 120, 600])('of %d s everything arrives in its order', async (seconds) => {
    const { taken } = await play(SEVEN, (seconds + 400) * SECOND, downFor(seconds * SECOND));
    expect(taken.flat()).toEqual(IN_ORDER);
  });

  test('with a word of how long it lasts, everything arrives in its order', async () => {
    const busy = transient(REASON, 20 * SECOND);
    const { taken, calls } = await play(SEVEN, 5 * MINUTE, (_ids, at) => (at < 2 * MINUTE ? busy : DELIVERED));
    expect(taken.flat()).toEqual(IN_ORDER);
    expect(calls).toBeLessThan(10);
  });

  test('whatever fails when, nothing is overtaken', async () => {
    const event = fc.record({ alert: fc.constantFrom('A', 'B', 'C', 'D', 'E'), at: fc.nat(3 * MINUTE) });
    const outage = fc.record({ from: fc.nat(3 * MINUTE), ms: fc.nat(2 * MINUTE) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 2, maxLength: 25 }),
        fc.array(outage, { minLength: 1, maxLength: 4 }),
        async (drafts, outages) => {
          const events = drafts.toSorted((a, b) => a.at - b.at).map((each, index) => ({ ...each, id: `E${index}` }));
          const { taken } = await play(events, 12 * MINUTE, (_ids, at) =>
            outages.some(({ from, ms }) => at >= from && at < from + ms) ? DOWN : DELIVERED,
          );
          expect(taken.flat()).toEqual(events.map(({ id }) => id));
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('one event that is always refused', () => {
  const refusing =
    (poison: string, by: Outcome = DOWN) =>
    (ids: readonly string[]): Outcome =>
      ids.includes(poison) ? by : DELIVERED;

  test.each(['E1', 'E3', 'E6'])('%s holds up no other alert, and the rest keeps its order', async (poison) => {
    const { taken, waitedMs } = await play(SEVEN, 10 * MINUTE, refusing(poison));
    const behind = poison === 'E1' ? ['E1', 'E5'] : [poison];
    expect(taken.flat()).toEqual(IN_ORDER.filter((id) => !behind.includes(id)));
    expect(Math.max(...waitedMs.values())).toBeLessThanOrEqual(2 * SECOND);
  });

  test('is found after an outage in which all others failed as well', async () => {
    const isPoison = refusing('E1');
    const { taken } = await play(SEVEN, 10 * MINUTE, (ids, at) => (at < 30 * SECOND ? DOWN : isPoison(ids)));
    expect(taken.flat().toSorted()).toEqual(['E2', 'E3', 'E4', 'E6', 'E7']);
  });

  test('does not hold them up for ever where each refusal asks for time', async () => {
    const { taken } = await play(SEVEN, 30 * MINUTE, refusing('E1', transient(REASON, 30 * SECOND)));
    expect(taken.flat()).toEqual(['E2', 'E3', 'E4', 'E6', 'E7']);
  });
});
