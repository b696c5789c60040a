/** Repeats open alerts to receivers that otherwise take them for resolved; the first time right at the start. */
import { type Alert, toAlertView } from '../../core/alert/alert.ts';
import { hashIdentity } from '../../core/transition/transition.ts';
import type { Message } from '../../core/outbox/message.ts';
import type { Log } from '../../log/log.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Clock } from '../common/clock.ts';
import { isNotified } from '../../core/alert/notified.ts';

export interface KeepAliveDeps {
  receiver: Pick<Receiver, 'name' | 'keepAlive'>;
  /** Current alerts of all sources. */
  alerts(): readonly Alert[];
  /** True if a silence mutes the message. */
  isSilenced(message: Message, now: number): boolean;
  /** The message's alert as its receiver may know it. */
  seen(message: Message): NonNullable<Message['seen']>;
  clock: Clock;
  log: Log;
}

/** Logs the first of consecutive failures; messages about alerts have retries of their own. */
export async function runKeepAlive(deps: KeepAliveDeps, stop: AbortSignal, abandon: AbortSignal): Promise<void> {
  const { receiver, clock, log } = deps;
  const { keepAlive, name } = receiver;
  if (keepAlive === undefined) return;
  let isFailing = false;
  while (!stop.aborted) {
    const outcome = await keepAlive.send(() => openFor(deps), abandon);
    if (outcome.kind === 'delivered' && isFailing) log.info('Open alerts are kept alive again', { receiver: name });
    if (outcome.kind !== 'delivered' && !isFailing && !abandon.aborted) {
      log.warn('Open alerts could not be kept alive', { receiver: name, reason: outcome.reason });
    }
    isFailing = outcome.kind !== 'delivered';
    await clock.sleep(keepAlive.everyMs, stop);
  }
}

/** Open alerts that the receiver was notified of; for an alert of several sources, each part. */
function openFor({ receiver, alerts, isSilenced, seen, clock }: KeepAliveDeps): Message[] {
  const now = clock.now();
  return alerts().flatMap((alert): Message[] => {
    const message = isNotified(alert, receiver.name) ? toCurrentMessage(alert, receiver.name, now) : null;
    return message === null || isSilenced(message, now) ? [] : [{ ...message, seen: seen(message) }];
  });
}

/** Message with the last change of an open alert, enqueued nowhere; null for another alert. */
export function toCurrentMessage(alert: Alert, receiver: string, now: number): Message | null {
  const { lastChange, status } = alert;
  if (status !== 'open' || lastChange === null) return null;
  return {
    id: hashIdentity('kept alive', alert.id),
    receiver,
    alert: toAlertView(alert),
    changes: [lastChange],
    reminder: 1,
    promisedAt: now,
    dueAt: now,
    first: false,
    replaces: 0,
    unsaved: false,
  };
}
