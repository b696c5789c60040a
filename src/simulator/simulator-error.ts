/** A request to the simulator that cannot be done, with a sentence for whoever asked (a test, curl, a scenario). */
export class SimulatorError extends Error {
  override readonly name = 'SimulatorError';
}
