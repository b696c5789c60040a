/**
 * Documents the disk refuses: each is logged as it happens, the first is told, and all are offered to it again. What
 * they promise goes out from memory meanwhile.
 */
import type { SelfEvent } from '../core/engine/itself.ts';
import type { Log } from '../log/log.ts';
import { MINUTE } from '../core/text/duration.ts';
import type { Clock } from './clock.ts';

/** What the disk refused is offered to it again this often, whether or not anything happens meanwhile. */
const OFFERED_AGAIN_AFTER_MS = MINUTE;

export interface UnsavedDeps {
  log: Log;
  clock: Clock;
  /** Tells of it through what still works. */
  tell(event: SelfEvent): void;
}

type SaveAgain = () => void | Promise<void>;

export interface Unsaved {
  /** The disk refused a document; `saveAgain` offers it to it again. */
  refused(document: string, error: unknown, saveAgain: SaveAgain): void;
  savedAgain(document: string): void;
  /** The documents the disk refuses at present. */
  documents(): string[];
  /** Offers what the disk refused to it again until the signal is aborted. */
  run(stop: AbortSignal): Promise<void>;
}

export function createUnsaved({ log, clock, tell }: UnsavedDeps): Unsaved {
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
    if (known.size > 1) return;
    const what = 'its state cannot be saved';
    const reason = `${error instanceof Error ? error.message : 'The disk refused.'} Alerts go out from memory and may repeat after a restart.`;
    tell({ kind: 'state', what, reason });
  }

  function savedAgain(name: string): void {
    if (known.delete(name)) log.info('The state is saved again', { document: name });
  }

  async function run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      firstRefused = new AbortController();
      if (known.size === 0) await clock.sleep(Infinity, AbortSignal.any([stop, firstRefused.signal]));
      await clock.sleep(OFFERED_AGAIN_AFTER_MS, stop);
      if (stop.aborted) return;
      await Promise.all([...known.values()].map(async (saveAgain) => await saveAgain()));
    }
  }

  return { refused, savedAgain, documents: () => [...known.keys()], run };
}
