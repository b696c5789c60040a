/**
 * Acknowledges alerts that people have acknowledged at a medium that rings, such as Pushover. Only the daemon that
 * leads a source has its receivers' state, so no two members ask.
 */
import type { Alert } from '../../core/alert/alert.ts';
import type { Message } from '../../core/outbox/message.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { computeRetryWait } from '../../core/text/retry.ts';
import type { Log } from '../../log/log.ts';
import type { Receipt, Receiver } from '../../receivers/receiver.ts';
import type { Clock } from '../common/clock.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { toCurrentMessage } from './keep-alive.ts';

export interface ReceiptsDeps {
  receiver: Pick<Receiver, 'name' | 'receipts'>;
  delivery: Pick<Delivery, 'state' | 'forget'>;
  /** Current alerts of all sources. */
  alerts(): readonly Alert[];
  /** Acknowledges an alert as people do; resolves to the reason of a refusal, or null. */
  acknowledge(number: number, by: string): Promise<string | null>;
  clock: Clock;
  log: Log;
}

/** After consecutive failures the interval grows so. */
const RETRIES = { factor: 2, capMs: MINUTE, jitter: 0 };

/** Asks for one alert at a time. Resolves when `stop` is aborted. */
export async function runReceipts(deps: ReceiptsDeps, stop: AbortSignal): Promise<void> {
  const { receipts } = deps.receiver;
  if (receipts === undefined) return;
  let [asked, failures, restMs] = ['', 0, receipts.everyMs];
  for (;;) {
    // Also before the first request: the process before this one may have sent one just now.
    await deps.clock.sleep(restMs, stop);
    if (stop.aborted) return;
    restMs = receipts.everyMs;
    const waiting = await findWaiting(deps);
    const next = waiting.find(({ alert }) => alert.id > asked) ?? waiting[0];
    if (next === undefined) continue;
    asked = next.alert.id;
    const receipt = await receipts.read(next, stop);
    if (stop.aborted) return;
    const failure = await settle(next, receipt, deps);
    failures = failure === null ? 0 : failures + 1;
    if (failure === null) continue;
    const { reason, retryAfterMs } = failure;
    if (failures === 1) {
      deps.log.warn('A receipt is not settled', { receiver: deps.receiver.name, alert: next.alert.number, reason });
    }
    restMs = computeRetryWait({ ...RETRIES, firstMs: receipts.everyMs }, { failures, retryAfterMs });
  }
}

/** Open alerts with a receipt that are not acknowledged, in the order of their ids; forgets all other receipts. */
async function findWaiting({ receiver, delivery, alerts, clock }: ReceiptsDeps): Promise<Message[]> {
  const { conversations = [] } = delivery.state;
  if (conversations.length === 0) return [];
  const open = new Map(alerts().flatMap((alert) => (isRinging(alert) ? [[alert.id, alert] as const] : [])));
  const waiting: Message[] = [];
  const over: string[] = [];
  for (const { alert: id, kept } of conversations) {
    const alert = open.get(id);
    const message = alert === undefined ? null : toCurrentMessage(alert, receiver.name, clock.now());
    if (message === null) over.push(id);
    else waiting.push({ ...message, conversation: kept });
  }
  // An old receipt must not acknowledge an alert that opens again or worsens.
  if (over.length > 0) await delivery.forget(over);
  return waiting.toSorted((one, other) => (one.alert.id < other.alert.id ? -1 : 1));
}

function isRinging({ status, acknowledged, number }: Alert): boolean {
  return status === 'open' && acknowledged === undefined && number !== null;
}

interface Failure {
  reason: string;
  retryAfterMs: number | null;
}

/** Resolves to null, or to what failed; a receipt that is not refused is then asked for again. */
async function settle(
  { alert, conversation }: Message,
  receipt: Receipt,
  { delivery, acknowledge }: ReceiptsDeps,
): Promise<Failure | null> {
  if (receipt.kind === 'waiting') return null;
  if (receipt.kind === 'transient') return receipt;
  // A newer message has a newer receipt.
  const isNewest = (): boolean =>
    delivery.state.conversations?.find((one) => one.alert === alert.id)?.kept === conversation;
  if (receipt.kind === 'acknowledged' && alert.number !== null && isNewest()) {
    const refusal = await acknowledge(alert.number, receipt.by);
    if (refusal !== null) return { reason: refusal, retryAfterMs: null };
  }
  if (isNewest()) await delivery.forget([alert.id]);
  return receipt.kind === 'permanent' ? { reason: receipt.reason, retryAfterMs: null } : null;
}
