/** Ten thousand alerts that wait for a dead receiver: what a start costs, and what it takes to deliver them. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/daemon/clock.ts';
import { createDelivery } from '../../src/daemon/delivery.ts';
import { emptyReceiverState, type ReceiverState } from '../../src/daemon/documents.ts';
import { createPending } from '../../src/daemon/pending.ts';
import { beyondBounds } from '../../src/core/outbox/bound.ts';
import type { Entry } from '../../src/core/outbox/message.ts';
import { NOW, opened } from '../support/messages.ts';

const COUNT = 10_000;

function backlog(): Entry[] {
  const { alert, changes } = opened();
  return Array.from({ length: COUNT }, (_each, number) => ({
    alert: { ...alert, id: `alert ${number}`, number },
    changes: changes.map((change) => ({ ...change, transition: { ...change.transition, id: `transition ${number}` } })),
    reminder: 0,
    promisedAt: NOW + number,
    to: [{ receiver: 'ops', first: true, dueAt: NOW }],
  }));
}

/** Resolves when so many of them have been delivered to a receiver that takes everything at once. */
async function deliver(outbox: readonly Entry[], audience: 'people' | 'programs', count = COUNT): Promise<number> {
  const pending = createPending();
  pending.replace('provider', { outbox }, true);
  const stop = new AbortController();
  let sent = 0;
  let value: ReceiverState = emptyReceiverState();
  const delivery = createDelivery({
    receiver: {
      name: 'ops',
      type: 'bench',
      audience,
      batch: audience === 'people' ? 1 : 100,
      send(messages) {
        sent += messages.length;
        if (sent >= count) stop.abort();
        return Promise.resolve({ kind: 'delivered', detail: '' });
      },
    },
    document: {
      get value() {
        return value;
      },
      commit(next) {
        value = next;
        return Promise.resolve();
      },
    },
    clock: systemClock,
    random: () => 0.5,
    sources: ['provider'],
    promised: () => pending.to('ops'),
    isPromised: pending.holds,
    muting: { isSilenced: () => false, parts: () => [] },
    unsaved: { refused: () => undefined, savedAgain: () => undefined },
    attempted: () => undefined,
  });
  await delivery.run(stop.signal, new AbortController().signal);
  return sent;
}

test('ten thousand alerts that wait', { timeout: 300_000 }, async ({ bench }) => {
  const text = JSON.stringify(backlog());
  const outbox = JSON.parse(text) as Entry[];
  await bench.compare(
    bench('start: read and list what waits', () => {
      const pending = createPending();
      pending.replace('provider', { outbox: JSON.parse(text) as Entry[] }, true);
      expect(pending.to('ops')).toHaveLength(COUNT);
    }),
    bench('each sweep: is it too much?', () => void beyondBounds(outbox, () => false, NOW)),
    bench('deliver all to a program', async () => void (await deliver(outbox, 'programs'))),
    bench('deliver the first 100 to people', async () => void (await deliver(outbox, 'people', 100))),
  );
  expect(await deliver(outbox, 'programs')).toBe(COUNT);
});
