/** The line below a headline: which alert it is, with those that became part of it, how bad, and whose. */
import { expect, test } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import type { Status } from '../../../src/core/transition/kind.ts';
import type { SeenAlert } from '../../../src/core/alert/shared-alert.ts';

const NOW = Date.parse('2026-03-24T03:00:00.000Z');

function kicker(seen: Partial<SeenAlert> = {}): string {
  const message = createSampleMessage('registration.mass', 'ops', NOW);
  const told = { ...message, seen: { lostSince: null, merged: [], shared: null, ...seen } };
  return composeContent(told, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW }).kicker;
}

test('names the alerts that became part of it', () => {
  expect(kicker()).toMatch(/^#\d+ · Critical · /);
  expect(kicker({ merged: [4] })).toMatch(/^#\d+, with #4 · Critical · /);
  const twelve = Array.from({ length: 12 }, (_, index) => 21 + index);
  expect(kicker({ merged: twelve })).toMatch(/^#\d+, with #21, #22, .*#30 and 2 more · Critical · /);
});

test('an alert that reopens is open again, unless its reader has not read its end', () => {
  const opens = (reopenedAt: number | undefined, ...before: readonly Status[]): string => {
    const message = createSampleMessage('registration.mass', 'ops', NOW);
    const [lost] = message.changes;
    const changes = [...before, 'open' as const].map((status) => ({ ...lost!, status }));
    const seen = { lostSince: null, merged: [], shared: null, ...(reopenedAt !== undefined && { reopenedAt }) };
    const told = { ...message, first: false, changes, seen };
    return composeContent(told, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW }).kicker;
  };
  const at = createSampleMessage('registration.mass', 'ops', NOW).changes[0]!.transition.at;
  expect(opens(at)).toMatch(/ · Open again · /);
  expect(opens(undefined)).toMatch(/ · Update · /);
  // Another account joins the alert, which opened again later.
  expect(opens(at + 1)).toMatch(/ · Update · /);
  expect(opens(at, 'resolved')).toMatch(/ · Update · /);
});
