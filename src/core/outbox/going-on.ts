/** Turns the resolve of one part into an update while another part of the alert is open. */
import type { Alert, AlertView, Change } from '../alert/alert.ts';
import type { OtherPartsOf } from '../alert/other-parts.ts';
import type { Status } from '../transition/kind.ts';

function toUpdate<C extends { status: Status }>(change: C): C {
  return change.status === 'resolved' ? { ...change, status: 'update' } : change;
}

/** Resolves as updates, for receivers whose alert stays open in another source. */
export function toOngoing(view: AlertView, changes: readonly Change[]): { alert: AlertView; changes: Change[] } {
  return { alert: { ...view, resolvedAt: null }, changes: changes.map(toUpdate) };
}

/** Changes with their effect on the whole alert, as the history records them. */
export function toWholeAlertChanges<C extends { status: Status; alert: Pick<Alert, 'id' | 'source'> | null }>(
  changes: readonly C[],
  others: OtherPartsOf,
): C[] {
  return changes.map((change) =>
    change.alert !== null && change.status === 'resolved' && others(change.alert).isOpen ? toUpdate(change) : change,
  );
}
