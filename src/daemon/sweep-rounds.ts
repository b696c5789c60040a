/** The rounds of all sources as they begin and end, and what each end means to the others. */
import { keepWithinBounds, type BoundsDeps } from './keep-within-bounds.ts';
import type { Observer } from './options.ts';
import type { SharedStart } from './shared-start.ts';
import { watchOver, type Surprises } from './surprise.ts';

export interface SweepRoundsDeps extends BoundsDeps {
  observer: Partial<Observer>;
  sharedStart: SharedStart;
  surprises: Surprises;
}

export interface SweepRounds {
  began(source: string): void;
  /** A sweep came to its end. */
  cameThrough(source: string): void;
  /** It came through, or failed: nobody waits for it any longer. */
  over(source: string): void;
  /** What the clock alone had to say of a source failed, as nobody foresaw. */
  tickFailed(source: string, error: unknown): void;
}

export function createSweepRounds(deps: SweepRoundsDeps): SweepRounds {
  const { observer, sharedStart, surprises } = deps;

  function over(source: string): void {
    sharedStart.ended(source);
    observer.sweepEnded?.(source);
  }

  return {
    began: (source) => observer.sweepBegan?.(source),
    cameThrough(source) {
      keepWithinBounds(deps);
      surprises.cameThrough(watchOver(source));
      over(source);
    },
    over,
    tickFailed: (source, error) => void surprises.struck(watchOver(source), error),
  };
}
