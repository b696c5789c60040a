/** Merges the alerts of a source into the rows of the history: one row for each id. */
import type { Alert } from '../alert/alert.ts';
import { compareSeverities } from '../transition/kind.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';

/** Losses at several sites of an account may share one alert. Its row is open while one of them is open. */
export function mergeById(alerts: readonly Alert[]): Alert[] {
  return [...Map.groupBy(alerts, ({ id }) => id).values()].flatMap((same) => {
    const [only, ...others] = same;
    if (only === undefined || others.length === 0) return same;
    const open = same.filter(({ status }) => status === 'open');
    const [lead = only] = (open.length > 0 ? open : same).toSorted(
      (one, other) => compareSeverities(one.severity, other.severity) || one.openedAt - other.openedAt,
    );
    const [worst = lead] = same.toSorted((one, other) => compareSeverities(one.severity, other.severity));
    return [
      {
        ...lead,
        severity: worst.severity,
        startedAt: findMinimum(same.map(({ startedAt }) => startedAt)),
        openedAt: findMinimum(same.map(({ openedAt }) => openedAt)),
        resolvedAt: open.length > 0 ? null : findMaximum(same.flatMap(({ resolvedAt }) => resolvedAt ?? [])),
      },
    ];
  });
}
