/**
 * An entry of the outbox is a set of changes promised to some receivers. It is written with the snapshot
 * that caused it, and each receiver's part of it becomes one message.
 */
import type { AlertView, Change } from '../alert/alert.ts';
import { identity } from '../transition/transition.ts';
import type { Message } from './message.ts';

export interface Addressee {
  receiver: string;
  /** This opens the conversation about the alert with this receiver. */
  first: boolean;
  /** It waits for company until then, epoch milliseconds; quiet hours are those of its route when it goes out. */
  dueAt: number;
  /** What the conversation is called. */
  subject?: string;
}

export interface Entry {
  alert: AlertView;
  changes: Change[];
  /** 0, or the number of this reminder. */
  reminder: number;
  promisedAt: number;
  to: Addressee[];
}

/** An entry never changes, and making ids is most of the work of looking through a long outbox. */
const known = new WeakMap<Entry, readonly Message[]>();

/** One message for each addressee, in their order. */
export function messagesOf(entry: Entry): readonly Message[] {
  const messages = known.get(entry) ?? toMessages(entry);
  known.set(entry, messages);
  return messages;
}

function messageId(entry: Entry, receiver: string): string {
  const transitions = entry.changes.map((change) => change.transition.id);
  return identity('message', entry.alert.id, transitions, receiver, entry.reminder);
}

function toMessages(entry: Entry): Message[] {
  return entry.to.map(({ receiver, first, dueAt, subject }) => ({
    id: messageId(entry, receiver),
    receiver,
    alert: entry.alert,
    changes: entry.changes,
    reminder: entry.reminder,
    promisedAt: entry.promisedAt,
    dueAt,
    ...(subject !== undefined && { subject }),
    first,
    replaces: 0,
    unsaved: false,
  }));
}

/** Drops what every addressee has settled. Returns the same list when there is nothing to drop. */
export function withoutSettled(entries: readonly Entry[], isSettled: (message: Message) => boolean): Entry[] {
  return entries.flatMap((entry) => {
    const left = new Set(messagesOf(entry).flatMap((message) => (isSettled(message) ? [] : [message.receiver])));
    if (left.size === 0) return [];
    return left.size === entry.to.length
      ? [entry]
      : [{ ...entry, to: entry.to.filter(({ receiver }) => left.has(receiver)) }];
  });
}
