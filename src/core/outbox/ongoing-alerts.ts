/** Turns the end of one part into an update while another part is open, and a part after the end of all others into an opening. */
import { type Alert, type AlertView, type Change, toAlertView } from '../alert/alert.ts';
import { collectFacts } from '../alert/matchers.ts';
import type { OtherPartsOf, Part } from '../correlation/other-parts.ts';
import { findReached } from '../alert/route.ts';
import type { Status } from '../transition/kind.ts';
import type { Routing } from './routing.ts';

function toUpdate<C extends { status: Status }>(change: C): C {
  return change.status === 'resolved' ? { ...change, status: 'update' } : change;
}

/** Resolves as updates, for receivers whose alert stays open in another source. */
export function toOngoing(view: AlertView, changes: readonly Change[]): { alert: AlertView; changes: Change[] } {
  return { alert: { ...view, resolvedAt: null }, changes: changes.map(toUpdate) };
}

/** The first update opens the alert again, for receivers that were notified of the end of all its other parts. */
export function toReopened(changes: readonly Change[]): Change[] {
  const first = changes.findIndex(({ status }) => status === 'update');
  return changes.map((change, place) => (place === first ? { ...change, status: 'open' } : change));
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

/**
 * Receivers that get the end of an open part although they were not notified of the part: one that was not configured
 * when the part opened. A part held back from all people ends without a message to them.
 */
export function findFollowers(parts: readonly Part[], routing: Routing): ReadonlySet<string> {
  const { root, receivers, labels, labelsBySource } = routing;
  return new Set(
    parts.flatMap((part) => {
      const { source, severity, muted, lastChange, told } = part;
      if (muted || lastChange === null) return [];
      const isNotified = told.some(({ receiver }) => receivers.get(receiver)?.audience === 'people');
      const facts = collectFacts(toAlertView(part), [lastChange], labelsBySource?.get(source) ?? labels);
      return findReached(root, facts, { severity, statuses: ['resolved'] }).flatMap(({ receiver, wanted }) =>
        wanted && (isNotified || receivers.get(receiver)?.audience === 'programs') ? [receiver] : [],
      );
    }),
  );
}
