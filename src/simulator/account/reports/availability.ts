/** When agents were available, logged out or on a break. */
import type { AgentChange, Extension } from '../extensions.ts';
import { type Period, datetimeText } from '../times.ts';

export interface AvailabilityQuestion {
  period: Period;
  zone: string;
  /** Extension numbers and statuses; empty means all. */
  agents: readonly string[];
  statuses: readonly string[];
  /** Epoch seconds; a status that lasts is counted up to here. */
  now: number;
}

/** One row for each change of status in the period; `duration` is until the next one, in seconds. */
export function agentAvailability(
  changes: readonly AgentChange[],
  extensions: readonly Extension[],
  question: AvailabilityQuestion,
) {
  const { period, zone, agents, statuses, now } = question;
  const names = new Map(extensions.map((extension) => [extension.user_id, extension.name]));
  return changes.flatMap((change, index) => {
    const wanted =
      (agents.length === 0 || agents.includes(change.userId)) &&
      (statuses.length === 0 || statuses.includes(change.status)) &&
      change.since >= period.start &&
      change.since < period.end;
    if (!wanted) return [];
    const next = changes.slice(index + 1).find((later) => later.userId === change.userId);
    return {
      user_id: change.userId,
      name: names.get(change.userId) ?? change.userId,
      status: change.status,
      epoch: Math.floor(change.since),
      date_time: datetimeText(change.since, zone),
      timezone: zone,
      duration: Math.floor((next?.since ?? now) - change.since),
    };
  });
}
