/** An alert that several sources take part in, seen from one of them. */
import type { Alert } from './record.ts';

/** What others have told of an alert. */
export interface Elsewhere {
  /** Whom they told, and under which subject. */
  told: ReadonlyMap<string, string>;
  /** When each of them was last told there of an outage of phones. */
  heardAt: ReadonlyMap<string, number>;
  /** Since when an outage of phones is told there; infinite while it is not. */
  outageSince: number;
  /** Those of them for whom it goes on. */
  open: readonly string[];
}

/** `others` holds the alerts of each other source. */
export function elsewhereOf(
  alert: string,
  others: readonly (readonly (Pick<Alert, 'id' | 'status' | 'title' | 'told'> & {
    suspected?: boolean;
    openedAt?: number;
  })[])[],
): Elsewhere {
  const same = others.flatMap((alerts) => alerts.filter(({ id }) => id === alert));
  const receivers = (some: typeof same): [receiver: string, subject: string][] =>
    some.flatMap(({ title, told }) =>
      told.map(({ receiver, subject }): [string, string] => [receiver, subject ?? title]),
    );
  const open = receivers(same.filter(({ status }) => status === 'open'));
  const heardAt = new Map<string, number>();
  let outageSince = Infinity;
  for (const { suspected = false, openedAt = Infinity, told } of same) {
    if (!suspected) continue;
    outageSince = Math.min(outageSince, openedAt);
    for (const { receiver, at } of told) heardAt.set(receiver, Math.max(at, heardAt.get(receiver) ?? 0));
  }
  return {
    heardAt,
    outageSince,
    told: new Map(receivers(same)),
    open: [...new Set(open.map(([receiver]) => receiver))],
  };
}
