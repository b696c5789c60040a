/**
 * Failures of Linewatch itself. An unexpected exception fails one round of one loop: it is logged, reported once, and
 * the round is retried with back-off. Its end is reported after 15 minutes without another. A document that the disk
 * refuses is logged, the first one reported, and all are retried; their messages are sent from memory meanwhile.
 */
import { BACKOFF } from '../../core/outbox/retry-schedule.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { computeRetryWait } from '../../core/text/retry.ts';
import { describeError, type OwnEvent } from '../../core/wording/own-events.ts';
import type { Log } from '../../log/log.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import { LeaseLost } from '../../store/postgres/lease.ts';
import type { Clock } from './clock.ts';

/** Failures with shorter gaps count as one and are reported once. */
const CALM_AFTER_MS = 15 * MINUTE;
/** Refused documents are saved again this often, and as soon as the disk takes one of them; at the end more often. */
const SAVED_AGAIN_EVERY = { ms: MINUTE, atTheEndMs: 250 } as const;

export interface LoopFailuresDeps {
  log: Log;
  clock: Clock;
  random(): number;
  /** Reports through the receivers, as far as they work. */
  tell(event: OwnEvent): void;
}

/** Names of loops in reports of unexpected exceptions. */
export const OWN_LOOP = 'the watch over itself';
export function watchOver(source: string): string {
  return `the watch over ${source}`;
}
export function toImportLoopName(source: string): string {
  return `the past notices of ${source}`;
}
export function nameCallsLoop(source: string): string {
  return `the calls of ${source}`;
}

export function toDeliveryLoopName(receiver: string): string {
  return `the deliveries to ${receiver}`;
}

export type LoopFailures = ReturnType<typeof createLoopFailures>;

interface LoopFailure {
  /** Consecutive failed rounds. */
  failures: number;
  why: string | null;
  at: number;
}

/** Reports the first failure of a loop; reports its end with the first success 15 minutes after the last failure. */
export function createLoopFailures({ log, clock, random, tell }: LoopFailuresDeps) {
  /** Reported loops whose end is not reported yet. */
  const known = new Map<string, LoopFailure>();

  return {
    /** A round of this loop has failed; returns milliseconds until the next. */
    failed(loop: string, error: unknown) {
      const before = known.get(loop);
      const failures = (before?.failures ?? 0) + 1;
      const why = nameOf(error);
      known.set(loop, { failures, why, at: clock.monotonic() });
      const restMs = computeRetryWait(BACKOFF, { failures, random: random() });
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
    /** A round of this loop has succeeded. */
    succeeded(loop: string) {
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
    /** Reason why its last round failed; null after a success. */
    why(loop: string) {
      const loopFailure = known.get(loop);
      return loopFailure === undefined || loopFailure.failures === 0 ? null : describeError(loopFailure.why);
    },
  };
}

interface KeepGoing {
  loopFailures: LoopFailures;
  clock: Clock;
  stop: AbortSignal;
  /** Called after a failed round, so that waiting callers can stop. */
  onFailure?(): void;
}

/** Runs a loop until it ends by itself or is stopped. */
export async function keepGoing(
  loop: string,
  run: () => Promise<void>,
  { loopFailures, clock, stop, onFailure }: KeepGoing,
): Promise<void> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (stop.aborted) return;
      const restMs = loopFailures.failed(loop, error);
      try {
        onFailure?.();
      } catch (next) {
        loopFailures.failed(loop, next);
      }
      await clock.sleep(restMs, stop);
    }
  }
}

/** The same receiver; a message that cannot be rendered or sent counts as a transient failure. */
export function withoutLoopFailures(receiver: Receiver, loop: string, loopFailures: LoopFailures): Receiver {
  return {
    ...receiver,
    async send(messages, signal, only) {
      try {
        const outcome = await receiver.send(messages, signal, only);
        loopFailures.succeeded(loop);
        return outcome;
      } catch (error) {
        loopFailures.failed(loop, error);
        return { kind: 'transient', code: 'other', reason: describeError(nameOf(error)), retryAfterMs: null };
      }
    },
  };
}

/** Only the class: the message may quote a secret. Null for a thrown value that is not an error. */
function nameOf(error: unknown): string | null {
  return error instanceof Error ? error.name : null;
}

export interface UnsavedDocumentsDeps {
  log: Log;
  clock: Clock;
  /** Reports through everything that still works. */
  tell(event: OwnEvent): void;
  /** True if another daemon of this process has reported the same failure. */
  isToldElsewhere?: (() => boolean) | undefined;
  /** Resolves when the disk or the database works again after a failure; absent where the store cannot detect it. */
  answersAgain?: (() => Promise<void>) | undefined;
}

type SaveAgain = () => Promise<void>;

export type UnsavedDocuments = ReturnType<typeof createUnsaved>;

/** Reports the first refused document and logs the others. Retries all of them every minute. */
export function createUnsaved({ log, clock, tell, isToldElsewhere, answersAgain }: UnsavedDocumentsDeps) {
  const known = new Map<string, SaveAgain>();
  let firstRefused = new AbortController();
  let oneSaved = new AbortController();

  /** The disk refused a document; `saveAgain` retries it. */
  function refused(name: string, error: unknown, saveAgain: SaveAgain): void {
    // Another member leads and saves from now on, which the log says once.
    if (error instanceof LeaseLost) return void known.delete(name);
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

  /** The daemon before a reload has logged and reported the refusal. */
  function knownBefore(name: string, saveAgain: SaveAgain): void {
    known.set(name, saveAgain);
  }

  /** The disk accepts the document again. */
  function savedAgain(name: string): void {
    if (!known.delete(name)) return;
    log.info('The state is saved again', { document: name });
    oneSaved.abort();
  }

  /** Retries refused documents until the signal is aborted. */
  async function run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      firstRefused = new AbortController();
      if (known.size === 0) await clock.sleep(Infinity, AbortSignal.any([stop, firstRefused.signal]));
      oneSaved = new AbortController();
      const back = new AbortController();
      void answersAgain?.().then(() => back.abort());
      await clock.sleep(SAVED_AGAIN_EVERY.ms, AbortSignal.any([stop, back.signal, oneSaved.signal]));
      if (!stop.aborted) await saveAll();
    }
  }

  async function saveAll(): Promise<void> {
    await Promise.all([...known.values()].map((saveAgain) => saveAgain()));
  }

  /** Retries refused documents until all are saved, or the signal is aborted: the next start would repeat messages. */
  async function saveRest(abandon: AbortSignal): Promise<void> {
    if (known.size === 0) return;
    log.warn('Before the end, the state that is not saved is tried again', { documents: [...known.keys()] });
    await saveAll();
    while (known.size > 0 && !abandon.aborted) {
      await clock.sleep(SAVED_AGAIN_EVERY.atTheEndMs, abandon);
      await saveAll();
    }
    if (known.size === 0) return;
    log.error('The state is not saved at the end; a restart may tell again what was told', {
      documents: [...known.keys()],
    });
  }

  return {
    refused,
    knownBefore,
    savedAgain,
    /** Names of the documents that the disk refuses now. */
    documents: () => [...known.keys()],
    run,
    saveRest,
  };
}
