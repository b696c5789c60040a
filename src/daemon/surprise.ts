/**
 * What nobody foresaw: an exception in one round of a loop. It is that round's failure and nobody else's: it is
 * logged, told once, and the round is tried again with growing rests. Its end is told once it has stayed away.
 */
import type { SelfEvent } from '../core/engine/itself.ts';
import { backoffMs } from '../core/outbox/backoff.ts';
import type { Log } from '../log/log.ts';
import type { Receiver } from '../receivers/receiver.ts';
import type { Clock } from './clock.ts';
import { MINUTE } from '../core/text/duration.ts';

/** One that comes and goes within this time is one, and is told once. */
const CALM_AFTER_MS = 15 * MINUTE;

export interface SurpriseDeps {
  log: Log;
  clock: Clock;
  random(): number;
  /** Tells it through the receivers, as far as they can be reached. */
  tell(event: SelfEvent): void;
}

/** What nobody foresaw is told under these names. */
export const OWN_LOOP = 'the watch over itself';
export function watchOver(source: string): string {
  return `the watch over ${source}`;
}
export function deliveriesTo(receiver: string): string {
  return `the deliveries to ${receiver}`;
}

export interface Surprises {
  /** A round of this loop has failed; how long it rests before the next, in milliseconds. */
  struck(loop: string, error: unknown): number;
  /** A round of it has come through. */
  cameThrough(loop: string): void;
  /** Why its last round failed; null where it came through. */
  why(loop: string): string | null;
}

interface Surprise {
  /** Rounds in a row. */
  failures: number;
  why: string;
  at: number;
}

export function createSurprises({ log, clock, random, tell }: SurpriseDeps): Surprises {
  /** Those that have been told and whose end has not. */
  const known = new Map<string, Surprise>();

  return {
    struck(loop, error) {
      const before = known.get(loop);
      const failures = (before?.failures ?? 0) + 1;
      const why = inShort(error);
      known.set(loop, { failures, why, at: clock.monotonic() });
      const restMs = backoffMs(failures, null, random());
      log.error('An unforeseen error; everything else goes on', {
        loop,
        failures,
        retryInMs: Math.round(restMs),
        error,
      });
      if (before === undefined) {
        tell({
          kind: 'state',
          what: `${loop} met an ${why}`,
          reason: 'It is tried again with growing rests; everything else goes on. The log says more.',
        });
      }
      return restMs;
    },
    cameThrough(loop) {
      const before = known.get(loop);
      if (before === undefined) return;
      if (clock.monotonic() - before.at < CALM_AFTER_MS) {
        known.set(loop, { ...before, failures: 0 });
        return;
      }
      known.delete(loop);
      log.info('The unforeseen error is over', { loop });
      tell({ kind: 'state', what: `${loop} works again`, reason: `It had met an ${before.why}.` });
    },
    why(loop) {
      const surprise = known.get(loop);
      return surprise === undefined || surprise.failures === 0 ? null : surprise.why;
    },
  };
}

interface KeepGoing {
  surprises: Surprises;
  clock: Clock;
  stop: AbortSignal;
  /** Whoever waits for the round need not any longer. */
  struck?(): void;
}

/** Keeps a loop going until it ends by itself or is told to stop. */
export async function keepGoing(
  loop: string,
  run: () => Promise<void>,
  { surprises, clock, stop, struck }: KeepGoing,
): Promise<void> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (stop.aborted) return;
      const restMs = surprises.struck(loop, error);
      try {
        struck?.();
      } catch (next) {
        surprises.struck(loop, next);
      }
      await clock.sleep(restMs, stop);
    }
  }
}

/** The same receiver, for which a message that cannot be made or sent has failed for now, like one that was not taken. */
export function withoutSurprises(receiver: Receiver, loop: string, surprises: Surprises): Receiver {
  return {
    ...receiver,
    async send(messages, signal, only) {
      try {
        const outcome = await receiver.send(messages, signal, only);
        surprises.cameThrough(loop);
        return outcome;
      } catch (error) {
        surprises.struck(loop, error);
        return { kind: 'transient', code: 'other', reason: inShort(error), retryAfterMs: null };
      }
    },
  };
}

/** Messages of errors may quote what was worked on, a secret among it: people are told the kind, the log the rest. */
function inShort(error: unknown): string {
  return `unforeseen error (${error instanceof Error ? error.name : 'not an error'})`;
}
