/** What opened and ended inside a silence, in one message. */
import { expect, test } from 'vitest';
import type { Message } from '../../../src/core/outbox/message.ts';
import { selectNextSending } from '../../../src/core/outbox/queue.ts';
import { message, MINUTE, NOW, opened, queueRules } from '../../support/messages.ts';

function passed(number: number, lastedMs: number): Message {
  const { changes } = opened();
  const alert = { id: `alert ${number}`, number, title: `T${number}`, startedAt: NOW - lastedMs, resolvedAt: NOW };
  return message(changes, alert, { id: `message ${number}`, first: true });
}

test('says how long each lasted', () => {
  const sending = selectNextSending(
    [passed(1, 2_000), passed(2, 80 * MINUTE)],
    queueRules({ sources: ['provider'], wasHeld: () => true }),
  );
  const [summary] = sending?.messages ?? [];
  // It is about the alerts of several sources, and of no one of them.
  expect([summary?.alert.source, summary?.changes[0]?.transition.source]).toEqual(['linewatch', 'linewatch']);
  const details = summary?.changes[0]?.transition.details;
  expect(details).toEqual({
    reason: ['#1 critical: T1 (provider), lasted less than a minute', '#2 critical: T2 (provider), lasted 80 min'].join(
      '\n',
    ),
  });
});
