/**
 * The end of one part of an alert that goes on: an update, for the receivers that were told of a part that is open, and for
 * the history.
 */
import type { Alert, AlertView, Change } from '../alert/alert.ts';
import type { OtherPartsOf } from '../alert/other-parts.ts';
import type { Status } from '../transition/kind.ts';

function asUpdate<C extends { status: Status }>(change: C): C {
  return change.status === 'resolved' ? { ...change, status: 'update' } : change;
}

/** A message for receivers for which the alert goes on. */
export function goingOn(view: AlertView, changes: readonly Change[]): { alert: AlertView; changes: Change[] } {
  return { alert: { ...view, resolvedAt: null }, changes: changes.map(asUpdate) };
}

/** Changes with what each did to its alert as a whole, as the history keeps them. */
export function statedOfWhole<C extends { status: Status; alert: Pick<Alert, 'id' | 'source'> | null }>(
  changes: readonly C[],
  others: OtherPartsOf,
): C[] {
  return changes.map((change) =>
    change.alert !== null && change.status === 'resolved' && others(change.alert).isOpen ? asUpdate(change) : change,
  );
}
