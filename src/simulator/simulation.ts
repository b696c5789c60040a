/** What a scenario and the control plane act on: the worlds of the provider and all that may befall them. */
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
  /** Names given to notices by scenarios and the control plane. */
  noticeRefs: Map<string, number>;
  setLinks: (links: Partial<LinkStyle>) => void;
  setValidators: (on: boolean) => void;
  /** The scenario being told, if any; set by whoever runs one. */
  scenario: () => ScenarioRun | null;
  setScenario: (run: ScenarioRun | null) => void;
}

interface ScenarioProgress {
  scenario: string;
  /** Steps performed, of how many. */
  performed: number;
  steps: number;
  next: { at_ms: number; action: string; note: string | null } | null;
}

export interface ScenarioRun {
  /** Starts the clock; the steps then come by themselves. Once started, or stopped, it does nothing more. */
  start: () => void;
  /** Performs the next step now, whatever its time; false when none is left. Throws what the step throws. */
  advance: () => boolean;
  /** No further step comes by itself; `done` resolves. */
  stop: () => void;
  /** Resolves after the last step or `stop`; rejects with a `SimulatorError` naming the step that failed. */
  done: Promise<void>;
  progress: () => ScenarioProgress;
}
