/** The outcome of the last message that a receiver did not refuse: shown, taken or accepted. */
import { expect, test } from 'vitest';
import type { Entry } from '../../src/core/outbox/message.ts';
import { createPending } from '../../src/daemon/delivery/pending.ts';
import { describeProof } from '../../src/core/wording/proof-words.ts';
import type { Outcome, Receiver } from '../../src/receivers/receiver.ts';
import { NOW, opened } from '../support/messages.ts';
import { deliveryInMemory } from '../support/memory-delivery.ts';

test('a success is what the answer says, else what the receiver proves, else taken', async () => {
  expect(await lastOf({ kind: 'delivered', detail: '' })).toEqual({ proof: 'taken', at: NOW });
  expect(await lastOf({ kind: 'delivered', detail: '' }, 'accepted')).toEqual({ proof: 'accepted', at: NOW });
  expect(await lastOf({ kind: 'delivered', detail: '', proof: 'shown' }, 'accepted')).toEqual({
    proof: 'shown',
    at: NOW,
  });
});

test('a refusal proves nothing', async () => {
  expect(await lastOf({ kind: 'permanent', code: 'gone', reason: 'gone' }, 'shown')).toBeUndefined();
});

test('an accepted message is never called seen', () => {
  expect(describeProof('accepted')).toBe('accepted: the medium may still lose it without saying so');
  expect(describeProof('shown')).toBe('shown: people can see it');
});

async function lastOf(outcome: Outcome, proves?: Receiver['proves']) {
  const { alert, changes } = opened();
  const to = [{ receiver: 'ops', first: true, dueAt: NOW }];
  const outbox: Entry[] = [{ alert, changes: [...changes], reminder: 0, promisedAt: NOW, to }];
  const pending = createPending();
  pending.replace('provider', { outbox }, true);
  const stop = new AbortController();
  const delivery = deliveryInMemory({
    receiver: {
      name: 'ops',
      type: 'paper',
      audience: 'people',
      batch: 1,
      ...(proves !== undefined && { proves }),
      send() {
        stop.abort();
        return Promise.resolve(outcome);
      },
    },
    clock: { now: () => NOW, monotonic: () => 0, sleep: () => Promise.resolve() },
    promised: () => pending.to('ops'),
    isPromised: pending.holds,
  });
  await delivery.run(stop.signal, new AbortController().signal);
  return delivery.state.last;
}
