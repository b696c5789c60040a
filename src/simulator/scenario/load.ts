/** Stories from files, rehearsed before they are told. */
import { readFileSync } from 'node:fs';
import { createSimulator } from '../simulator.ts';
import { SimulatorError } from '../trouble.ts';
import { performStep } from './run.ts';
import { readScenario, type Scenario } from './scenario.ts';

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
