/** A file for the embedded provider, named on the command line: what is wrong with it is a mistake of usage. */
import { SimulatorError } from '../simulator/simulator-error.ts';
import { readErrorCode, explainDiskError } from '../net/failure.ts';
import { UsageError } from './command.ts';

/** `what` is how people call it: the scenario, the history. */
export function readSimulatorFile<T>(what: string, path: string, load: (path: string) => T): T {
  try {
    return load(path);
  } catch (error) {
    if (error instanceof SimulatorError) throw new UsageError(error.message, { cause: error });
    if (readErrorCode(error) === null) throw error;
    throw new UsageError(`the ${what} ${path} cannot be read: ${explainDiskError(error)}`, { cause: error });
  }
}
