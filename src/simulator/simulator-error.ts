import { ForeseenError } from '../net/failure.ts';

/** An impossible request to the simulator, with a sentence for the user. */
export class SimulatorError extends ForeseenError {
  override readonly name = 'SimulatorError';
}
