/** Reads a scenario, rehearses it, and tells it: its steps come at their times, or one by one when asked. */
import { readFileSync } from 'node:fs';
import { findAction } from '../control/actions.ts';
import type { ScenarioRun, Simulation } from '../simulation.ts';
import { SimulatorError } from '../simulator-error.ts';
import { readScenario, type Scenario, type ScenarioStep } from './scenario.ts';
import { createSimulator } from '../simulator.ts';

interface RunOptions {
  onStep?: ((step: ScenarioStep) => void) | undefined;
}

/** Nothing happens before `start` or `advance`. `done` rejects with what a step throws. */
export function runScenario(stage: Simulation, scenario: Scenario, options: RunOptions = {}): ScenarioRun {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let position = 0;
  let startedAt: number | null = null;
  let stopped = false;
  let cancel = (): void => undefined;

  function advance(): boolean {
    const step = scenario.steps[position];
    if (step === undefined) return false;
    performStep(stage, step, scenario.name);
    position += 1;
    options.onStep?.(step);
    if (position === scenario.steps.length) resolve();
    return true;
  }

  /** Times count from the start, not from the step before, so that lateness does not add up. */
  function waitForNext(): void {
    cancel();
    const step = scenario.steps[position];
    if (step === undefined || startedAt === null) return;
    const dueIn = step.at - (stage.clock.monotonic() - startedAt);
    cancel = stage.timers.after(Math.max(0, dueIn), () => {
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
      startedAt = stage.clock.monotonic();
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
  stage.setScenario(run);
  return run;
}

/** Does one step; what goes wrong says where in the file it stands. */
function performStep(stage: Simulation, step: ScenarioStep, name: string): void {
  try {
    findAction(step.action).perform(stage, step.given);
  } catch (error) {
    if (!(error instanceof SimulatorError)) throw error;
    throw new SimulatorError(`${step.place ?? name}: ${step.action}: ${error.message}`);
  }
}

/** Any time will do; relative times in the story count from it. */
const OPENING_NIGHT = Date.UTC(2026, 0, 1);

/**
 * Reads a story and rehearses it. Throws a `SimulatorError` that names what is wrong with file, line and column,
 * and the system's error where the file cannot be read.
 */
export function loadScenario(file: string): Scenario {
  const scenario = readScenario(readFileSync(file, 'utf8'), file);
  rehearse(scenario, file);
  return scenario;
}

/**
 * Plays a story once in a world of its own, in no time, so that a component misspelt in its last step is told before
 * the first one is performed. Throws a `SimulatorError` naming the place of the first step that cannot be.
 */
function rehearse(scenario: Scenario, file: string): void {
  let passed = 0;
  const clock = { now: () => OPENING_NIGHT + passed, monotonic: () => passed };
  // What a step does later by a timer cannot fail, so the rehearsal does not wait for it.
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
