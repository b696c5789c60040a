/**
 * Later messages about an alert may need something of the answer to its first: the number of a ticket, the timestamp of a
 * message. It is kept for each receiver and alert, and settled with the delivery. A crash in between loses it: the message
 * goes out again, and the newer answer counts.
 */
import type { Conversation, Message } from './message.ts';

export interface KeptConversation {
  /** Id of the alert. */
  alert: string;
  kept: Conversation;
  /** The alert has ended; it may reopen. */
  ended?: true;
}

/** Each is some 150 bytes of a document that is written with every delivery. */
const MOST_ENDED = 100;
const MOST = 1000;
/** A longer answer is not kept: the whole stays below 300 bytes for an alert and a receiver. */
const MOST_LETTERS = 200;

/** The message with its conversation, where its alert has one. */
export function withConversation(message: Message, known: readonly KeptConversation[] = []): Message {
  const conversation = known.find(({ alert }) => alert === message.alert.id)?.kept;
  return conversation === undefined ? message : { ...message, conversation };
}

/** The conversations after these were sent; `keep` is what the answer said, empty to forget. The latest last. */
export function conversationsAfter(
  known: readonly KeptConversation[],
  sent: readonly Message[],
  keep: Conversation | undefined,
): KeptConversation[] {
  const conversations = new Map(known.map((one) => [one.alert, one]));
  for (const { alert } of sent) {
    const kept = keep ?? conversations.get(alert.id)?.kept;
    if (kept === undefined) continue;
    conversations.delete(alert.id);
    const letters = Object.entries(kept).flat().join('').length;
    if (letters === 0 || letters > MOST_LETTERS) continue;
    conversations.set(alert.id, { alert: alert.id, kept, ...(alert.resolvedAt !== null && { ended: true as const }) });
  }
  const all = [...conversations.values()];
  const ended = new Set(all.filter((one) => one.ended).slice(0, -MOST_ENDED));
  return all.filter((one) => !ended.has(one)).slice(-MOST);
}
