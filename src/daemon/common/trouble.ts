/**
 * What goes wrong in Linewatch itself. An exception that nobody foresaw is the failure of one round of one loop and of
 * nothing else: it is logged, told once, and the round is tried again with growing rests; its end is told once it has
 * stayed away. A document that the disk refuses is logged as it happens, the first is told, and all are offered to it
 * again; what they promise goes out from memory meanwhile.
 */
import { backoffMs } from '../../core/outbox/parking.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { describeError, type OwnEvent } from '../../core/wording/own-events.ts';
import type { Log } from '../../log/log.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Clock } from './clock.ts';

/** One that comes and goes within this time is one, and is told once. */
const CALM_AFTER_MS = 15 * MINUTE;
/** What the disk refused is offered to it again this often, and as soon as it answers again. */
const OFFERED_AGAIN_AFTER_MS = MINUTE;

export interface SurpriseDeps {
  log: Log;
  clock: Clock;
  random(): number;
  /** Tells it through the receivers, as far as they can be reached. */
  tell(event: OwnEvent): void;
}

/** What nobody foresaw is told under these names. */
export const OWN_LOOP = 'the watch over itself';
export function watchOver(source: string): string {
  return `the watch over ${source}`;
}
export function pastOf(source: string): string {
  return `the past notices of ${source}`;
}
export function nameCallsLoop(source: string): string {
  return `the calls of ${source}`;
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
  why: string | null;
  at: number;
}

/**
 * Told at the first failure of a loop; its end is told with the first round that comes through 15 minutes after the
 * last.
 */
export function createSurprises({ log, clock, random, tell }: SurpriseDeps): Surprises {
  /** Those that have been told and whose end has not. */
  const known = new Map<string, Surprise>();

  return {
    struck(loop, error) {
      const before = known.get(loop);
      const failures = (before?.failures ?? 0) + 1;
      const why = nameOf(error);
      known.set(loop, { failures, why, at: clock.monotonic() });
      const restMs = backoffMs(failures, null, random());
      log.error('An unforeseen error; everything else goes on', {
        loop,
        failures,
        retryInMs: Math.round(restMs),
        error,
      });
      if (before === undefined) {
        tell({ code: 'loop failed', loop, error: why });
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
      tell({ code: 'loop recovered', loop, error: before.why });
    },
    why(loop) {
      const surprise = known.get(loop);
      return surprise === undefined || surprise.failures === 0 ? null : describeError(surprise.why);
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
        return { kind: 'transient', code: 'other', reason: describeError(nameOf(error)), retryAfterMs: null };
      }
    },
  };
}

/** Only the class: the message may quote a secret. Null for a thrown value that is no error. */
function nameOf(error: unknown): string | null {
  return error instanceof Error ? error.name : null;
}

export interface UnsavedDeps {
  log: Log;
  clock: Clock;
  /** Tells of it through what still works. */
  tell(event: OwnEvent): void;
  /** Another daemon of this process cannot save either, and has told it. */
  isToldElsewhere?: (() => boolean) | undefined;
  /** Resolves as soon as the disk, or whatever takes its place, answers again after it was away; absent where nothing can say so. */
  answersAgain?: (() => Promise<void>) | undefined;
}

type SaveAgain = () => void | Promise<void>;

export interface Unsaved {
  /** The disk refused a document; `saveAgain` offers it to it again. */
  refused(document: string, error: unknown, saveAgain: SaveAgain): void;
  /** The disk takes the document again. */
  savedAgain(document: string): void;
  /** The documents the disk refuses at present. */
  documents(): string[];
  /** Offers what the disk refused to it again until the signal is aborted. */
  run(stop: AbortSignal): Promise<void>;
}

/**
 * The first document that the disk refuses is told, every other one only logged. All are offered again every minute.
 */
export function createUnsaved({ log, clock, tell, isToldElsewhere, answersAgain }: UnsavedDeps): Unsaved {
  const known = new Map<string, SaveAgain>();
  let firstRefused = new AbortController();

  function refused(name: string, error: unknown, saveAgain: SaveAgain): void {
    if (known.has(name)) return;
    known.set(name, saveAgain);
    firstRefused.abort();
    log.error('The state cannot be saved; alerts go out from memory and may repeat after a restart', {
      document: name,
      error,
    });
    if (known.size > 1 || isToldElsewhere?.() === true) return;
    tell({ code: 'state unsaved', why: error instanceof Error ? error.message : null });
  }

  function savedAgain(name: string): void {
    if (known.delete(name)) log.info('The state is saved again', { document: name });
  }

  async function run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      firstRefused = new AbortController();
      if (known.size === 0) await clock.sleep(Infinity, AbortSignal.any([stop, firstRefused.signal]));
      const back = new AbortController();
      void answersAgain?.().then(() => back.abort());
      await clock.sleep(OFFERED_AGAIN_AFTER_MS, AbortSignal.any([stop, back.signal]));
      if (stop.aborted) return;
      await Promise.all([...known.values()].map(async (saveAgain) => await saveAgain()));
    }
  }

  return { refused, savedAgain, documents: () => [...known.keys()], run };
}
