/**
 * Watches that every loop makes progress: it sleeps on its clock, or a request of its source ends. A loop that does
 * neither for long hangs. This module has no timer of its own, so that a process whose loops hang reports no progress.
 */
import type { Clock } from './clock.ts';

export type Progress = ReturnType<typeof createProgress>;

export interface ProgressOptions {
  monotonic(): number;
  /** Shortest interval between two reports of progress, and the longest sleep of a loop at a time. */
  everyMs: number;
  /** How long a loop may work without progress. */
  hangsAfterMs: number;
  /** Called while all loops make progress. */
  tell(): void;
  /** Called once for each loop that makes none. */
  hangs(loop: string): void;
}

/** Each loop is watched from its first progress on, so that a loop that never starts is not reported. */
export function createProgress({ monotonic, everyMs, hangsAfterMs, tell, hangs }: ProgressOptions) {
  /** Time of the last progress of each loop that has started. */
  const movedAt = new Map<string, number>();
  const hung = new Set<string>();
  let toldAt = -Infinity;

  /** Reports that a request of the loop has ended. */
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
    /** The clock of one loop: a sleep on it counts as progress. */
    clockOf: (loop: string, clock: Clock): Clock => ({
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

/** The clock of one loop, with or without a watch over its progress. */
export function createLoopClock(
  loop: string,
  { clock, progress }: { clock: Clock; progress?: Progress | null },
): Clock {
  return progress?.clockOf(loop, clock) ?? clock;
}
