/** PendingMessages keep the order they were made in, also when the wall clock is put back between two of them. */
import { expect, test } from 'vitest';
import { createPageState } from '../../src/core/engine/page-kind.ts';
import { createPending } from '../../src/daemon/delivery/pending.ts';
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
  pending.replace('provider', { ...createPageState(), outbox }, true);
  expect(pending.to('ops').flatMap(({ changes }) => changes.map(({ status }) => status))).toEqual(['open', 'resolved']);
});

test('what one source promises anew stands beside what the others did before', () => {
  const pending = createPending();
  pending.replace('provider', { outbox: [entry(opened(), NOW)] }, true);
  const before = pending.to('ops');
  expect(pending.to('ops')).toBe(before);
  pending.replace('other', { outbox: [entry(resolved(), NOW - 5)] }, true);
  expect(pending.to('ops').flatMap(({ changes }) => changes.map(({ status }) => status))).toEqual(['resolved', 'open']);
  expect(pending.to('ops')).not.toBe(before);
});

test('the list of entries is the same until something changes, and holds what changed then', () => {
  const pending = createPending();
  pending.replace('provider', { outbox: [entry(opened(), NOW)] }, true);
  const entries = pending.entries();
  expect(pending.entries()).toBe(entries);
  pending.replace('other', { outbox: [entry(resolved(), NOW)] }, true);
  expect(pending.entries()).toHaveLength(2);
});

test('a step that leaves an outbox as it is leaves all lists as they are', () => {
  const pending = createPending();
  const outbox = [entry(opened(), NOW)];
  pending.replace('other', { outbox: [entry(resolved(), NOW)] }, true);
  pending.replace('provider', { outbox }, false);
  const [unsaved, entries] = [pending.to('ops'), pending.entries()];
  expect(unsaved.map((message) => message.unsaved)).toEqual([false, true]);
  pending.replace('provider', { outbox: [...outbox] }, true);
  const saved = pending.to('ops');
  expect(saved.map((message) => message.unsaved)).toEqual([false, false]);
  pending.replace('provider', { outbox: [...outbox] }, true);
  expect(pending.to('ops')).toBe(saved);
  expect(pending.entries()).toEqual(entries);
  pending.replace('provider', { outbox: [] }, true);
  expect(pending.to('ops')).toHaveLength(1);
});

test('a message is held while it is on disk or in memory, and no longer', () => {
  const pending = createPending();
  pending.replace('provider', { outbox: [entry(opened(), NOW)] }, true);
  const [{ id } = { id: '' }] = pending.to('ops');
  expect(pending.holds(id)).toBe(true);
  // What the disk refused to forget is still there after a restart.
  pending.replace('provider', { outbox: [] }, false);
  expect(pending.holds(id)).toBe(true);
  pending.replace('provider', { outbox: [] }, true);
  expect(pending.holds(id)).toBe(false);
});
