/** Everything that scenarios and the control plane act on. */
import type { Accounts } from './account/account-world.ts';
import type { SimulatorClock, Timers } from './simulator-clock.ts';
import type { FaultBoard } from './fault/fault.ts';
import type { RequestLog } from './request-log.ts';
import type { LinkStyle } from './status/links.ts';
import type { StatusWorld } from './status/world.ts';

export interface Simulation {
  clock: SimulatorClock;
  timers: Timers;
  status: StatusWorld;
  accounts: Accounts;
  faults: FaultBoard;
  log: RequestLog;
  /** Names of notices given by scenarios and the control plane. */
  noticeRefs: Map<string, number>;
  setLinks: (links: Partial<LinkStyle>) => void;
  setValidators: (on: boolean) => void;
  /** The running scenario; null without one. */
  scenario: () => ScenarioRun | null;
  setScenario: (run: ScenarioRun | null) => void;
}

interface ScenarioProgress {
  scenario: string;
  /** Performed and total steps. */
  performed: number;
  steps: number;
  next: { at_ms: number; action: string; note: string | null } | null;
}

export interface ScenarioRun {
  /** Starts the clock for automatic steps. No effect if started or stopped before. */
  start: () => void;
  /** Performs the next step now. Returns false if none is left. Throws the step's error. */
  advance: () => boolean;
  /** Cancels further steps; `done` resolves. */
  stop: () => void;
  /** Resolves after the last step or `stop`. Rejects with a `SimulatorError` that names the failed step. */
  done: Promise<void>;
  progress: () => ScenarioProgress;
}
