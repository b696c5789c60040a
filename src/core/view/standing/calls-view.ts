/** Calls of an account for `status`, page and digest: missing reports, and boxes with old messages. */
import { CALL_REPORTS } from '../../alert/calls-titles.ts';
import type { StillReport } from '../../calls/still-reports.ts';
import type { FullBox } from '../../calls/mailboxes.ts';
import { SECOND } from '../../text/duration.ts';
import { formatCount, toOneLine } from '../../text/plain.ts';
import type { MissedDetails } from '../../transition/call-details.ts';
import { toTimestamp, type Timestamp } from '../../transition/details.ts';
import { maskMissed } from '../../transition/mask-transition.ts';
import { formatNumber } from '../../text/phone-number.ts';
import type { Cell } from '../../text/csv.ts';
import { formatShortTime } from '../../wording/time.ts';
import type { CallsView } from '../status-schema.ts';

export function toCallsView(
  standing: Readonly<Record<string, 'read' | 'unread' | 'not available'>>,
  still: readonly StillReport[],
  boxes: readonly FullBox[],
): CallsView {
  return {
    unread: Object.entries(standing).flatMap(([report, how]) =>
      how === 'read' ? [] : [{ report, is_missing: how === 'not available' }],
    ),
    still: still.map(({ kind, since }) => ({ report: kind, since: since === null ? null : stampOf(since) })),
    boxes: boxes.map(({ box, messages, oldest }) => ({ box, messages, oldest: stampOf(oldest) })),
  };
}

function stampOf(seconds: number): Timestamp {
  return toTimestamp(seconds * SECOND) ?? '';
}

const NAMES: Readonly<Record<string, string>> = {
  ...CALL_REPORTS,
  diverted: 'calls to outside numbers',
  'charges outgoing': 'charges of outgoing calls',
  'charges collection': 'charges of collection calls',
  mails: 'voicemail',
  skillsets: 'skillsets',
  lines: 'extensions',
};

/** Problems of the reports of calls, a line each. */
export function formatUnreadReports({ unread, still }: CallsView, timezone: string, now: number): string[] {
  const named = (report: string): string => NAMES[report] ?? toOneLine(report);
  return [
    ...unread.map(({ report, is_missing: isMissing }) =>
      isMissing ? `${named(report)}: not available for this account` : `${named(report)}: could not be read`,
    ),
    ...still.map(({ report, since }) =>
      since === null
        ? `${named(report)}: nothing new, although there should be calls`
        : `${named(report)}: nothing new since ${formatShortTime(Date.parse(since), timezone, now)}, although there should be calls`,
    ),
  ];
}

/** `14 messages in the box 1002, the oldest of Wed 09:12; no mail is sent of them` */
export function formatBoxes({ boxes }: CallsView, timezone: string, now: number): string[] {
  return boxes.map(
    ({ box, messages, oldest }) =>
      `${formatCount(messages, 'message')} in the box ${toOneLine(box)}, the oldest of ` +
      `${formatShortTime(Date.parse(oldest), timezone, now)}; no mail is sent of them`,
  );
}

/** Callers of one account who were not answered, with full numbers until they are masked. */
export interface MissedReport {
  source: string;
  missed: MissedDetails;
  /** Problems of reports, a line each. */
  unread: string[];
}

export function maskReport(report: MissedReport): MissedReport {
  return { ...report, missed: maskMissed(report.missed) };
}

export const CALLER_HEADINGS = ['account', 'number', 'times', 'called', 'left a message', 'called back'];

/** `called`: name of the account for people. */
export function toCallerRows({ missed }: MissedReport, called: string): Cell[][] {
  return missed.callers.map((caller) => [
    called,
    formatNumber(caller.number, missed.country),
    caller.times.join(' '),
    caller.called.map((number) => formatNumber(number, missed.country)).join(' '),
    caller.left_message ? 'yes' : 'no',
    caller.called_back ? 'yes' : 'no',
  ]);
}
