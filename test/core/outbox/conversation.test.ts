/** What is kept of answers, an alert at a time. */
import { expect, test } from 'vitest';
import { updateConversations, withConversation, type KeptConversation } from '../../../src/core/outbox/conversation.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { NOW, opened } from '../../support/messages.ts';

function of(alert: string, resolvedAt: number | null = null): Message {
  return { ...opened(), alert: { ...opened().alert, id: alert, resolvedAt } };
}

const TICKET = { id: '42' };

test('the first answer is known to later messages about the same alert, and to no others', () => {
  const known = updateConversations([], [of('a')], TICKET);
  expect(withConversation(of('a'), known).conversation).toEqual(TICKET);
  expect(withConversation(of('b'), known)).not.toHaveProperty('conversation');
});

test('a later answer counts, one that says nothing changes nothing, an empty one forgets', () => {
  const first = updateConversations([], [of('a')], TICKET);
  expect(updateConversations(first, [of('a')], { id: '43' })).toEqual([{ alert: 'a', kept: { id: '43' } }]);
  expect(updateConversations(first, [of('a')], undefined)).toEqual(first);
  expect(updateConversations(first, [of('a')], {})).toEqual([]);
});

test('conversations of open alerts are kept, and the latest hundred of ended ones', () => {
  let known: KeptConversation[] = [];
  for (let each = 0; each < 200; each += 1) known = updateConversations(known, [of(`open ${each}`)], TICKET);
  for (let each = 0; each < 150; each += 1) known = updateConversations(known, [of(`over ${each}`, NOW)], TICKET);
  expect(known.filter(({ ended }) => ended)).toHaveLength(100);
  expect(known.filter(({ ended }) => !ended)).toHaveLength(200);
  expect(known.at(-1)?.alert).toBe('over 149');
});

test('an answer that is too long is not kept: 300 bytes an alert and receiver at most', () => {
  expect(updateConversations([], [of('a')], { id: 'x'.repeat(201) })).toEqual([]);
  const known = updateConversations([], [of('0123456789abcdef0123456789abcdef', NOW)], { id: 'x'.repeat(190) });
  expect(JSON.stringify(known[0]).length).toBeLessThanOrEqual(300);
});
