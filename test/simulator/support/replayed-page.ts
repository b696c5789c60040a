/** Replays the status page of a recorded history step by step. Pagination, filters and links are the simulator's. */
import { loadHistory } from '../../../src/simulator/recorded-history.ts';
import { SimulatorError } from '../../../src/simulator/simulator-error.ts';
import type { StatusDocuments } from '../../../src/simulator/status/page-documents.ts';

interface ReplayStep {
  /** Time of the step, epoch milliseconds. */
  at: number;
  documents: StatusDocuments;
}

export interface Replay {
  name: string;
  steps: readonly ReplayStep[];
}

/** Throws a `SimulatorError` with file and position of an error. */
export function loadReplay(file: string): Replay {
  const { name, steps } = loadHistory(file);
  const own = steps.filter(({ page }) => page === null);
  return { name, steps: own.flatMap(({ at, documents }) => (documents === null ? [] : [{ at, documents }])) };
}

/** A replay in progress. It starts before its first step: call `advance` or `goTo`. */
interface ReplayPlayer {
  replay: Replay;
  /** Index of the current step; -1 before the first. */
  step: () => number;
  /** Moves to the next step; false if there is none. */
  advance: () => boolean;
  goTo: (step: number) => void;
}

/** The world answers until the first step. Throws `SimulatorError` for an unknown step. */
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
  };
}
