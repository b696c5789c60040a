/**
 * Chooses what one receiver is sent next. Messages that have not failed go before those that have, and each recipient
 * keeps its order. Programs get all messages in the order of enqueueing, even after an outage.
 */
import { createOutageTitles, type SourceOutage } from '../../core/alert/source-outage.ts';
import type { Budget } from '../../core/outbox/budget.ts';
import { type Message, type Sending, findTopic } from '../../core/outbox/message.ts';
import { withoutMuted } from '../../core/outbox/muted.ts';
import type { RetrySchedule } from '../../core/outbox/retry-schedule.ts';
import { selectNextSending, type QueueRules } from '../../core/outbox/queue.ts';
import { withSubject } from '../../core/outbox/thread-subject.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import { JUMP_MS } from '../common/clock.ts';
import type { DeliveryLedger } from './delivery-ledger.ts';
import type { Muting } from './pending.ts';

/** Messages that have waited longer are a backlog, which people get combined. */
const BACKLOG_AFTER_MS = 5_000;

/** A sending for one recipient's queue, or for the shared queue, chosen by the same rules. */
export interface NextSending {
  sending: Sending;
  /** The one recipient it is for; null for all recipients without a queue of their own. */
  to: string | null;
  /** If it fails, something else is tried right after it. */
  leads?: boolean;
}

/** One reading of both clocks. Sending and sleeping use the same reading, so that nothing becomes due between two. */
export interface DeliveryMoment {
  /** Epoch milliseconds. */
  now: number;
  /** On the monotonic clock. */
  at: number;
}

export interface ChoiceRules extends Pick<QueueRules, 'sources'> {
  receiver: Receiver;
  ledger: DeliveryLedger;
  muting: Pick<Muting, 'isSilenced' | 'heldMs'>;
  /** All unreadable sources in the alert of a message that its receiver may know about; null for fewer than two. */
  outage(message: Message): SourceOutage | null;
  parking: RetrySchedule;
  budget: Pick<Budget, 'foldAbove'>;
  /** Messages enqueued until then, epoch milliseconds, waited while the receiver failed. */
  failedUntil(): number;
}

/** Adds the jump of the wall clock since `first` was seen. `apartMs`: its present lead over the other clock. */
function withJump(message: Message, first: Message, apartMs: number): Message {
  const jumpedMs = Math.round(apartMs - (first.apartMs ?? apartMs));
  return Math.abs(jumpedMs) < JUMP_MS ? message : { ...message, jumpedMs };
}

/** Key of a recipient in the retry schedule, which has alerts as well. */
export function place(recipient: string): string {
  return `to ${recipient}`;
}

