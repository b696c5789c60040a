/** Loads, rehearses and runs scenarios: steps come at their times, or one by one on request. */
import { readFileSync } from 'node:fs';
import { findAction } from '../control/actions.ts';
import type { ScenarioRun, Simulation } from '../simulation.ts';
import { SimulatorError } from '../simulator-error.ts';
import { readScenario, type Scenario, type ScenarioStep } from './scenario.ts';
import { createSimulator } from '../simulator.ts';

/** Idle until `start` or `advance`. `done` rejects with the error of a step. */
export function runScenario(simulation: Simulation, scenario: Scenario): ScenarioRun {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let position = 0;
  let startedAt: number | null = null;
  let stopped = false;
  let cancel = (): void => undefined;

  function advance(): boolean {
    const step = scenario.steps[position];
    if (step === undefined) return false;
    performStep(simulation, step, scenario.name);
    position += 1;
    if (position === scenario.steps.length) resolve();
    return true;
  }

  /** Times count from the start, so that delays do not add up. */
  function waitForNext(): void {
    cancel();
    const step = scenario.steps[position];
    if (step === undefined || startedAt === null) return;
    const dueIn = step.at - (simulation.clock.monotonic() - startedAt);
    cancel = simulation.timers.after(Math.max(0, dueIn), () => {
      try {
        advance();
        waitForNext();
      } catch (error) {
        reject(error);
      }
    });
  }

  if (scenario.steps.length === 0) resolve();
  const run: ScenarioRun = {
    start() {
      if (stopped || startedAt !== null) return;
      startedAt = simulation.clock.monotonic();
      waitForNext();
    },
    advance() {
      const performed = advance();
      if (!stopped) waitForNext();
      return performed;
    },
    stop() {
      cancel();
      stopped = true;
      resolve();
    },
    done,
    progress() {
      const step = scenario.steps[position];
      return {
        scenario: scenario.name,
        performed: position,
        steps: scenario.steps.length,
        next: step === undefined ? null : { at_ms: step.at, action: step.action, note: step.note },
      };
    },
  };
  simulation.setScenario(run);
  return run;
}

/** Performs one step; errors name its place in the file. */
function performStep(simulation: Simulation, step: ScenarioStep, name: string): void {
  try {
    findAction(step.action).perform(simulation, step.given);
  } catch (error) {
    if (!(error instanceof SimulatorError)) throw error;
    throw new SimulatorError(`${step.place ?? name}: ${step.action}: ${error.message}`);
  }
}

/** Any time will do: steps use relative times. */
const OPENING_NIGHT = Date.UTC(2026, 0, 1);

/**
 * Reads and rehearses a scenario. Throws `SimulatorError` with file, line and column, or the system's error if the file
 * is unreadable.
 */
export function loadScenario(file: string): Scenario {
  const scenario = readScenario(readFileSync(file, 'utf8'), file);
  rehearse(scenario, file);
  return scenario;
}

/**
 * Runs all steps at once in a scratch world, so that a misspelt component in the last step is found before the first.
 * Throws `SimulatorError` with the place of the first failing step.
 */
function rehearse(scenario: Scenario, file: string): void {
  let passed = 0;
  const clock = { now: () => OPENING_NIGHT + passed, monotonic: () => passed };
  // Timers set by a step cannot fail, so the rehearsal skips them.
  const timers = { after: () => () => undefined };
  const simulator = build(scenario, file, { clock, timers });
  for (const step of scenario.steps) {
    passed = step.at;
    performStep(simulator, step, scenario.name);
  }
}

function build(
  scenario: Scenario,
  file: string,
  time: Pick<NonNullable<Parameters<typeof createSimulator>[0]>, 'clock' | 'timers'>,
): ReturnType<typeof createSimulator> {
  try {
    return createSimulator({ ...scenario.world, ...time });
  } catch (error) {
    if (!(error instanceof SimulatorError)) throw error;
    throw new SimulatorError(`${file}: world: ${error.message}`);
  }
}
