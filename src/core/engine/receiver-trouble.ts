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

/** What is told of this receiver is about it. */
export function subjectOfReceiver(receiver: string): string {
  return PREFIX + receiver;
}

/** Whether it is told that this receiver fails, and not its end. */
export function isToldFailing(alerts: readonly Alert[], receiver: string): boolean {
  return alerts.some(({ status, subjects }) => status === 'open' && subjects.includes(subjectOfReceiver(receiver)));
}

/** `found` by each that sends; null for one of which nothing is known: that it has none is not known either. */
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
  const told = alerts.flatMap(({ status, subjects }) => (status === 'open' ? subjects : []));
  const over = told.flatMap((subject): ReceiverNews[] => {
    const receiver = subject.startsWith(PREFIX) ? subject.slice(PREFIX.length) : null;
    return receiver === null || troubles.has(receiver) ? [] : [{ kind: 'receiver recovered', receiver }];
  });
  return [...begun, ...over];
}
