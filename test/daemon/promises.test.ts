/** Promises keep the order they were made in, also when the wall clock is put back between two of them. */
import { expect, test } from 'vitest';
import { emptyState } from '../../src/core/engine/page.ts';
import { createPromises } from '../../src/daemon/promises.ts';
import type { Entry } from '../../src/core/outbox/entry.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { opened, resolved, NOW } from '../support/messages.ts';

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
  const promises = createPromises();
  const outbox = [entry(opened(), NOW), entry(resolved(), NOW - 3_600_000)];
  promises.replace('provider', { ...emptyState(), outbox }, true);
  expect(promises.to('ops').flatMap(({ changes }) => changes.map(({ status }) => status))).toEqual([
    'open',
    'resolved',
  ]);
});
