/** Reports that stand still, boxes with old messages, and how both are shown. */
import { expect, test } from 'vitest';
import {
  type CallsMemory,
  type CallsObservation,
  compareCalls,
  NO_CALLS,
} from '../../../src/core/calls/call-findings.ts';
import { judgeReports } from '../../../src/core/calls/judge-calls.ts';
import { findFullBoxes } from '../../../src/core/calls/mailboxes.ts';
import { findStillReports } from '../../../src/core/calls/still-reports.ts';
import { CALL_KINDS, type Call, type Line, type SelectCalls } from '../../../src/core/calls/call-model.ts';
import { formatBoxes, formatUnreadReports, toCallsView } from '../../../src/core/view/standing/calls-view.ts';
import { callOf, MELBOURNE, NOON } from '../calls/call-stories.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const LOOK = { now: NOON, timezone: MELBOURNE, knownSince: () => NOON - 60 * DAY };

/** Twelve calls in the four hours before the same time of so many weeks ago. */
function weeks(...ago: number[]): Call[] {
  return ago.flatMap((week) =>
    Array.from({ length: 12 }, (_, index) => callOf('answered', -week * 7 * DAY - 4 * HOUR + 60 + index * 1000)),
  );
}

function byEnd(calls: Call[]): SelectCalls {
  const sorted = calls.toSorted((a, b) => a.ended - b.ended);
  return ({ kinds = CALL_KINDS, from = 0, to = Infinity } = {}) =>
    sorted.filter(({ kind, ended }) => kinds.includes(kind) && ended >= from && ended < to);
}

test('a report stands still when each of four weeks had calls and now there are none', () => {
  const last = callOf('answered', -5 * HOUR);
  const found = findStillReports(byEnd([...weeks(1, 2, 3, 4), last]), LOOK);
  expect(found).toEqual([{ kind: 'answered', since: last.ended }]);
});

test('a pause of a report is reported once, and the next one again', () => {
  const observe = (memory: CallsMemory, last: Call, now: number) => {
    const still = findStillReports(byEnd([...weeks(1, 2, 3, 4), last]), { ...LOOK, now });
    const observation: CallsObservation = { kind: 'calls', findings: judgeReports(still, now * 1000), judged: [] };
    return compareCalls(memory, observation, now * 1000);
  };
  const last = callOf('answered', -5 * HOUR);
  const first = observe(NO_CALLS, last, NOON);
  expect(first.drafts).toMatchObject([
    { group: null, draft: { kind: 'calls.stale', subject: 'calls/answered', from: null, to: 4 } },
  ]);
  const again = observe(first.memory, last, NOON + 60);
  expect(again.drafts).toEqual([]);
  const resumed = observe(again.memory, callOf('answered', -HOUR), NOON);
  expect(resumed.drafts).toEqual([]);
  expect(observe(resumed.memory, callOf('answered', -4.5 * HOUR), NOON).drafts).toHaveLength(1);
});

test('it does not where a week had few calls, where one has come, or while its past is not known', () => {
  expect(findStillReports(byEnd(weeks(1, 2, 3)), LOOK)).toEqual([]);
  expect(findStillReports(byEnd([...weeks(1, 2, 3, 4), callOf('answered', -HOUR)]), LOOK)).toEqual([]);
  const unknown = { ...LOOK, knownSince: () => NOON - 20 * DAY };
  expect(findStillReports(byEnd(weeks(1, 2, 3, 4)), unknown)).toEqual([]);
});

function lineOf(extension: string, hasMail: boolean): Line {
  return { extension, id: extension, callerId: '', hasMail, international: false };
}

test('a box is full of what is older than a day where no mail is sent of it', () => {
  const mails = ['1001', '1002', '1003'].flatMap((box) => [
    { uuid: `${box}-1`, at: NOON - 30 * HOUR, box, from: '0412345209' },
    { uuid: `${box}-2`, at: NOON - HOUR, box, from: '0412345209' },
  ]);
  const lines = [lineOf('1001', false), lineOf('1002', true)];
  expect(findFullBoxes(mails, lines, NOON)).toEqual([{ box: '1001', messages: 2, oldest: NOON - 30 * HOUR }]);
  expect(
    findFullBoxes(
      mails.filter(({ at }) => at > NOON - DAY),
      lines,
      NOON,
    ),
  ).toEqual([]);
  expect(findFullBoxes(mails, null, NOON)).toEqual([]);
});

test('what lacks is a line each, and says whether the account has it', () => {
  const boxes = [{ box: '1001', messages: 14, oldest: NOON - 30 * HOUR }];
  const standing = { missed: 'not available', outgoing: 'unread', answered: 'read' } as const;
  const view = toCallsView(standing, [{ kind: 'answered', since: NOON - 5 * HOUR }], boxes);
  expect(formatUnreadReports(view, MELBOURNE, NOON * 1000)).toEqual([
    'missed calls: not available for this account',
    'outgoing calls: could not be read',
    expect.stringMatching(/^answered calls: nothing new since .*08:00.*, although there should be calls$/) as string,
  ]);
  expect(formatBoxes(view, MELBOURNE, NOON * 1000)).toEqual([
    expect.stringMatching(/^14 messages in the box 1001, the oldest of .*07:00.*; no mail is sent of them$/) as string,
  ]);
});
