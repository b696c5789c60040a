/** An alert that several sources take part in, seen from one of them. */
import type { Alert } from './record.ts';

/** Whom the others told of it, and for whom of those it goes on. `others` holds the alerts of each other source. */
export function elsewhereOf(
  alert: string,
  others: readonly (readonly Pick<Alert, 'id' | 'status' | 'told'>[])[],
): { told: string[]; open: string[] } {
  const same = others.flatMap((alerts) => alerts.filter(({ id }) => id === alert));
  const receivers = (some: typeof same): string[] => [
    ...new Set(some.flatMap(({ told }) => told.map(({ receiver }) => receiver))),
  ];
  return { told: receivers(same), open: receivers(same.filter(({ status }) => status === 'open')) };
}
