/**
 * Failed receivers where several daemons of one installation send to them. Each daemon detects a failure; the first one
 * reports it for all, and its end once no daemon has it.
 */
import type { Alert } from '../alert/alert.ts';

/** A failure to report: permanent, or lasting for long. `since` is epoch milliseconds. */
export interface ReceiverTrouble {
  receiver: string;
  since: number;
  reason: string;
}

export type ReceiverNews =
  | ({ kind: 'receiver failed' } & ReceiverTrouble)
  | { kind: 'receiver recovered'; receiver: string };

const PREFIX = 'receiver/';

/** Subject of all transitions about this receiver. */
export function toReceiverSubject(receiver: string): string {
  return PREFIX + receiver;
}

/** A failure of this receiver was reported, and not its end. */
export function isReportedFailing(alerts: readonly Alert[], receiver: string): boolean {
  return listReportedFailures(alerts).some((failure) => failure.receiver === receiver);
}

/** Open alerts about failed receivers, with the receiver. */
export function listReportedFailures(alerts: readonly Alert[]): { receiver: string; alert: Alert }[] {
  return alerts.flatMap((alert) =>
    alert.subjects.flatMap((subject) =>
      alert.status === 'open' && subject.startsWith(PREFIX) ? [{ receiver: subject.slice(PREFIX.length), alert }] : [],
    ),
  );
}

/** `found`: failures that each sending daemon has; null for a daemon whose failures are unknown. */
export function findReceiverNews(
  alerts: readonly Alert[],
  found: readonly (readonly ReceiverTrouble[] | null)[],
): ReceiverNews[] {
  const troubles = Map.groupBy(
    found.flatMap((each) => each ?? []),
    ({ receiver }) => receiver,
  );
  const begun = [...troubles.values()].flatMap((all): ReceiverNews[] => {
    const [first] = all.toSorted((a, b) => a.since - b.since);
    return first === undefined || isReportedFailing(alerts, first.receiver)
      ? []
      : [{ kind: 'receiver failed', ...first }];
  });
  if (found.includes(null)) return begun;
  const over = listReportedFailures(alerts).flatMap(({ receiver }): ReceiverNews[] =>
    troubles.has(receiver) ? [] : [{ kind: 'receiver recovered', receiver }],
  );
  return [...begun, ...over];
}
