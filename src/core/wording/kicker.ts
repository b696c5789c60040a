/** The line below a headline: number, severity, kind of message, and customers. */
import type { RouteEvent } from '../alert/route.ts';
import type { Message } from '../outbox/message.ts';
import type { Severity } from '../transition/kind.ts';
import { append } from '../transition/collections.ts';
import { formatList } from '../text/plain.ts';
import { isMerge } from './phones/merged-losses.ts';

const SEVERITY_LABEL: Readonly<Record<Severity, string>> = { info: 'Info', warning: 'Warning', critical: 'Critical' };

/**
 * The message comes after the end of its alert: a review, a correction, an incident first seen after its end, a source
 * that was removed from the configuration.
 */
export function isAfterwards({ alert }: Message, status: RouteEvent): boolean {
  return alert.resolvedAt !== null && (status === 'updated' || status === 'info');
}

export function formatKicker(
  message: Message,
  status: RouteEvent,
  { ending, names }: { ending: string; names: readonly string[] },
): string {
  const { alert, reminder } = message;
  const severity = SEVERITY_LABEL[alert.severity];
  const parts = alert.number === null ? [] : [formatNumbers(alert.number, message)];
  const was = alert.severity === 'info' ? [] : [`was ${severity.toLowerCase()}`];
  if (status === 'resolved') append(parts, [ending, ...was]);
  else if (isAfterwards(message, status)) {
    append(parts, [selectOverLabel(message), ...was, ...(status === 'info' ? [] : ['Update'])]);
  } else if (reminder > 0) parts.push(severity, `Reminder ${reminder}`);
  else if (status === 'info') parts.push(severity === 'Info' ? 'For information' : severity);
  else if (isMerge(message)) parts.push('Merged');
  else parts.push(severity, status === 'opened' ? selectOpeningLabel(message) : 'Update');
  return [...parts, formatList(names, 2)].join(' · ');
}

/** Maximum number of merged alerts named. */
const MERGED_NAMED = 10;

/** `#3`, or `#3, with #4 and #5` if those were merged into it. */
function formatNumbers(number: number, { seen }: Message): string {
  const merged = seen?.merged ?? [];
  if (merged.length === 0) return `#${number}`;
  return `#${number}, with ${formatList(
    merged.map((one) => `#${one}`),
    MERGED_NAMED,
  )}`;
}

/** An alert of a removed source ends here, while its state there is unknown. */
function selectOverLabel({ changes }: Message): string {
  return changes.some(({ transition }) => transition.kind === 'linewatch.config') ? 'Ended' : 'Over';
}

/** An alert that opens is new only for receivers that have not been notified of it. */
function selectOpeningLabel(message: Message): string {
  if (message.first) return 'New';
  return isOpenAgain(message) ? 'Open again' : 'Update';
}

/** The alert had ended for its reader, and opens again with this message. */
export function isOpenAgain({ first, reminder, changes, seen }: Message): boolean {
  // An end in the same message was not sent before: to the reader the alert went on.
  if (first || reminder > 0 || changes.some(({ status }) => status === 'resolved')) return false;
  return changes.some(
    ({ transition, status }) =>
      transition.kind === 'notice.reopened' ||
      (status === 'open' && seen?.reopenedAt !== undefined && transition.at >= seen.reopenedAt),
  );
}
