/** Receivers that do not take what they are sent: each attempt is logged, and a failing receiver is announced on the others. */
import type { Alert } from '../core/alert/record.ts';
import type { SelfEvent } from '../core/engine/itself.ts';
import type { Log } from '../log/log.ts';
import { MINUTE } from '../core/text/duration.ts';
import type { Clock } from './clock.ts';
import type { Attempt } from './delivery.ts';

/** A receiver that fails this long, though not for good, is announced on the others. */
const FAILING_IS_NEWS_AFTER_MS = 5 * MINUTE;

export interface FailingDeps {
  log: Log;
  clock: Pick<Clock, 'now'>;
  /** The alerts about Linewatch itself. */
  alerts(): readonly Alert[];
  /** Tells of it through what still works. */
  tell(event: SelfEvent): void;
}

export interface Failing {
  attempted(attempt: Attempt): void;
}

export function createFailing({ log, clock, alerts, tell }: FailingDeps): Failing {
  function attempted(attempt: Attempt): void {
    const { receiver, messages, outcome, durationMs } = attempt;
    const fields = { receiver, messages: messages.map(({ id }) => id), durationMs: Math.round(durationMs) };
    if (outcome.kind === 'delivered') log.info('delivered', { ...fields, detail: outcome.detail });
    else if (outcome.kind === 'transient') {
      log.warn('delivery failed for now', {
        ...fields,
        reason: outcome.reason,
        retryInMs: Math.round(attempt.retryInMs ?? 0),
      });
    } else log.error('delivery refused for good; it stays on disk', { ...fields, reason: outcome.reason });
    mind(attempt);
  }

  /** A receiver that does not take what it is sent is announced on the others, once, and so is its recovery. */
  function mind({ receiver, outcome, troubledSince }: Attempt): void {
    const known = alerts().some(
      ({ status, subjects }) => status === 'open' && subjects.includes(`receiver/${receiver}`),
    );
    if (outcome.kind === 'delivered') {
      if (known && troubledSince === null) tell({ kind: 'receiver recovered', receiver });
      return;
    }
    const since = troubledSince ?? clock.now();
    const isNever = outcome.kind === 'permanent' || outcome.refused !== undefined;
    const isNews = isNever || clock.now() - since >= FAILING_IS_NEWS_AFTER_MS;
    if (isNews && !known) tell({ kind: 'receiver failed', receiver, since, reason: outcome.reason });
  }

  return { attempted };
}
