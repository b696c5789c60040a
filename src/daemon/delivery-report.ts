/** What waits for each receiver and what it refused, for the operator. JSON only: it crosses a socket. */
import { timestamp, type Timestamp } from '../core/transition/details.ts';
import type { Message } from '../core/outbox/message.ts';
import type { Delivery } from './delivery.ts';
import { troubleOf } from '../core/view/receiver-standing.ts';
import type { RemovedReceiver } from './removed-receivers.ts';

export interface WaitingReport {
  id: string;
  receiver: string;
  /** `removed`: the receiver is no longer configured. */
  state: 'waiting' | 'refused' | 'removed';
  alert: number | null;
  title: string;
  kinds: string[];
  promised_at: Timestamp | null;
  /** Why it was refused, or why the receiver fails now. */
  reason: string | null;
}

export function listDeliveries(deliveries: readonly Delivery[]): WaitingReport[] {
  return deliveries.flatMap((delivery) => {
    const { refused } = delivery.state;
    const trouble = troubleOf(delivery.state);
    const reasons = new Map(refused.map(({ id, reason }) => [id, reason]));
    return delivery.unsettled().map((message) => {
      const refusal = reasons.get(message.id);
      const why = refusal ?? trouble?.reason;
      return reported(message, refusal === undefined ? 'waiting' : 'refused', why);
    });
  });
}

export function listRemoved(removed: readonly RemovedReceiver[]): WaitingReport[] {
  return removed.flatMap(({ waiting }) =>
    waiting.map((message) =>
      reported(
        message,
        'removed',
        'the receiver is no longer configured; should it return within a week, it gets this',
      ),
    ),
  );
}

function reported(
  { id, receiver, alert, changes, promisedAt }: Message,
  state: WaitingReport['state'],
  reason: string | undefined,
): WaitingReport {
  return {
    id,
    receiver,
    state,
    alert: alert.number,
    title: alert.title,
    kinds: [...new Set(changes.map(({ transition }) => transition.kind))],
    promised_at: timestamp(promisedAt),
    reason: reason ?? null,
  };
}
