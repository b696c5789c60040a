/**
 * Keeps values of a receiver's first response that later messages of an alert need: a ticket number, or a message's
 * timestamp. They are saved for each receiver and alert with the delivery. A crash in between loses them: the message
 * is sent again, and the newer response counts.
 */
import type { Conversation, Message } from './message.ts';

export interface KeptConversation {
  /** Id of the alert. */
  alert: string;
  kept: Conversation;
  /** The alert has ended; it may reopen. */
  ended?: true;
}

/** Limits the size: each is some 150 bytes of a document that is written with every delivery. */
const MOST_ENDED = 100;
const MOST = 1000;
/** Longer values are not kept, so that each alert and receiver takes less than 300 bytes. */
const MOST_LETTERS = 200;

/** Adds the stored values of the message's alert, if there are any. */
export function withConversation(message: Message, known: readonly KeptConversation[] = []): Message {
  const conversation = known.find(({ alert }) => alert === message.alert.id)?.kept;
  return conversation === undefined ? message : { ...message, conversation };
}

/**
 * Stored values after these messages were sent, the latest last. `keep`: new values from the response; empty to delete.
 */
export function updateConversations(
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
