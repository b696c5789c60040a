import { describe, expect, test } from 'vitest';
import type { Health } from '../../../src/core/observation/health.ts';
import { judgeMaintenance, findNextMaintenanceChange } from '../../../src/core/page/maintenance.ts';
import type { NoticeMemory } from '../../../src/core/page/snapshot.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const SETTINGS = { reminders: [24 * HOUR, HOUR], graceMs: 15 * MINUTE };
const BEGINS = Date.UTC(2026, 2, 24, 12);
const ENDS = BEGINS + 2 * HOUR;

function planned(change: Partial<NoticeMemory> = {}): NoticeMemory {
  return {
    id: '7',
    type: 'planned',
    timeline: 'future',
    state: 'scheduled',
    subject: 'Upgrade',
    url: null,
    beginsAt: BEGINS,
    endsAt: ENDS,
    beganAt: null,
    endedAt: null,
    createdAt: null,
    updatedAt: null,
    components: [],
    updates: [],
    listed: '',
    firstSeenAt: BEGINS - 72 * HOUR,
    closedAt: null,
    withdrawn: false,
    wasAcute: false,
    revision: 0,
    finalLook: false,
    windowSince: BEGINS - 72 * HOUR,
    said: [],
    ...change,
  };
}

const READ: Health = { blind: {}, unreachable: false };

/** Lets the clock strike at each of these times and returns what it said, as `kind at minutes from the beginning`. */
function strikes(notice: NoticeMemory, times: number[], health = READ): string[] {
  let notices: NoticeMemory[] | null = [notice];
  return times.flatMap((at) => {
    const judged = judgeMaintenance({ notices, health }, SETTINGS, at);
    notices = judged.notices;
    return judged.drafts.map((draft) => `${draft.kind} ${Math.round((at - BEGINS) / MINUTE)}`);
  });
}

describe('reminders', () => {
  test('each is said once, when its time has come', () => {
    const times = [-25 * HOUR, -24 * HOUR, -23 * HOUR, -HOUR, -HOUR + 1, -1].map((offset) => BEGINS + offset);
    expect(strikes(planned(), times)).toEqual(['maintenance.reminder -1440', 'maintenance.reminder -60']);
  });

  test('after a long stop only the one closest to the beginning is said', () => {
    expect(strikes(planned(), [BEGINS - 10 * MINUTE, BEGINS - 5 * MINUTE])).toEqual(['maintenance.reminder -10']);
  });

  test('one that was past when the window was first seen is not said', () => {
    const late = planned({ windowSince: BEGINS - 2 * HOUR });
    expect(strikes(late, [BEGINS - 2 * HOUR, BEGINS - HOUR])).toEqual(['maintenance.reminder -60']);
  });

  test('one that fell due during a stop over the beginning has nothing to say any more', () => {
    expect(strikes(planned({ state: 'underway', beganAt: BEGINS }), [BEGINS + MINUTE])).toEqual([]);
    expect(strikes(planned(), [BEGINS + MINUTE])).toEqual([]);
  });
});

test('late is said once, after the grace, while it has not begun', () => {
  const times = [0, 14, 15, 40].map((minutes) => BEGINS + minutes * MINUTE);
  expect(strikes(planned({ said: ['reminder 86400000', 'reminder 3600000'] }), times)).toEqual(['maintenance.late 15']);
});

test('overrun is said once, after the grace, also when the provider has moved it back to scheduled', () => {
  const times = [ENDS, ENDS + 15 * MINUTE, ENDS + HOUR];
  expect(strikes(planned({ state: 'underway', beganAt: BEGINS }), times)).toEqual(['maintenance.overrun 135']);
  expect(strikes(planned({ state: 'scheduled', beganAt: BEGINS }), times)).toEqual(['maintenance.overrun 135']);
});

test('overrun is said of what was first seen when its window was over, and not of what has ended', () => {
  const windowSince = ENDS + HOUR;
  const times = [ENDS + 2 * HOUR, ENDS + 3 * HOUR];
  expect(strikes(planned({ state: 'underway', beganAt: BEGINS, windowSince }), times)).toEqual([
    'maintenance.overrun 240',
  ]);
  // Within its grace it is not late yet.
  expect(strikes(planned({ state: 'underway', beganAt: BEGINS, windowSince: ENDS }), [ENDS + MINUTE])).toEqual([]);
  expect(strikes(planned({ state: 'complete', beganAt: BEGINS, windowSince, closedAt: ENDS }), times)).toEqual([]);
  // What was to begin then is not news of the clock.
  expect(strikes(planned({ windowSince }), times)).toEqual([]);
});

test('nothing is said of what is over, unplanned or without a window', () => {
  const times = [BEGINS + HOUR, ENDS + HOUR];
  expect(strikes(planned({ closedAt: ENDS, state: 'complete' }), times)).toEqual([]);
  expect(strikes(planned({ type: 'unplanned' }), times)).toEqual([]);
  expect(strikes(planned({ beginsAt: null, endsAt: null }), times)).toEqual([]);
});

test('the next word is known in advance, so that the clock can wake for it', () => {
  expect(findNextMaintenanceChange({ notices: [planned()], health: READ }, SETTINGS)).toBe(BEGINS - 24 * HOUR);
  expect(
    findNextMaintenanceChange({ notices: [planned({ said: ['reminder 86400000'] })], health: READ }, SETTINGS),
  ).toBe(BEGINS - HOUR);
  expect(findNextMaintenanceChange({ notices: [planned({ closedAt: BEGINS })], health: READ }, SETTINGS)).toBeNull();
});

test('while notices cannot be read nobody knows whether work has begun or ended; a reminder is said all the same', () => {
  const unread: Health = { blind: { notices: { ms: 0, since: 0, why: 'no answer' } }, unreachable: false };
  const late = [BEGINS - HOUR, BEGINS + HOUR, BEGINS + 5 * HOUR];
  expect(strikes(planned(), late, unread)).toEqual(['maintenance.reminder -60']);
  expect(strikes(planned(), late)).toEqual(['maintenance.reminder -60', 'maintenance.late 60']);
  const begun = planned({ state: 'underway', beganAt: BEGINS });
  expect(strikes(begun, late, unread)).toEqual([]);
  expect(strikes(begun, late)).toEqual(['maintenance.overrun 300']);
  expect(findNextMaintenanceChange({ notices: [begun], health: unread }, SETTINGS)).toBeNull();
  const elsewhere: Health = { blind: { components: { ms: 0, since: 0, why: 'no answer' } }, unreachable: false };
  expect(strikes(begun, late, elsewhere)).toEqual(['maintenance.overrun 300']);
});
