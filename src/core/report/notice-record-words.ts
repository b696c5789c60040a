/** Report lines about time known from notices only. */
import { RECORD_MONTHS, type Punctuality } from '../history/notice-record.ts';
import type { Span } from '../history/rows.ts';
import { formatList, toOneLine, formatCount } from '../text/plain.ts';
import { formatRecord } from '../wording/notices/record-wording.ts';
import { formatNoticeState } from '../wording/state-words.ts';
import { formatElapsed } from '../wording/time.ts';
import { formatLateness } from '../wording/notices/told-notice.ts';
import type { NoticeRecord, RecordedNotice } from './notice-records.ts';
import type { ReportReader } from './report-words.ts';

export const RECORD_TITLE = 'By the notices of the page';

type At = ReportReader['at'];

/** Without line ends; lines of a notice are indented by two spaces. */
export function formatRecordLines(
  records: readonly NoticeRecord[],
  { at, called }: Pick<ReportReader, 'at' | 'called'>,
  timezone: string,
): string[] {
  return records.flatMap(({ source, told, notices, punctuality, components }) => [
    ...(told === null ? [] : [`${called(source)}: ${toldText(told, at)}`]),
    ...notices.flatMap((notice) => noticeLines(notice, at)),
    ...(punctuality.incidents === 0 ? [] : [`${called(source)}: ${punctualityText(punctuality)}`]),
    ...components.map((record) => `  ${formatRecord(record, timezone)}`),
  ]);
}

/** Uptime excludes unwatched time. */
function toldText({ since, until }: Span, at: At): string {
  return `${at(since)} to ${at(until)} is known from the notices of the page alone: it was not watched, and uptime does not count it`;
}

/** Title, followed by its details. */
function noticeLines(notice: RecordedNotice, at: At): string[] {
  const { id, type, state, subject, beganAt, endedAt, components } = notice;
  const lasted = beganAt === null || endedAt === null ? '' : ` (${formatElapsed(endedAt - beganAt)})`;
  const [began, ended] = [beganAt, endedAt].map((time) => (time === null ? 'no time' : at(time)));
  const what = [
    ...(type === 'planned' ? ['planned work'] : []),
    formatNoticeState(state).toLowerCase(),
    ...(components.length === 0 ? [] : [formatList(components.map(toOneLine), 5)]),
    ...[formatLateness(notice)].filter((late) => late !== null),
  ];
  return [`  notice ${id}: ${toOneLine(subject)}`, `    ${began} to ${ended}${lasted}`, `    ${what.join('; ')}`];
}

function punctualityText({ incidents, late, afterEnd }: Punctuality): string {
  const rest = [
    ...(late === 0 ? [] : [`${late} published more than 15 min late`]),
    ...(afterEnd === 0 ? [] : [`${afterEnd} published after the end`]),
  ];
  return `${formatCount(incidents, 'incident')} in ${RECORD_MONTHS} months${rest.length === 0 ? ', all published in time' : `, of which ${formatList(rest)}`}`;
}
