/**
 * An alert goes on while any part of it is open, in this source or in another. Until then the end of one part is an
 * update of the alert: for the receivers that were told of the open part, and for the history.
 */
import type { AccountAlert } from '../alert/account-alert.ts';
import type { Alert, AlertView, Change } from '../alert/alert.ts';
import type { Elsewhere } from '../alert/whole.ts';
import type { Status } from '../transition/kind.ts';

/** An alert of a source, which may have several under one id: losses that are parts of one outage. */
export type Part = Alert & Partial<Pick<AccountAlert, 'absorbedBy'>>;

/** What is known of an alert beside the part that changes. */
export type ElsewhereIn = (alert: string) => Elsewhere;

export const NOWHERE: Elsewhere = {
  told: new Map(),
  heardAt: new Map(),
  leftAt: new Map(),
  openedAt: Infinity,
  outageSince: Infinity,
  open: [],
  isOpen: false,
  isUntaken: false,
  isConfirmed: false,
};

/** With the parts of the same source: an open one goes on for all receivers that were told of any of them. */
export function withOwnParts(alerts: readonly Part[], elsewhere: ElsewhereIn | undefined): ElsewhereIn {
  const open = new Set(
    alerts.flatMap((one) => (one.status === 'open' && one.absorbedBy === undefined ? [one.id] : [])),
  );
  return (alert) => {
    const known = elsewhere?.(alert) ?? NOWHERE;
    if (!open.has(alert)) return known;
    const told = alerts.flatMap((one) => (one.id === alert ? one.told.map(({ receiver }) => receiver) : []));
    return { ...known, isOpen: true, open: [...new Set([...known.open, ...told])] };
  };
}

/** The end of a part as an update of the alert that goes on; any other change as it is. */
function asUpdate<C extends { status: Status }>(change: C): C {
  return change.status === 'resolved' ? { ...change, status: 'update' } : change;
}

/** A message for receivers for which the alert goes on. */
export function goingOn(view: AlertView, changes: readonly Change[]): { alert: AlertView; changes: Change[] } {
  return { alert: { ...view, resolvedAt: null }, changes: changes.map(asUpdate) };
}

/** Changes with what each did to its alert as a whole, as the history keeps them. */
export function statedOfWhole<C extends { status: Status; alert: Pick<Alert, 'id'> | null }>(
  changes: readonly C[],
  elsewhere: ElsewhereIn,
): C[] {
  return changes.map((change) =>
    change.alert !== null && change.status === 'resolved' && elsewhere(change.alert.id).isOpen
      ? asUpdate(change)
      : change,
  );
}
