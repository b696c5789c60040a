/**
 * Records of the history. A record is saved with the state that caused it until the history acknowledges it. Its id
 * stays the same on every retry, so it is written once.
 */
import type { Alert, AlertView } from '../alert/alert.ts';
import type { Message } from '../outbox/message.ts';
import type { Status } from '../transition/kind.ts';
import { maskTransition } from '../transition/mask-transition.ts';
import { hashIdentity, type Transition } from '../transition/transition.ts';

/** A transition and its alert right after it; null for a transition that opens no alert. */
export interface TransitionRecord {
  transition: Transition;
  status: Status;
  alert: Pick<AlertView, 'id' | 'number' | 'severity' | 'title'> | null;
}

/** Outcome of one message in one attempt. */
export interface DeliveryRecord {
  id: string;
  /** End of the attempt, epoch milliseconds. */
  at: number;
  receiver: string;
  message: string;
  source: string;
  /** Id and number of its alert; the number is null for a message without an alert. */
  alert: string;
  number: number | null;
  /** `transient` outcomes are retried, `permanent` ones are not. */
  outcome: 'delivered' | 'transient' | 'permanent';
  /** Response of the receiver, or the reason of the failure. */
  detail: string;
  /** Recipients of this attempt; empty unless the receiver has several recipients. */
  recipients: readonly string[];
  promisedAt: number;
  /** Earliest time to send, epoch milliseconds. */
  dueAt: number;
  /** 0, or the number of the reminder. */
  reminder: number;
  /** Ids of the transitions in the message. */
  transitions: readonly string[];
}

/** A history that is down for long must not let the state grow forever: the oldest records are dropped. */
const MOST_UNRECORDED = 2_000;

/** Records that the history has not acknowledged, and the new ones; oldest first. */
export function mergeUnrecorded<R>(
  before: readonly R[] | undefined,
  added: readonly R[],
  isRecorded: (record: R) => boolean,
): R[] {
  return [...(before ?? []).filter((record) => !isRecorded(record)), ...added].slice(-MOST_UNRECORDED);
}

/** Joins a transition with the present state of its alert; null for a transition without one. */
export function toTransitionRecord(transition: Transition, status: Status, alert: Alert | null): TransitionRecord {
  // The history keeps no telephone numbers.
  const masked = maskTransition(transition);
  if (alert === null) return { transition: masked, status, alert: null };
  const { id, number, severity, title } = alert;
  return { transition: masked, status, alert: { id, number, severity, title } };
}

/** Outcome of one attempt, a record for each message. */
export function toDeliveryRecords(
  messages: readonly Message[],
  attempt: Pick<DeliveryRecord, 'at' | 'receiver' | 'outcome' | 'detail' | 'recipients'>,
): DeliveryRecord[] {
  return messages.map(({ id, alert, changes, promisedAt, dueAt, reminder }) => ({
    ...attempt,
    id: hashIdentity('attempt', id, attempt.at, attempt.outcome),
    message: id,
    source: alert.source,
    alert: alert.id,
    number: alert.number,
    promisedAt,
    dueAt,
    reminder,
    transitions: changes.map(({ transition }) => transition.id),
  }));
}
