/**
 * Whether every loop gets on. A loop gets on while it sleeps as it means to, and whenever a request of its source has come
 * to an end; one that does neither for long hangs, whatever the reason. Nothing here has a timer of its own: a process in
 * which no loop runs says nothing.
 */
import type { Clock } from './clock.ts';

export interface Progress {
  /** The clock of one loop: whoever sleeps by it gets on. */
  clockOf(loop: string, clock: Clock): Clock;
  /** Something the loop has waited for has come to its end. */
  moved(loop: string): void;
}

export interface ProgressOptions {
  monotonic(): number;
  /** How often it is said, at most; nobody sleeps for longer than this at a time. */
  everyMs: number;
  /** How long a loop may be busy with one thing. */
  hangsAfterMs: number;
  /** All of them get on. */
  tell(): void;
  /** One does not; said once of each. */
  hangs(loop: string): void;
}

/** A loop counts from its first move on, so that one that never begins is not missed. */
export function createProgress({ monotonic, everyMs, hangsAfterMs, tell, hangs }: ProgressOptions): Progress {
  /** When each last moved; who has not begun is not among them. */
  const movedAt = new Map<string, number>();
  const hung = new Set<string>();
  let toldAt = -Infinity;

  function moved(loop: string): void {
    const now = monotonic();
    movedAt.set(loop, now);
    hung.delete(loop);
    if (now - toldAt < everyMs) return;
    toldAt = now;
    const late = [...movedAt].filter(([, at]) => now - at > hangsAfterMs);
    for (const [name] of late) {
      if (!hung.has(name)) hangs(name);
      hung.add(name);
    }
    if (late.length === 0) tell();
  }

  return {
    moved,
    clockOf: (loop, clock) => ({
      ...clock,
      async sleep(ms, signal) {
        const end = clock.monotonic() + ms;
        moved(loop);
        for (let left = ms; left > 0 && !signal.aborted; left = end - clock.monotonic()) {
          await clock.sleep(Math.min(left, everyMs), signal);
          moved(loop);
        }
      },
    }),
  };
}

/** The clock of one loop, whether anybody hears how it gets on or not. */
export function clockOf(loop: string, { clock, progress }: { clock: Clock; progress?: Progress | null }): Clock {
  return progress?.clockOf(loop, clock) ?? clock;
}
