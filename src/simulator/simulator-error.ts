import { ForeseenError } from '../net/failure.ts';

/** A request to the simulator that cannot be done, with a sentence for whoever asked (a test, curl, a scenario). */
export class SimulatorError extends ForeseenError {
  override readonly name = 'SimulatorError';
}
