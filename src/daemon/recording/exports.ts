/**
 * Runs exports of the history one at a time, as each takes a thread and its memory. A reader that stalls, or that reads
 * for very long while others wait, loses its export, so that the next one starts.
 */
import { MINUTE, SECOND } from '../../core/text/duration.ts';
import type { HistoryExport, ExportRequest, WebRefusal } from '../../web/web.ts';

/** After an export, the next one waits as long as the export took, up to this, to leave the processor to sweeps. */
const LONGEST_REST_MS = 5 * SECOND;
/** A reader without a request for this long is gone or stalled. */
const STALLED_AFTER_MS = 30 * SECOND;
/** How long one export may be read while others wait. */
const LONGEST_WHILE_OTHERS_WAIT_MS = 5 * MINUTE;
/** How long a request waits for earlier ones. */
const LONGEST_WAIT_MS = MINUTE;

export interface ExportsClock {
  /** Milliseconds of a monotonic clock. */
  monotonic(): number;
  /** Runs `work` after this time, without keeping the process alive; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export interface ExportsOptions {
  /** Starts an export. Rejects with unexpected errors. */
  start(asked: ExportRequest): Promise<HistoryExport>;
  clock?: ExportsClock;
}

export const SYSTEM: ExportsClock = {
  monotonic: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

const BUSY: WebRefusal = { cause: 'busy', why: 'Another export is being read; ask again in a moment.' };

/** Resolves at the request's turn, when the export has started or with the reason for its refusal. */
export function createExports({
  start,
  clock = SYSTEM,
}: ExportsOptions): (asked: ExportRequest) => Promise<HistoryExport> {
  /** Resolves when the last requested export has ended, to the reason if it was refused. */
  let last: Promise<WebRefusal | null> = Promise.resolve(null);
  let waiting = 0;

  async function turnAfter(ahead: Promise<WebRefusal | null>): Promise<WebRefusal | null> {
    const late = Promise.withResolvers<WebRefusal>();
    const callOff = clock.after(LONGEST_WAIT_MS, () => late.resolve(BUSY));
    waiting += 1;
    try {
      return await Promise.race([ahead, late.promise]);
    } finally {
      waiting -= 1;
      callOff();
    }
  }

  return async (asked) => {
    const ahead = last;
    const ended = Promise.withResolvers<WebRefusal | null>();
    last = ended.promise;
    const refused = await turnAfter(ahead);
    // A history that cannot be read is tried once for all waiting requests.
    if (refused !== null) {
      void ahead.then(ended.resolve);
      return refused;
    }
    const begunAt = clock.monotonic();
    const rest = (): void => {
      const ms = Math.min(clock.monotonic() - begunAt, LONGEST_REST_MS);
      clock.after(ms, () => ended.resolve(null));
    };
    try {
      const made = await start(asked);
      if (!('cause' in made)) return watched(made, begunAt, rest);
      if (made.cause === 'unreadable') ended.resolve(made);
      else rest();
      return made;
    } catch (error) {
      rest();
      throw error;
    }
  };

  /** The export until it is closed, by its reader or by the stall timer. */
  function watched(
    pieces: Exclude<HistoryExport, WebRefusal>,
    begunAt: number,
    rest: () => void,
  ): Exclude<HistoryExport, WebRefusal> {
    let isClosed = false;
    let callOff = (): void => undefined;

    async function close(): Promise<void> {
      if (isClosed) return;
      isClosed = true;
      callOff();
      await pieces.close();
      rest();
    }

    function awaitReader(): void {
      if (!isClosed) callOff = clock.after(STALLED_AFTER_MS, () => void close());
    }

    awaitReader();
    return {
      async next() {
        callOff();
        const tookMs = clock.monotonic() - begunAt;
        if (waiting > 0 && tookMs > LONGEST_WHILE_OTHERS_WAIT_MS) await close();
        if (isClosed) throw new Error('This export was given up: it was not read fast enough.');
        try {
          const piece = await pieces.next();
          if (piece === null) await close();
          else awaitReader();
          return piece;
        } catch (error) {
          await close();
          throw error;
        }
      },
      close,
    };
  }
}
