/**
 * A message is one promise to one receiver: what changed about one alert, to be said once.
 */
import type { AlertView, Change } from '../alert/alert.ts';
import type { AlertFacts } from '../alert/alert-facts.ts';
import type { SeenAlert } from '../alert/shared-alert.ts';
import type { SourceOutage } from '../alert/source-outage.ts';
import { hashIdentity } from '../transition/transition.ts';

export interface Message {
  /** Hash of alert, transitions, receiver and reminder number: the same on every attempt. */
  id: string;
  receiver: string;
  /** The alert as it stood after the changes. */
  alert: AlertView;
  /** In order; never empty. */
  changes: readonly Change[];
  /** 0, or the number of this reminder. */
  reminder: number;
  /** Its receiver gets it only since the alert was not acknowledged for so long, in milliseconds. */
  escalatedMs?: number;
  /** When it was promised, epoch milliseconds. */
  promisedAt: number;
  /** Not to be sent before, epoch milliseconds. */
  dueAt: number;
  /** It is due only then since quiet hours put it off; known when it is dated by the route of today. */
  quiet?: boolean;
  /** What the conversation with this receiver is called: the alert's title as it was when it opened. */
  subject?: string;
  /** True when this opens the conversation about the alert with this receiver. */
  first: boolean;
  /** How many earlier messages of the same alert this one stands for, when a backlog was coalesced. */
  replaces: number;
  /** Silences for a part of what it is about, which goes out since it hits more; known when it goes out. */
  silenced?: readonly { matchers: Readonly<Record<string, readonly string[]>>; until: number }[];
  /** The ids of all alerts it speaks of, where several were folded into one message. */
  alerts?: readonly string[];
  /** What its alert is to this reader; known when it goes out. */
  seen?: SeenAlert;
  /** What its alert is to a program; known when it goes out. */
  facts?: AlertFacts;
  /** All sources that cannot be read by its alert, known when it goes out; absent where its receiver reads of fewer than two. */
  outage?: SourceOutage;
  /** What its receiver kept of earlier messages about its alert; known when it goes out. */
  conversation?: Conversation;
  /** It waited because the receiver did not take messages. */
  receiverFailed?: boolean;
  /** For how long silences have muted it since it was due, in milliseconds; known when it goes out. */
  heldMs?: number;
  /** True when the disk refused and the promise lives in memory only. */
  unsaved: boolean;
}

/** What a receiver's later requests about an alert need, by name. */
export type Conversation = Readonly<Record<string, string | number>>;

export interface Addressee {
  receiver: string;
  /** This opens the conversation about the alert with this receiver. */
  first: boolean;
  /** It waits for company until then, epoch milliseconds; quiet hours are those of its route when it goes out. */
  dueAt: number;
  /** What the conversation is called. */
  subject?: string;
}

/**
 * An entry of the outbox is a set of changes promised to some receivers. It is written with the snapshot
 * that caused it, and each receiver's part of it becomes one message.
 */
export interface Entry {
  alert: AlertView;
  changes: Change[];
  /** 0, or the number of this reminder. */
  reminder: number;
  /** As that of its messages. */
  escalatedMs?: number;
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
  return hashIdentity('message', entry.alert.id, transitions, receiver, entry.reminder);
}

function toMessages(entry: Entry): Message[] {
  return entry.to.map(({ receiver, first, dueAt, subject }) => ({
    id: messageId(entry, receiver),
    receiver,
    alert: entry.alert,
    changes: entry.changes,
    reminder: entry.reminder,
    ...(entry.escalatedMs !== undefined && { escalatedMs: entry.escalatedMs }),
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
    const left = messagesOf(entry).filter((message) => !isSettled(message));
    if (left.length === 0) return [];
    if (left.length === entry.to.length) return [entry];
    const receivers = new Set(left.map(({ receiver }) => receiver));
    return [{ ...entry, to: entry.to.filter(({ receiver }) => receivers.has(receiver)) }];
  });
}

/** One sending and the messages it settles. */
export interface Sending {
  messages: Message[];
  settles: string[];
  /** What it is about. */
  topics: string[];
}

/** Of what is told in one sending, `promised` is settled with it. */
export function sendingOf(messages: readonly Message[], promised: readonly Message[]): Sending {
  const settles = promised.map(({ id }) => id);
  return { messages: [...messages], settles, topics: [...new Set(promised.map(topic))] };
}

/** Sources that start together share one summary. */
export function isSummary(message: Message): boolean {
  return (
    message.alert.number === null && message.changes.every(({ transition }) => transition.kind === 'source.baseline')
  );
}

/** What is told in one message, and waits as one: an alert, or the summary of a start. */
export function topic(message: Message): string {
  return isSummary(message) ? 'summary' : message.alert.id;
}

/** The alerts that are told in one message, where it is not that of one alone. */
export function foldedOf(messages: readonly Message[]): Pick<Message, 'alerts'> {
  const numbered = messages.filter(({ alert }) => alert.number !== null);
  const alerts = [...new Set(numbered.map(({ alert }) => alert.id))];
  return alerts.length > 1 ? { alerts } : {};
}
