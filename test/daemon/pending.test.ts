/** PendingMessages keep the order they were made in, also when the wall clock is put back between two of them. */
import { expect, test } from 'vitest';
import { emptyState } from '../../src/core/engine/page.ts';
import { createPending } from '../../src/daemon/pending.ts';
import type { Entry, Message } from '../../src/core/outbox/message.ts';
import { NOW, opened, resolved } from '../support/messages.ts';

function entry(one: Message, promisedAt: number): Entry {
  return {
    alert: one.alert,
    changes: [...one.changes],
    reminder: 0,
    promisedAt,
    to: [{ receiver: 'ops', first: false, dueAt: promisedAt }],
  };
}

test('the end of an alert is not sent before its beginning', () => {
  const pending = createPending();
  const outbox = [entry(opened(), NOW), entry(resolved(), NOW - 3_600_000)];
  pending.replace('provider', { ...emptyState(), outbox }, true);
  expect(pending.to('ops').flatMap(({ changes }) => changes.map(({ status }) => status))).toEqual(['open', 'resolved']);
});
