/** Tells a scenario: performs its steps at their times, or one by one when asked. */
import { findAction } from '../control/actions.ts';
import type { ScenarioRun, Stage } from '../stage.ts';
import { SimulatorError } from '../trouble.ts';
import type { Scenario, ScenarioStep } from './scenario.ts';

export interface RunOptions {
  onStep?: ((step: ScenarioStep) => void) | undefined;
}

export function runScenario(stage: Stage, scenario: Scenario, options: RunOptions = {}): ScenarioRun {
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
export function performStep(stage: Stage, step: ScenarioStep, name: string): void {
  try {
    findAction(step.action).perform(stage, step.given);
  } catch (error) {
    if (!(error instanceof SimulatorError)) throw error;
    throw new SimulatorError(`${step.place ?? name}: ${step.action}: ${error.message}`);
  }
}
