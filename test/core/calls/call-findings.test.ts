/** Findings as the account's step takes them in: what raises suspected fraud, and who tells of a route that is foreseen. */
import { describe, expect, test } from 'vitest';
import { compareCalls, NO_CALLS, rememberNews, type CallFinding } from '../../../src/core/calls/call-findings.ts';
import { judgeOutage, judgeRoutes, toMissedDetails } from '../../../src/core/calls/judge-calls.ts';
import { findMissedCallers } from '../../../src/core/calls/missed-callers.ts';
import { SECOND } from '../../../src/core/text/duration.ts';
import { callOf, MELBOURNE, NOON } from './call-stories.ts';

const NOW = NOON * SECOND;
const HOUR = 3_600_000;
const stamp = (at: number): string => new Date(at).toISOString();

const FRAUD: CallFinding = {
  kind: 'fraud.suspected',
  subject: 'fraud',
  key: 'now',
  group: null,
  to: 2,
  details: {
    rules: [{ rule: 'F1', severity: 'warning' }],
    calls: 2,
    since: stamp(NOW),
    last: stamp(NOW + 600_000),
    destinations: [{ code: '53', calls: 2, never_called: true }],
    numbers: [{ number: '5371234567', calls: 2 }],
    from: [{ number: '1012', calls: 2, extension: '1012', extension_id: '40012', used_by: 1 }],
    billed: 0,
    currency: 'AUD',
    new: [],
    hotline: null,
    severity: 'warning',
    country: '61',
  },
};

/** Told with a network that appeared so long before the first call. */
function tellWith(hoursBefore: number) {
  const news = [
    { extension: '1012', kind: 'network' as const, value: '203.0.113.0/24', at: stamp(NOW - hoursBefore * HOUR) },
  ];
  const memory = rememberNews(NO_CALLS, news, NOW - hoursBefore * HOUR);
  const { drafts } = compareCalls(memory, { kind: 'calls', findings: [FRAUD], judged: ['fraud'] }, NOW);
  return drafts.map(({ draft }) => draft.details);
}

describe('suspected fraud', () => {
  test('is raised by a network that was new within a day, which is named', () => {
    expect(tellWith(23)).toMatchObject([{ severity: 'critical', new: [{ value: '203.0.113.0/24' }] }]);
  });

  test('is not raised by one that was new earlier', () => {
    expect(tellWith(25)).toMatchObject([{ severity: 'warning', new: [] }]);
  });

  test('is told again when it doubles or gets worse, and ends when it is judged and not found', () => {
    const first = compareCalls(NO_CALLS, { kind: 'calls', findings: [FRAUD], judged: ['fraud'] }, NOW);
    const grow = (to: number) =>
      compareCalls(first.memory, { kind: 'calls', findings: [{ ...FRAUD, to }], judged: ['fraud'] }, NOW).drafts;
    expect([grow(2).length, grow(3).length, grow(4).length]).toEqual([0, 0, 1]);
    const { drafts } = compareCalls(first.memory, { kind: 'calls', findings: [], judged: ['route/'] }, NOW);
    expect(drafts).toEqual([]);
    const over = compareCalls(first.memory, { kind: 'calls', findings: [], judged: ['fraud'] }, NOW);
    expect(over.drafts).toMatchObject([{ draft: { from: 2, to: null } }]);
  });
});

describe('a route whose extensions are all offline', () => {
  const calls = Array.from({ length: 8 }, (_, day) =>
    callOf('answered', -(day + 1) * 86_400, { from: `04110000${10 + day}` }),
  );
  const settings = { country: '61', timezone: MELBOURNE, unreachableCauses: [] };
  const foresee = (lost: readonly string[], group: string | null, more = calls) =>
    judgeRoutes(more, { lost: new Set(lost), groupOf: () => group }, NOW, settings).findings;

  test('is a line in the alert that tells of them, and an alert of its own where none does', () => {
    expect(foresee(['1001'], 'phones/1')).toMatchObject([{ kind: 'route.dead', group: 'phones/1', to: 0 }]);
    const [own] = foresee(['1001'], null);
    expect(own).toMatchObject({ group: null, details: { foreseen: true, severity: 'warning' } });
    const { drafts } = compareCalls(
      NO_CALLS,
      { kind: 'calls', findings: own === undefined ? [] : [own], judged: [] },
      NOW,
    );
    expect(drafts).toMatchObject([{ group: own?.subject }]);
    expect(foresee(['1002'], 'phones/1')).toEqual([]);
  });

  test('is told as witnessed alone, once callers have reached nobody', () => {
    const missed = [60, 120].map((before) =>
      callOf('missed', -before, {
        from: `0398765${before}0`,
        rang: [{ extension: '1001', cause: 'USER_NOT_REGISTERED' }],
      }),
    );
    const found = foresee(['1001'], 'phones/1', [...calls, ...missed]);
    expect(found).toMatchObject([{ kind: 'route.dead', group: null, to: 2 }]);
    expect(found[0]?.details).not.toHaveProperty('foreseen');
  });
});

test('a message lists ten missed callers and counts the rest, the page lists all', () => {
  const calls = Array.from({ length: 12 }, (_, index) =>
    callOf('missed', index * 60, { from: `04110000${10 + index}` }),
  );
  const book = { calls, mails: [], missedSince: null };
  const settings = { country: '61', timezone: MELBOURNE };
  const outage = { alert: 'a', group: 'g', from: NOW - HOUR, to: NOW + HOUR, only: null, toggle: null };
  const told = judgeOutage(book, outage, settings);
  expect(told).toMatchObject({
    kind: 'calls.missed',
    group: 'g',
    to: 12,
    details: { more: 2, total: 12, waiting: 12 },
  });
  const shownIn = (details: object): unknown => ('callers' in details ? details.callers : null);
  expect(shownIn(told?.details ?? {})).toHaveLength(10);
  const span = { from: outage.from / SECOND, to: outage.to / SECOND };
  const all = toMissedDetails(findMissedCallers(book, span), { book, span, settings }, Infinity);
  expect([all.callers.length, all.more]).toEqual([12, 0]);
});
