/** A message tells one receiver once what changed about one alert. */
import type { AlertView, Change } from '../alert/alert.ts';
import type { AlertFacts } from '../correlation/alert-facts.ts';
import type { SeenAlert } from '../alert/shared-alert.ts';
import type { SourceOutage } from '../alert/source-outage.ts';
import { hashIdentity, isAcknowledgement } from '../transition/transition.ts';

export interface Message extends Omit<Addressee, 'dueAt'> {
  /** Hash of alert, transitions, receiver and reminder number: the same on every attempt. */
  id: string;
  /** State of the alert after the changes. */
  alert: AlertView;
  /** In order; never empty. */
  changes: readonly Change[];
  /** 0, or the number of the reminder. */
  reminder: number;
  /** Escalated to this receiver because the alert was not acknowledged for this long, in milliseconds. */
  escalatedMs?: number;
  /** Time at which it was enqueued, epoch milliseconds. */
  promisedAt: number;
  /** Earliest time to send, epoch milliseconds. */
  dueAt: number;
  /** Quiet hours postponed it; set when the present route computes `dueAt`. */
  quiet?: boolean;
  /** Number of earlier messages of the same alert that it replaces, when a backlog was coalesced. */
  replaces: number;
  /**
   * Silences that mute a part of the alert; the message is sent because the alert affects more. Set when it is sent.
   */
  silenced?: readonly { matchers: Readonly<Record<string, readonly string[]>>; until: number }[];
  /** Ids of all its alerts, if several were folded into it. */
  alerts?: readonly string[];
  /** View of its alert for the people who read it; set when it is sent. */
  seen?: SeenAlert;
  /** View of its alert for programs; set when it is sent. */
  facts?: AlertFacts;
  /**
   * All unreachable sources of its alert, set when it is sent; absent if its receiver is routed fewer than two of them.
   */
  outage?: SourceOutage;
  /** Values kept from earlier responses about its alert; set when it is sent. */
  conversation?: Conversation;
  /** Delayed because the receiver failed. */
  receiverFailed?: boolean;
  /** Lead of the wall clock over the other when it was first seen here, in milliseconds. */
  apartMs?: number;
  /** By how much the wall clock has jumped since then; set when it is sent. */
  jumpedMs?: number;
  /** Time that silences have muted it since it was due, in milliseconds; set when it is sent. */
  heldMs?: number;
  /** The disk failed, so the message exists in memory only. */
  unsaved: boolean;
}

/** Values that a receiver's later requests about an alert need, by name. */
export type Conversation = Readonly<Record<string, string | number>>;

export interface Addressee {
  receiver: string;
  /** Opens the thread about the alert with this receiver. */
  first: boolean;
  /** Earliest time to send, epoch milliseconds, without quiet hours: the present route adds those when it is sent. */
  dueAt: number;
  /** Subject of the thread with this receiver: the alert's title when it opened. */
  subject?: string;
  /** Id of another alert that reports its losses from now on: a message about that one says the same. */
  into?: string;
}

/**
 * Entry of the outbox: changes for some receivers. It is saved with the snapshot that caused it; each addressee's part
 * becomes one message.
 */
export interface Entry extends Pick<Message, 'alert' | 'reminder' | 'escalatedMs' | 'promisedAt'> {
  changes: Change[];
  to: Addressee[];
}

/** Memoised by identity: entries are immutable, and hashing ids dominates a walk through a long outbox. */
const known = new WeakMap<Entry, readonly Message[]>();

/** One message for each addressee, in their order. */
export function listMessages(entry: Entry): readonly Message[] {
  const messages = known.get(entry) ?? toMessages(entry);
  known.set(entry, messages);
  return messages;
}

function toMessageId(entry: Entry, receiver: string): string {
  const transitions = entry.changes.map((change) => change.transition.id);
  return hashIdentity('message', entry.alert.id, transitions, receiver, entry.reminder);
}

function toMessages(entry: Entry): Message[] {
  return entry.to.map(({ receiver, first, dueAt, subject, into }) => ({
    id: toMessageId(entry, receiver),
    receiver,
    alert: entry.alert,
    changes: entry.changes,
    reminder: entry.reminder,
    ...(entry.escalatedMs !== undefined && { escalatedMs: entry.escalatedMs }),
    promisedAt: entry.promisedAt,
    dueAt,
    ...(subject !== undefined && { subject }),
    ...(into !== undefined && { into }),
    first,
    replaces: 0,
    unsaved: false,
  }));
}

/** Removes settled addressees, and entries without any left. Unchanged entries stay the same objects. */
export function withoutSettled(entries: readonly Entry[], isSettled: (message: Message) => boolean): Entry[] {
  return entries.flatMap((entry) => {
    const left = listMessages(entry).filter((message) => !isSettled(message));
    if (left.length === 0) return [];
    if (left.length === entry.to.length) return [entry];
    const receivers = new Set(left.map(({ receiver }) => receiver));
    return [{ ...entry, to: entry.to.filter(({ receiver }) => receivers.has(receiver)) }];
  });
}

/** One request to a receiver, and the ids of the messages it settles. */
export interface Sending {
  messages: Message[];
  settles: string[];
  /** Alerts it is about, as `topic` names them. */
  topics: string[];
}

/** Builds a sending of `messages` that settles `promised`. */
export function createSending(messages: readonly Message[], promised: readonly Message[]): Sending {
  const settles = promised.map(({ id }) => id);
  return { messages: [...messages], settles, topics: [...new Set(promised.map(findTopic))] };
}

/**
 * Longest wait of a summary without problems for other sources: a page of 1,000 components, the largest known, is read
 * in 10 s.
 */
export const SUMMARY_WAITS_MS = 30_000;

/** Sources that start together share one summary. */
export function isSummary(message: Message): boolean {
  return (
    message.alert.number === null && message.changes.every(({ transition }) => transition.kind === 'source.baseline')
  );
}

/** The message contains acknowledgements only. */
export function isOnlyAcknowledged({ changes }: Pick<Message, 'changes'>): boolean {
  return changes.every(({ transition }) => isAcknowledgement(transition));
}

/** The open alert is acknowledged, and has not worsened since: no phone needs to ring. */
export function isInHand(message: Message): boolean {
  if (message.alert.resolvedAt !== null) return false;
  return message.seen?.acknowledged === true || isOnlyAcknowledged(message);
}

/** Messages with the same topic share one message: an alert, or the summary of a start. */
export function findTopic(message: Message): string {
  return isSummary(message) ? 'summary' : message.alert.id;
}

/** Alert ids for a message that folds several alerts; empty for one alert. */
export function listFoldedAlerts(messages: readonly Message[]): Pick<Message, 'alerts'> {
  const numbered = messages.filter(({ alert }) => alert.number !== null);
  const alerts = [...new Set(numbered.map(({ alert }) => alert.id))];
  return alerts.length > 1 ? { alerts } : {};
}
