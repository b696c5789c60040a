/** Ends of the threads that people read. */
import type { Message } from '../../src/core/outbox/message.ts';

/**
 * Null where the thread of an alert ends in these messages of one receiver: its last message reports the end, or that its
 * losses are part of another alert, whose thread ends after that. Else a sentence about the last message.
 */
export function findMissingEnd(messages: readonly Message[], alert: string): string | null {
  const last = messages.findLastIndex((message) => message.alert.id === alert);
  const message = messages[last];
  if (message === undefined) return `nothing was sent about ${alert}`;
  if (message.alert.resolvedAt !== null) return null;
  const into = message.changes.flatMap(({ transition: { details } }) =>
    'goes_on_in' in details && details.goes_on_in !== undefined ? [details.goes_on_in] : [],
  );
  const kinds = message.changes.map(({ transition }) => transition.kind).join(', ');
  if (into.length === 0) return `the last message about #${message.alert.number} is ${kinds}`;
  const later = messages.slice(last);
  const [missing = null] = into.flatMap((larger) => findMissingEnd(later, larger.alert) ?? []);
  return missing;
}
