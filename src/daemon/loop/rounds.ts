/**
 * Start and end of all sources' sweeps, and the effect of each end on other sources. After each sweep, limits on
 * waiting messages are enforced: the one exception to "at least once", and reported as such.
 */
import type { Alert } from '../../core/alert/alert.ts';
import {
  addLoads,
  findExcessEntries,
  type Bounds,
  isWithinBounds,
  measureOutbox,
} from '../../core/outbox/retention.ts';
import { type Entry, type Message, listMessages, withoutSettled } from '../../core/outbox/message.ts';
import type { OwnEvent } from '../../core/wording/own-events.ts';
import type { Log } from '../../log/log.ts';
import type { Clock } from '../common/clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { Observer } from './options.ts';
import type { PendingMessages, SharedStart } from '../delivery/pending.ts';
import { type LoopFailures, watchOver } from '../common/supervisor.ts';

export interface SweepRoundsDeps extends BoundsDeps {
  observer: Partial<Observer>;
  sharedStart: SharedStart;
  loopFailures: LoopFailures;
}

export type SweepRounds = ReturnType<typeof createSweepRounds>;

/** Enforces the limits on waiting messages after each completed sweep of any source. */
export function createSweepRounds(deps: SweepRoundsDeps) {
  const { observer, sharedStart, loopFailures } = deps;
  const keepWithinBounds = createBoundsKeeper(deps);

  /** A sweep completed or failed: no one waits for it any more. */
  function over(source: string): void {
    sharedStart.ended(source);
    observer.sweepEnded?.(source);
  }

  return {
    began: (source: string): void => observer.sweepBegan?.(source),
    /** A sweep completed. */
    succeeded(source: string) {
      keepWithinBounds();
      loopFailures.succeeded(watchOver(source));
      over(source);
    },
    over,
    /** A step for a clock tick failed with an unexpected error. */
    tickFailed: (source: string, error: unknown): void => void loopFailures.failed(watchOver(source), error),
  };
}

export interface BoundsDeps {
  pending: PendingMessages;
  bounds: Bounds | undefined;
  log: Log;
  clock: Clock;
  /** All owners of alerts: every source, and Linewatch itself. */
  sources: { all(): readonly Alerted[] };
  own: Alerted;
  deliveries: Pick<Deliveries, 'isSettled' | 'giveUp'>;
  tell(event: OwnEvent): void;
}

interface Alerted {
  readonly state: { readonly alerts: readonly Alert[] };
}

/**
 * Waiting messages are counted only where they may be beyond the limits: thousands of sources call this after every sweep.
 * Up to there what was added counts, even if it has been settled since.
 */
export function createBoundsKeeper(deps: BoundsDeps): () => void {
  const { pending, deliveries, clock, bounds } = deps;
  let atMost = measureOutbox([]);
  return () => {
    atMost = addLoads(atMost, measureOutbox(pending.takeAdded()));
    if (isWithinBounds(atMost, clock.now(), bounds)) return;
    const waiting = withoutSettled(pending.entries(), deliveries.isSettled);
    atMost = measureOutbox(waiting);
    if (!isWithinBounds(atMost, clock.now(), bounds)) giveUpBeyond(waiting, deps);
  };
}

function giveUpBeyond(waiting: readonly Entry[], deps: BoundsDeps): void {
  const { deliveries } = deps;
  const alerts = [...deps.sources.all(), deps.own].flatMap(({ state }) => state.alerts);
  const open = new Set(alerts.flatMap(({ id, status }) => (status === 'open' ? [id] : [])));
  const entries = findExcessEntries(waiting, (alert) => open.has(alert), deps.clock.now(), deps.bounds);
  if (entries.length === 0) return;
  const messages = entries.flatMap((entry) => [...listMessages(entry)]);
  for (const [receiver, lost] of Map.groupBy(messages, (message) => message.receiver)) {
    void deliveries.giveUp(
      receiver,
      lost.map(({ id }) => id),
    );
    deps.log.error('messages were given up: they waited too long or were too many', {
      receiver,
      messages: lost.length,
    });
  }
  deps.tell(toDroppedEvent(messages));
}

function toDroppedEvent(messages: readonly Message[]): OwnEvent {
  const receivers = [...Map.groupBy(messages, ({ receiver }) => receiver)].map(([receiver, lost]) => ({
    receiver,
    count: lost.length,
  }));
  const distinct = [...new Map(messages.map(({ alert }) => [alert.id, alert])).values()];
  const alerts = distinct.flatMap(({ number, title }) => (number === null ? [] : [{ number, title }]));
  return { code: 'messages dropped', count: messages.length, receivers, alerts };
}
