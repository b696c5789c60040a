/** Wording of the end of a notice. Any end without a resolve names what remains unknown. */
import { MINUTE } from '../../text/duration.ts';
import { capitalize } from '../../text/plain.ts';
import type { NoticeDetails } from '../../transition/details.ts';
import { formatNoticeClause, quoteNoticeState } from '../state-words.ts';
import { parseInstant, formatElapsed } from '../time.ts';
import { cleanTitle } from '../wording.ts';

/** Automation jitters actual times: a few minutes do not count as early. */
const ON_TIME_WITHIN_MS = 5 * MINUTE;

export const NOT_RESOLVED = 'Ended, not resolved';

interface Ending {
  headline: string;
  sentences: string[];
  allClear: boolean;
  ending?: string;
}

/** `by` is the owner of the notice, as `speaker` names it. */
export function describeEnding(to: string | null, from: string | null, details: NoticeDetails, by: string): Ending {
  const subject = cleanTitle(details.notice.subject);
  if (details.without_resolve === true) {
    return {
      headline: `Closed by ${by} without a resolve: ${subject}`,
      sentences: [
        `${capitalize(by)} has moved the notice to the past; its last state is ${quoteNoticeState(to ?? from)}. It has not said that the trouble is over.`,
      ],
      allClear: false,
      ending: NOT_RESOLVED,
    };
  }
  switch (to) {
    case 'resolved':
      return { headline: `Resolved: ${subject}`, sentences: [], allClear: true };
    case 'complete':
      return { headline: `Maintenance complete: ${subject}`, sentences: describeEarlyEnd(details), allClear: true };
    case 'false_alarm':
      return { headline: `${capitalize(by)} calls it a false alarm: ${subject}`, sentences: [], allClear: true };
    case 'cancelled':
      return describeCancelled(subject, details, by);
    default:
      return details.notice.type === 'unplanned'
        ? {
            headline: `Ended: ${subject} — ${formatNoticeClause(to, by)}`,
            sentences: [],
            allClear: false,
            ending: NOT_RESOLVED,
          }
        : { headline: `Over: ${subject}`, sentences: [], allClear: false, ending: 'Over' };
  }
}

function describeEarlyEnd({ notice: { ends_at: planned, ended_at: actual } }: NoticeDetails): string[] {
  const [until, done] = [parseInstant(planned), parseInstant(actual)];
  if (until === null || done === null || until - done < ON_TIME_WITHIN_MS) return [];
  return [`The work was done ${formatElapsed(until - done)} before its announced end.`];
}

function describeCancelled(subject: string, details: NoticeDetails, by: string): Ending {
  if (details.notice.type !== 'planned') {
    return {
      headline: `Cancelled by ${by}: ${subject}`,
      sentences: [`${capitalize(by)} has cancelled the notice; it has not said that the trouble is resolved.`],
      allClear: false,
      ending: NOT_RESOLVED,
    };
  }
  const when = details.notice.began_at === null ? '' : ' after it had begun';
  return {
    headline: `Maintenance cancelled: ${subject}`,
    sentences: [`${capitalize(by)} has called it off${when}.`],
    allClear: true,
  };
}
