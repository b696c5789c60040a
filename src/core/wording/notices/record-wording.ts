/**
 * Text of a component's record, for the page, the report and messages: `SIP Trunks: 7 incidents in 12 months, median 2
 * h 10 min`.
 */
import type { Message } from '../../outbox/message.ts';
import { formatCount } from '../../text/plain.ts';
import type { RecordDetails } from '../../transition/notice-details.ts';
import type { Transition } from '../../transition/transition.ts';
import { parseInstant, formatElapsed } from '../time.ts';
import { cleanName } from '../wording.ts';

/** Maximum number of components with a line each; the others are counted. */
const NAMED = 3;

export function formatRecord({ name, ...record }: RecordDetails, timezone: string): string {
  return `${cleanName(name)}: ${formatRecordClause(record, timezone)}`;
}

/** Record without the component's name. */
export function formatRecordClause(
  { incidents, months, since, median_ms: median }: Omit<RecordDetails, 'id' | 'name'>,
  timezone: string,
): string {
  const within = months === null ? `since ${formatDay(parseInstant(since), timezone)}` : `in ${months} months`;
  const lasted =
    median === null
      ? ''
      : incidents === 1
        ? `, it lasted ${formatElapsed(median)}`
        : `, median ${formatElapsed(median)}`;
  return `${formatCount(incidents, 'incident')} ${within}${lasted}`;
}

/** The last lines of a new notice's message. A reminder omits them. */
export function formatPastRecords({ changes, reminder }: Message, timezone: string): string[] {
  if (reminder > 0) return [];
  const all = collectRecords(changes.map(({ transition }) => transition));
  const left = all.length - NAMED;
  return [
    ...all.slice(0, NAMED).map((record) => formatRecord(record, timezone)),
    ...(left > 0 ? [`and ${formatCount(left, 'component')} more with incidents before`] : []),
  ];
}

/** Records in new notices, each component once. */
export function collectRecords(transitions: readonly Transition[]): RecordDetails[] {
  const records = transitions.flatMap((transition) =>
    transition.kind === 'notice.opened' ? (transition.details.record ?? []) : [],
  );
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

function formatDay(at: number | null, timezone: string): string {
  if (at === null) return 'the watch began';
  return new Intl.DateTimeFormat('en-AU', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: timezone,
  }).format(at);
}
