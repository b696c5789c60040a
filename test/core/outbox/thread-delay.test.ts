/** How long a loss waits for what other accounts say in the same thread: not at all once people have read its end. */
import { expect, it } from 'vitest';
import { combineParts } from '../../../src/core/correlation/other-parts.ts';
import { computeThreadDelay } from '../../../src/core/outbox/thread-delay.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';

const MINUTE = 60_000;
const BEGUN = Date.parse('2026-03-02T01:00:00.000Z');

const GROWTH = createSampleMessage('registration.mass', 'people', BEGUN).changes;

/** The part of another account, which has told `people` of it a minute ago. */
function part(now: number, rest: { status: 'open' | 'resolved'; reopenedAt?: number }) {
  const told = [{ receiver: 'people', at: now - MINUTE, reminders: 0 }];
  return {
    id: 'one',
    title: 'Phones offline',
    openedAt: BEGUN,
    suspected: true,
    family: 'phones' as const,
    told,
    ...rest,
  };
}

function waits(now: number, other: ReturnType<typeof part>, changes = GROWTH): number {
  return computeThreadDelay({ now, joinMs: 1, changes, told: [], others: combineParts([other]) }, 'people');
}

const NOW = BEGUN + 30 * MINUTE;

it('growth waits while the outage goes on elsewhere', () => {
  expect(waits(NOW, part(NOW, { status: 'open' }))).toBe(1 + 3 * MINUTE);
});

it('a loss after the end does not wait', () => {
  expect(waits(NOW, part(NOW, { status: 'resolved' }))).toBe(1);
});

it('an outage that has come back waits no longer than it lasts this time', () => {
  expect(waits(NOW, part(NOW, { status: 'open', reopenedAt: NOW - MINUTE }))).toBe(1);
});

it.each([
  ['phones that came and went are stable', null],
  ['phones come and go', 3],
])('where %s, others that do the same are waited for only at the end', (_, to) => {
  const changes = createSampleMessage('registration.flapping', 'people', BEGUN).changes.map((change) => ({
    ...change,
    transition: { ...change.transition, from: to === null ? 3 : null, to } as typeof change.transition,
  }));
  expect(waits(BEGUN + MINUTE, part(BEGUN + MINUTE, { status: 'open' }), changes)).toBe(
    1 + (to === null ? 3 : 0) * MINUTE,
  );
});
