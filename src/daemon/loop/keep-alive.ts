/** Sends open alerts again to a receiver that takes them for over otherwise; the first of them right at the start. */
import { type Alert, viewOf } from '../../core/alert/alert.ts';
import { hashIdentity } from '../../core/transition/transition.ts';
import type { Message } from '../../core/outbox/message.ts';
import type { Log } from '../../log/log.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Clock } from '../common/clock.ts';

export interface KeepAliveDeps {
  receiver: Pick<Receiver, 'name' | 'keepAlive'>;
  /** The alerts of all sources as they stand. */
  alerts(): readonly Alert[];
  /** Muted by a silence. */
  isSilenced(message: Message, now: number): boolean;
  /** What its alert is to the receiver. */
  seen(message: Message): NonNullable<Message['seen']>;
  clock: Clock;
  log: Log;
}

/** Of the failures in a row the first is logged; messages about alerts have tries of their own. */
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

/** Those it was notified of and that are not over: of an alert of several sources, each part. */
function openFor({ receiver, alerts, isSilenced, seen, clock }: KeepAliveDeps): Message[] {
  const now = clock.now();
  return alerts().flatMap((alert): Message[] => {
    const { lastChange, status, told } = alert;
    if (status !== 'open' || lastChange === null || !told.some((one) => one.receiver === receiver.name)) return [];
    const message: Message = {
      id: hashIdentity('kept alive', alert.id),
      receiver: receiver.name,
      alert: viewOf(alert),
      changes: [lastChange],
      reminder: 1,
      promisedAt: now,
      dueAt: now,
      first: false,
      replaces: 0,
      unsaved: false,
    };
    return isSilenced(message, now) ? [] : [{ ...message, seen: seen(message) }];
  });
}
