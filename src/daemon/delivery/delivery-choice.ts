/**
 * What one receiver is sent next. What never failed goes before what failed, and each recipient keeps his own order.
 * Programs want all of it in the order in which it was promised, and get it so even after an outage.
 */
import { outageTitles, type SourceOutage } from '../../core/alert/source-outage.ts';
import type { Budget } from '../../core/outbox/budget.ts';
import { type Message, type Sending, topic } from '../../core/outbox/message.ts';
import { withoutMuted } from '../../core/outbox/muted.ts';
import type { Parking } from '../../core/outbox/parking.ts';
import { nextSending, type QueueRules } from '../../core/outbox/queue.ts';
import { withSubject } from '../../core/outbox/thread-subject.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { DeliveryLedger } from './delivery-ledger.ts';
import type { Muting } from './pending.ts';

/** What has waited longer than this is a backlog, and people get it coalesced. */
const BACKLOG_AFTER_MS = 5_000;

/** What one recipient is behind with, and what nobody has yet, is sent by the same rules. */
export interface Next {
  sending: Sending;
  /** The one recipient it is for; null for all who are not behind. */
  to: string | null;
  /** If it fails, something else is tried right after it. */
  leads?: boolean;
}

/** One look at both clocks. What is due is sent or slept towards by the same look, or it falls between two of them. */
export interface DeliveryMoment {
  /** Epoch milliseconds. */
  now: number;
  /** Of the monotonic clock. */
  at: number;
}

export interface ChoiceRules extends Pick<QueueRules, 'sources'> {
  receiver: Receiver;
  ledger: DeliveryLedger;
  muting: Pick<Muting, 'isSilenced' | 'heldMs'>;
  /** All sources that cannot be read by the alert of a message, as its receiver may know; null for fewer than two. */
  outage(message: Message): SourceOutage | null;
  parking: Parking;
  budget: Pick<Budget, 'foldAbove'>;
  /** What was promised until then, epoch milliseconds, waited while the receiver failed. */
  failedUntil(): number;
}

/** How a recipient is known where alerts are parked as well. */
export function place(recipient: string): string {
  return `to ${recipient}`;
}

/** Null when nothing may go out now. */
export function createChoice(rules: ChoiceRules): (moment: DeliveryMoment) => Next | null {
  const { receiver, ledger, parking } = rules;
  const recipients = receiver.recipients ?? [];

  function next(moment: DeliveryMoment): Next | null {
    return receiver.audience === 'programs' ? inOrder(moment) : byTurns(moment);
  }

  /**
   * While nothing is taken, the oldest is tried before whatever else has its turn. If it is taken, the outage is over, and
   * all others follow in their order. If it is not, what is tried right after it says whether it fails alone.
   */
  function inOrder(moment: DeliveryMoment): Next | null {
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

  /** `except`: an alert that is left out. */
  function byTurns(moment: DeliveryMoment, except: string | null = null): Next | null {
    const { at, now } = moment;
    const { shared, behind } = ledger.waiting();
    const canShare = recipients.length === 0 || recipients.some((recipient) => !behind.has(recipient));
    const ofShared = (isTurn: (key: string) => boolean): Next | null =>
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
    // What is silenced is left out at once: thousands of alerts may be parked.
    const open = new Set(withoutMuted(shared, isHeldAt(now)).open.map(topic));
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
  ): Next | null {
    const sending = nextSending(queue, {
      audience: receiver.audience,
      batch: receiver.batch,
      alerts,
      foldAbove: rules.budget.foldAbove(at),
      now,
      bundles: ledger.state.bundles.filter((bundle) => (bundle.to ?? null) === to),
      sources: rules.sources,
      isHeld: isHeldAt(now),
      wasHeld,
      isTurn: (message) => isTurn(topic(message)),
      isBacklog: (message) => to !== null || isBacklog(message, now),
    });
    if (sending === null) return null;
    const [oldest] = sending.settles;
    // What is told in one has waited since the first of it was due.
    const first = sending.messages.length === 1 ? queue.find(({ id }) => id === oldest) : undefined;
    const messages = sending.messages.map((message) => withReasons(message, first ?? message, now));
    return { sending: { ...sending, messages }, to };
  }

  /** What it waited for is said in it. */
  function withReasons(message: Message, first: Message, now: number): Message {
    const heldMs = rules.muting.heldMs(first, now);
    const named = withSubject(ofAllSources(message), ledger.state.subjects);
    return { ...named, ...(outlived(message) && { receiverFailed: true }), ...(heldMs > 0 && { heldMs }) };
  }

  /** Several sources that cannot be read have one title, as they stand when people are told. */
  function ofAllSources(message: Message): Message {
    const outage = receiver.audience === 'people' ? rules.outage(message) : null;
    return outage === null ? message : { ...message, outage, alert: { ...message.alert, ...outageTitles(outage) } };
  }

  function isHeldAt(now: number): QueueRules['isHeld'] {
    return (message, latest) => rules.muting.isSilenced(message, now, latest);
  }

  /** It was muted by one when it was promised. */
  function wasHeld(message: Message): boolean {
    return rules.muting.isSilenced(message, message.promisedAt);
  }

  function isBacklog(message: Message, now: number): boolean {
    return outlived(message) || parking.isParked(topic(message)) || now - message.dueAt > BACKLOG_AFTER_MS;
  }

  /** It was promised before the receiver worked again. */
  function outlived({ promisedAt }: Message): boolean {
    return ledger.state.failing !== null || promisedAt <= rules.failedUntil();
  }

  return next;
}
