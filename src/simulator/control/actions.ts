/** All actions by name. */
import { SimulatorError } from '../simulator-error.ts';
import { accountActions } from './account-actions.ts';
import type { Action } from './action.ts';
import { faultActions } from './fault-actions.ts';
import { statusActions } from './status-actions.ts';

export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  Object.entries({ ...statusActions, ...faultActions, ...accountActions }),
);

/** Throws a `SimulatorError` that lists all actions. */
export function findAction(name: string): Action {
  const found = ACTIONS.get(name);
  if (found !== undefined) return found;
  throw new SimulatorError(`There is no action ${JSON.stringify(name)}; there are ${[...ACTIONS.keys()].join(', ')}.`);
}
