/**
 * How every step ends, whatever the kind of source: what was told is promised, what stays open is said again when the
 * clock says so, what was delivered leaves the outbox, and all of it is kept in the one document of the source.
 */
import type { Entered } from '../alert/book.ts';
import { remembered, type Alert } from '../alert/record.ts';
import { isWorthTidying } from '../outbox/bound.ts';
import { withoutSettled, type Entry } from '../outbox/entry.ts';
import type { Message } from '../outbox/message.ts';
import { catchUp, enqueue, stopRinging, type Announced, type EnqueueContext } from '../outbox/enqueue.ts';
import { remind } from '../outbox/reminder.ts';
import { append } from '../transition/long-lists.ts';
import { isSame, type Noise } from './noise.ts';

/** What is kept of every source besides what it is. */
export interface Kept<A extends Alert = Alert> {
  alerts: A[];
  outbox: Entry[];
  /** The highest alert number given here. */
  lastNumber: number;
}

/** What is kept of the source itself. */
export type Own<S> = Omit<S, keyof Kept>;

/** What every step is taken with. */
export interface StepContext extends EnqueueContext {
  /** The next alert number free over all sources. */
  nextNumber: number;
  isSettled(message: Message): boolean;
}

/** What a kind of source has made of an observation. */
export interface Decided<S, A extends Alert, E extends Entered> {
  kept: Own<S>;
  /** Its alerts after the step, and the next number free. */
  book: { readonly alerts: A[]; readonly nextNumber: number };
  entered: E[];
  announced: readonly Announced[];
  /** Alerts that end without a word to people. */
  endedSilently?: readonly A[];
  /** What is said again, and how long it waits for company; null where a reading is told before the clock is heard. */
  reminders: { alerts: readonly A[]; waitMs?: (alert: Alert) => number } | null;
  /** What of it need not be on disk by itself. */
  noise?: Noise<Own<S>>;
}

export interface Stepped<S, E extends Entered = Entered> {
  state: S;
  /** What was told or recorded in this step, in order. */
  entered: E[];
  /** False when nothing but noise differs: then nothing needs to be written. */
  changed: boolean;
  nextNumber: number;
}

export function conclude<S extends Kept<A>, A extends Alert, E extends Entered>(
  before: S,
  decided: Decided<S, A, E>,
  context: StepContext,
): Stepped<Own<S> & Kept<A>, E> {
  const { kept, book, entered, announced, endedSilently = [], reminders, noise } = decided;
  const promised = [...enqueue(announced, book.alerts, context), ...stopRinging(endedSilently, context)];
  if (reminders !== null) {
    append(promised, remind(reminders.alerts, context, reminders.waitMs));
    append(promised, catchUp(book.alerts, context));
  }
  const unsettled = withoutSettled(before.outbox, (message) => context.isSettled(message));
  const alerts = remembered(book.alerts, context.now);
  const state = {
    ...kept,
    alerts,
    outbox: [...unsettled, ...promised],
    lastNumber: Math.max(before.lastNumber, book.nextNumber - 1),
  };
  const changed =
    promised.length > 0 ||
    isWorthTidying(before.outbox, unsettled) ||
    !isSame<object>({ ...before, outbox: null }, { ...state, outbox: null }, noise);
  return { state, entered, changed, nextNumber: book.nextNumber };
}
