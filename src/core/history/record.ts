/**
 * What the history keeps of what happened. A record is kept with the state that caused it until the history has it, and
 * its id says that it is the same one: however often it is handed over, it is written once.
 */
import type { Alert, AlertView } from '../alert/alert.ts';
import type { Message } from '../outbox/message.ts';
import type { Status } from '../transition/kind.ts';
import { maskTransition } from '../transition/mask-transition.ts';
import { hashIdentity, type Transition } from '../transition/transition.ts';

/** A transition, and how its alert stood after it; null for one that opens none. */
export interface TransitionRecord {
  transition: Transition;
  status: Status;
  alert: Pick<AlertView, 'id' | 'number' | 'severity' | 'title'> | null;
}

/** What became of one message in one attempt. */
export interface DeliveryRecord {
  id: string;
  /** When the attempt ended, epoch milliseconds. */
  at: number;
  receiver: string;
  message: string;
  source: string;
  /** Id and number of its alert; the number is null for what opens none. */
  alert: string;
  number: number | null;
  /** `delivered`, to be tried again, or refused for good. */
  outcome: 'delivered' | 'transient' | 'permanent';
  /** What the other side said, or why it was not taken. */
  detail: string;
  /** Who it was sent to, where the receiver is several recipients. */
  recipients: readonly string[];
  promisedAt: number;
  /** When it was to go out at the earliest. */
  dueAt: number;
  /** 0, or the number of the reminder. */
  reminder: number;
  /** Ids of the transitions it told. */
  transitions: readonly string[];
}

/** A history that takes nothing for long must not let the state grow for ever: the oldest are given up. */
const MOST_UNRECORDED = 2_000;

/** What the history has yet to take: what it has not acknowledged, and what is new. Oldest first. */
export function unrecordedAfter<R>(
  before: readonly R[] | undefined,
  added: readonly R[],
  isRecorded: (record: R) => boolean,
): R[] {
  return [...(before ?? []).filter((record) => !isRecorded(record)), ...added].slice(-MOST_UNRECORDED);
}

/** With the alert as it is now; null where the transition belongs to none. */
export function recordOf(transition: Transition, status: Status, alert: Alert | null): TransitionRecord {
  // The history keeps no telephone numbers.
  const masked = maskTransition(transition);
  if (alert === null) return { transition: masked, status, alert: null };
  const { id, number, severity, title } = alert;
  return { transition: masked, status, alert: { id, number, severity, title } };
}

/** One attempt at these messages, a record for each of them. */
export function deliveriesOf(
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
