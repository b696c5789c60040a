/**
 * The status page of a recorded history, answered step by step. Pagination, filters and links stay the simulator's own.
 */
import { loadHistory } from '../recorded-history.ts';
import { SimulatorError } from '../simulator-error.ts';
import type { StatusDocuments } from './page-documents.ts';

interface ReplayStep {
  /** When this was so, epoch milliseconds. */
  at: number;
  documents: StatusDocuments;
}

export interface Replay {
  name: string;
  steps: readonly ReplayStep[];
}

/** Throws a `SimulatorError` naming the file and the place of a mistake. */
export function loadReplay(file: string): Replay {
  const { name, steps } = loadHistory(file);
  const own = steps.filter(({ page }) => page === null);
  return { name, steps: own.flatMap(({ at, documents }) => (documents === null ? [] : [{ at, documents }])) };
}

/** A history being answered. It starts before its first step: `advance` or `goTo` begins it. */
interface ReplayPlayer {
  replay: Replay;
  /** The step answered now; -1 before the first. */
  step: () => number;
  /** Answers the next step; false when there is none. */
  advance: () => boolean;
  goTo: (step: number) => void;
  /** The latest step at or before `time` (epoch milliseconds). Before the first, the first. */
  goToTime: (time: number) => void;
}

/** The world's own answers stand until the first step. Throws `SimulatorError` for a step there is none of. */
export function playReplay(
  replay: Replay,
  world: { replaceDocuments: (documents: StatusDocuments | null) => void },
): ReplayPlayer {
  let at = -1;
  function goTo(step: number): void {
    const chosen = replay.steps[step];
    if (chosen === undefined) {
      throw new SimulatorError(
        `${replay.name} has the steps 0 to ${replay.steps.length - 1}; there is no step ${step}.`,
      );
    }
    at = step;
    world.replaceDocuments(chosen.documents);
  }
  return {
    replay,
    step: () => at,
    advance() {
      if (at + 1 >= replay.steps.length) return false;
      goTo(at + 1);
      return true;
    },
    goTo,
    goToTime(time) {
      goTo(
        Math.max(
          0,
          replay.steps.findLastIndex((step) => step.at <= time),
        ),
      );
    },
  };
}
