/** What waits for each receiver and what it refused, for the operator. JSON only: it crosses a socket. */
import { timestamp, type Timestamp } from '../transition/transition.ts';
import type { Delivery } from './delivery.ts';
import { troubleOf } from './receiver-state.ts';

export interface WaitingReport {
  id: string;
  receiver: string;
  state: 'waiting' | 'refused';
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
    return delivery.unsettled().map(({ id, receiver, alert, changes, promisedAt }): WaitingReport => ({
      id,
      receiver,
      state: reasons.has(id) ? 'refused' : 'waiting',
      alert: alert.number,
      title: alert.title,
      kinds: [...new Set(changes.map(({ transition }) => transition.kind))],
      promised_at: timestamp(promisedAt),
      reason: reasons.get(id) ?? trouble?.reason ?? null,
    }));
  });
}