/** Null if nothing may be sent now. */
export function createChoice(rules: ChoiceRules): (moment: DeliveryMoment) => NextSending | null {
  const { receiver, ledger, parking } = rules;
  const recipients = receiver.recipients ?? [];

  function next(moment: DeliveryMoment): NextSending | null {
    return receiver.audience === 'programs' ? inOrder(moment) : byTurns(moment);
  }

  /**
   * While the receiver takes nothing, the oldest message is tried first. A success ends the outage, and all others
   * follow in order. After a failure, the next message tried shows whether only the oldest one fails.
   */
  function inOrder(moment: DeliveryMoment): NextSending | null {
    const { at } = moment;
    const leader = parking.leader(at);
    const follower = leader === null ? null : byTurns(moment, leader);
    if (follower !== null) return follower;
    const found = byTurns(moment);
    if (found === null || leader !== null) return found;
    const oldest = parking.isDown() ? chosen(ledger.waiting().shared, null, moment, parking.isInDoubt, 1) : null;
    const first = oldest ?? found;
    const [key, ...others] = first.sending.topics;
    const leads = key !== undefined && others.length === 0 && byTurns(moment, key) !== null;
    return { ...first, leads };
  }

  /** `except`: an alert to leave out. */
  function byTurns(moment: DeliveryMoment, except: string | null = null): NextSending | null {
    const { at, now } = moment;
    const { shared, behind } = ledger.waiting();
    const canShare = recipients.length === 0 || recipients.some((recipient) => !behind.has(recipient));
    const ofShared = (isTurn: (key: string) => boolean): NextSending | null =>
      canShare ? chosen(shared, null, moment, isTurn) : null;
    if (parking.isOpen(at)) {
      const found = ofShared((key) => key !== except && !parking.isParked(key));
      if (found !== null) return found;
      for (const [recipient, queue] of behind) {
        const own = parking.isParked(place(recipient)) ? null : chosen(queue, recipient, moment, () => true);
        if (own !== null) return own;
      }
    }
    const due = parking.due(at);
    if (due.length === 0) return null;
    // Silenced messages are excluded in bulk, as thousands of alerts may be waiting for a retry.
    const open = new Set(withoutMuted(shared, isHeldAt(now)).open.map(findTopic));
    for (const key of due) {
      if (key === except) continue;
      const [recipient, queue] = [...behind].find(([each]) => place(each) === key) ?? [];
      const isOne = recipient !== undefined && queue !== undefined;
      if (!isOne && !open.has(key)) continue;
      const found = isOne ? chosen(queue, recipient, moment, () => true) : ofShared((each) => each === key);
      if (found !== null) return found;
    }
    return null;
  }

  function chosen(
    queue: readonly Message[],
    to: string | null,
    { now, at }: DeliveryMoment,
    isTurn: (key: string) => boolean,
    alerts = parking.most(),
  ): NextSending | null {
    const sending = selectNextSending(queue, {
      audience: receiver.audience,
      batch: receiver.batch,
      alerts,
      foldAbove: rules.budget.foldAbove(at),
      now,
      bundles: ledger.state.bundles.filter((bundle) => (bundle.to ?? null) === to),
      sources: rules.sources,
      isHeld: isHeldAt(now),
      wasHeld,
      isTurn: (message) => isTurn(findTopic(message)),
      isBacklog: (message) => to !== null || isBacklog(message, now),
    });
    if (sending === null) return null;
    const [oldest] = sending.settles;
    // A combined message has waited since the first of it was due.
    const first = sending.messages.length === 1 ? queue.find(({ id }) => id === oldest) : undefined;
    const messages = sending.messages.map((message) => withReasons(message, first ?? message, { now, at }));
    return { sending: { ...sending, messages }, to };
  }

  /** The message states the reason for its delay. */
  function withReasons(message: Message, first: Message, { now, at }: DeliveryMoment): Message {
    const heldMs = rules.muting.heldMs(first, now);
    const named = withJump(withSubject(ofAllSources(message), ledger.state.subjects), first, now - at);
    return { ...named, ...(outlived(message) && { receiverFailed: true }), ...(heldMs > 0 && { heldMs }) };
  }

  /** Several unreadable sources have one title, current at the time of sending. */
  function ofAllSources(message: Message): Message {
    const outage = receiver.audience === 'people' ? rules.outage(message) : null;
    return outage === null
      ? message
      : { ...message, outage, alert: { ...message.alert, ...createOutageTitles(outage) } };
  }

  function isHeldAt(now: number): QueueRules['isHeld'] {
    return (message, latest) => rules.muting.isSilenced(message, now, latest);
  }

  /** A silence muted it when it was enqueued. */
  function wasHeld(message: Message): boolean {
    return rules.muting.isSilenced(message, message.promisedAt);
  }

  function isBacklog(message: Message, now: number): boolean {
    return outlived(message) || parking.isParked(findTopic(message)) || now - message.dueAt > BACKLOG_AFTER_MS;
  }

  /** Enqueued before the receiver worked again. */
  function outlived({ promisedAt }: Message): boolean {
    return ledger.state.failing !== null || promisedAt <= rules.failedUntil();
  }

  return next;
}
