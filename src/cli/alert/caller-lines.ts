/** Callers who were not answered, for `calls missed` and `alert show`. */
import { formatCount, toOneLine } from '../../core/text/plain.ts';
import type { MissedReport } from '../../core/view/standing/calls-view.ts';
import { formatCalledBack, formatCaller, formatLowerBound } from '../../core/wording/phones/calls-wording.ts';
import { parseInstant, formatTimeWindow } from '../../core/wording/time.ts';
import type { ReaderTime } from '../time-text.ts';

/** `called`: name of the account for people. */
export function formatCallerLines({ missed, unread }: MissedReport, called: string, reader: ReaderTime): string[] {
  const { total, waiting, called_back: back, withheld, misdialled } = missed;
  const [from, to] = [parseInstant(missed.since), parseInstant(missed.until)];
  const span = formatTimeWindow(from, to, reader.timezone, reader.now);
  return [
    `${toOneLine(called)}: ${waiting} of ${formatCount(total, 'caller')} still ${waiting === 1 ? 'waits' : 'wait'} (${span})`,
    ...missed.callers.map((caller) => `    ${formatCaller(caller, missed.country, reader)}`),
    ...(back === 0 ? [] : [`  ${formatCalledBack(missed)}`]),
    ...(withheld === 0 ? [] : [`  ${formatCount(withheld, 'call')} came from withheld numbers.`]),
    ...(misdialled === 0 ? [] : [`  ${formatCount(misdialled, 'call')} rang for less than 5 seconds.`]),
    `  ${formatLowerBound(missed)}`,
    ...unread.map((one) => `  Not read: ${one}`),
  ];
}
