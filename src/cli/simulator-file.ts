/** Reads a file for the embedded provider named on the command line: its errors are usage errors. */
import { SimulatorError } from '../simulator/simulator-error.ts';
import { readErrorCode, explainDiskError } from '../net/failure.ts';
import { UsageError } from './command.ts';

/** `what` is its name for people: the scenario, the history. */
export function readSimulatorFile<T>(what: string, path: string, load: (path: string) => T): T {
  try {
    return load(path);
  } catch (error) {
    if (error instanceof SimulatorError) throw new UsageError(error.message, { cause: error });
    if (readErrorCode(error) === null) throw error;
    throw new UsageError(`the ${what} ${path} cannot be read: ${explainDiskError(error)}`, { cause: error });
  }
}
