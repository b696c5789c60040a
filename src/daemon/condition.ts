/**
 * Linewatch's own condition, as its loops notice it: documents the disk refuses, receivers that do not take
 * what they are sent. Each is logged as it happens and told once, through what still works.
 */
import type { Happening } from '../itself.ts';
import type { Log } from '../log/log.ts';
import type { Clock } from './clock.ts';
import type { Attempt } from './delivery.ts';
import type { ItselfWatch } from './itself-watch.ts';
import { MINUTE } from '../text/duration.ts';

/** What the disk refused is offered to it again this often, whether or not anything happens meanwhile. */
const OFFERED_AGAIN_AFTER_MS = MINUTE;

/** A receiver that fails this long, though not for good, is announced on the others. */
const FAILING_IS_NEWS_AFTER_MS = 5 * MINUTE;

export interface ConditionDeps {
  log: Log;
  clock: Clock;
  itself(): Pick<ItselfWatch, 'state'>;
  /** Tells of it through what still works. */
  tell(happening: Happening): void;
  /** Offers a document that the disk refused to it again. */
  save(document: string): Promise<void>;
}

export interface Condition {
  /** The disk refused a document. */
  unsaved(document: string, error: unknown): void;
  savedAgain(document: string): void;
  /** The documents the disk refuses at present. */
  refused(): string[];
  attempted(attempt: Attempt): void;
  /** Offers what the disk refused to it again until the signal is aborted. */
  run(stop: AbortSignal): Promise<void>;
}

export function createCondition({ log, clock, itself, tell, save }: ConditionDeps): Condition {
  const unsavedSaid = new Set<string>();
  let firstRefused = new AbortController();

  function unsaved(name: string, error: unknown): void {
    if (unsavedSaid.has(name)) return;
    unsavedSaid.add(name);
    firstRefused.abort();
    log.error('The state cannot be saved; alerts go out from memory and may repeat after a restart', {
      document: name,
      error,
    });
    if (unsavedSaid.size > 1) return;
    const what = 'its state cannot be saved';
    const reason = `${error instanceof Error ? error.message : 'The disk refused.'} Alerts go out from memory and may repeat after a restart.`;
    tell({ kind: 'state', what, reason });
  }

  function savedAgain(name: string): void {
    if (unsavedSaid.delete(name)) log.info('The state is saved again', { document: name });
  }

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
    const known = itself().state.alerts.some(
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

  async function run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      firstRefused = new AbortController();
      if (unsavedSaid.size === 0) await clock.sleep(Infinity, AbortSignal.any([stop, firstRefused.signal]));
      await clock.sleep(OFFERED_AGAIN_AFTER_MS, stop);
      if (stop.aborted) return;
      await Promise.all([...unsavedSaid].map(save));
    }
  }

  return { unsaved, savedAgain, refused: () => [...unsavedSaid], attempted, run };
}
