/** What an answer says is settled with the delivery, and known to what comes later about the same alert. */
import { expect, test } from 'vitest';
import type { Entry } from '../../src/core/outbox/message.ts';
import { opened, NOW, recovering } from '../support/messages.ts';
import { deliverFromMemory } from '../support/memory-delivery.ts';

test('the answer to a message is known to the next one', async () => {
  const outbox = [opened(), recovering()].map(({ alert, changes }, index): Entry => ({
    alert,
    changes: [...changes],
    reminder: 0,
    promisedAt: NOW,
    to: [{ receiver: 'ops', first: index === 0, dueAt: NOW }],
  }));
  const stop = new AbortController();
  const heard: unknown[] = [];
  await deliverFromMemory({
    outbox,
    clock: { now: () => NOW, monotonic: () => 0, sleep: () => Promise.resolve() },
    stop: stop.signal,
    audience: 'people',
    batch: 1,
    send(messages) {
      for (const { conversation } of messages) heard.push(conversation);
      if (heard.length === 2) stop.abort();
      return Promise.resolve({ kind: 'delivered', detail: 'ok', keep: { ts: '1' } });
    },
  });
  expect(heard).toEqual([undefined, { ts: '1' }]);
});
