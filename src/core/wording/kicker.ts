/** The line below a headline: the number of the alert, how bad it is, what kind of message this is, and whose it is. */
import type { RouteEvent } from '../alert/route.ts';
import type { Message } from '../outbox/message.ts';
import type { Severity } from '../transition/kind.ts';
import { append } from '../transition/collections.ts';
import { formatList } from '../text/plain.ts';
import { isMerge } from './phones/merged-losses.ts';

const SEVERITY_LABEL: Readonly<Record<Severity, string>> = { info: 'Info', warning: 'Warning', critical: 'Critical' };

/**
 * Its alert is over and this comes afterwards: a review, a correction, trouble that was over before we saw it, a
 * source that is no longer watched.
 */
export function isAfterwards({ alert }: Message, status: RouteEvent): boolean {
  return alert.resolvedAt !== null && (status === 'updated' || status === 'info');
}

export function kicker(
  message: Message,
  status: RouteEvent,
  { ending, names }: { ending: string; names: readonly string[] },
): string {
  const { alert, reminder } = message;
  const severity = SEVERITY_LABEL[alert.severity];
  const parts = alert.number === null ? [] : [numbersOf(alert.number, message)];
  const was = alert.severity === 'info' ? [] : [`was ${severity.toLowerCase()}`];
  if (status === 'resolved') append(parts, [ending, ...was]);
  else if (isAfterwards(message, status)) {
    append(parts, [over(message), ...was, ...(status === 'info' ? [] : ['Update'])]);
  } else if (reminder > 0) parts.push(severity, `Reminder ${reminder}`);
  else if (status === 'info') parts.push(severity === 'Info' ? 'For information' : severity);
  else if (isMerge(message)) parts.push('Merged');
  else parts.push(severity, status === 'opened' ? opening(message) : 'Update');
  return [...parts, formatList(names, 2)].join(' · ');
}

/** More numbers than these are counted. */
const MERGED_NAMED = 10;

/** `#3`, and `#3, with #4 and #5` where those became part of it. */
function numbersOf(number: number, { seen }: Message): string {
  const merged = seen?.merged ?? [];
  if (merged.length === 0) return `#${number}`;
  return `#${number}, with ${formatList(
    merged.map((one) => `#${one}`),
    MERGED_NAMED,
  )}`;
}

/** With its source an alert ends for us alone: how it goes on there nobody tells us any more. */
function over({ changes }: Message): string {
  return changes.some(({ transition }) => transition.kind === 'linewatch.config') ? 'Ended' : 'Over';
}

/** What opens is new only to those who have not heard of its alert before. */
function opening({ first, changes }: Message): string {
  if (first) return 'New';
  return changes.some(({ transition }) => transition.kind === 'notice.reopened') ? 'Open again' : 'Update';
}
