/**
 * Trouble with receivers where several daemons of one installation send to the same: each finds it by itself, and the first
 * tells it for all, once, and its end once nobody has it any more.
 */
import type { Alert } from '../alert/alert.ts';

/** Worth to be told: it refuses for good, or has failed for long. Since when, epoch milliseconds, and why. */
export interface ReceiverTrouble {
  receiver: string;
  since: number;
  reason: string;
}

export type ReceiverNews =
  | ({ kind: 'receiver failed' } & ReceiverTrouble)
  | { kind: 'receiver recovered'; receiver: string };

const PREFIX = 'receiver/';

/** The subject of every transition about this receiver. */
export function subjectOfReceiver(receiver: string): string {
  return PREFIX + receiver;
}

/** Whether it is told that this receiver fails, and not its end. */
export function isToldFailing(alerts: readonly Alert[], receiver: string): boolean {
  return toldFailing(alerts).some((told) => told.receiver === receiver);
}

/** The alerts that tell of receivers that fail, of each the receiver. */
export function toldFailing(alerts: readonly Alert[]): { receiver: string; alert: Alert }[] {
  return alerts.flatMap((alert) =>
    alert.subjects.flatMap((subject) =>
      alert.status === 'open' && subject.startsWith(PREFIX) ? [{ receiver: subject.slice(PREFIX.length), alert }] : [],
    ),
  );
}

/** `found`: the troubles of each daemon that sends; null for a daemon of which nothing is known, which may have some. */
export function receiverNews(
  alerts: readonly Alert[],
  found: readonly (readonly ReceiverTrouble[] | null)[],
): ReceiverNews[] {
  const troubles = Map.groupBy(
    found.flatMap((each) => each ?? []),
    ({ receiver }) => receiver,
  );
  const begun = [...troubles.values()].flatMap((all): ReceiverNews[] => {
    const [first] = all.toSorted((a, b) => a.since - b.since);
    return first === undefined || isToldFailing(alerts, first.receiver) ? [] : [{ kind: 'receiver failed', ...first }];
  });
  if (found.includes(null)) return begun;
  const over = toldFailing(alerts).flatMap(({ receiver }): ReceiverNews[] =>
    troubles.has(receiver) ? [] : [{ kind: 'receiver recovered', receiver }],
  );
  return [...begun, ...over];
}
