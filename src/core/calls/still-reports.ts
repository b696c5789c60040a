/**
 * Detects reports that no longer update: no new call for four hours in which each of the last four weeks had calls. The
 * provider still answers, so nothing else shows that its answer is old.
 */
import { SECOND } from '../text/duration.ts';
import type { StaleDetails } from '../transition/call-details.ts';
import type { Call, CallKind } from './call-model.ts';
import { HOUR_SECONDS } from './local-days.ts';

export const STILL = { hours: 4, weeks: 4, fewestCalls: 10 } as const;

export interface StillReport {
  kind: StaleDetails['report'];
  /** End of its last call, epoch seconds; null if none is stored. */
  since: number | null;
}

interface ReportContext {
  /** Epoch seconds. */
  now: number;
  timezone: string;
  /** Epoch seconds since which a report is read; null if it was never read. */
  knownSince(kind: CallKind): number | null;
}

/** `calls` sorted by their ends. Calls diverted to outside numbers are too few to judge. */
export function findStillReports(calls: readonly Call[], { now, timezone, knownSince }: ReportContext): StillReport[] {
  return (['missed', 'answered', 'outgoing'] as const).flatMap((kind): StillReport[] => {
    const known = knownSince(kind);
    const own = calls.filter((call) => call.kind === kind);
    const last = own.at(-1)?.ended ?? null;
    if (known === null || (last !== null && now - last < STILL.hours * HOUR_SECONDS)) return [];
    const weeks = Array.from({ length: STILL.weeks }, (_, index) => subtractWeeks(now, index + 1, timezone));
    const isUsual = weeks.every((end) => {
      const begin = end - STILL.hours * HOUR_SECONDS;
      const count = own.filter(({ ended }) => ended > begin && ended <= end).length;
      return known <= begin && count >= STILL.fewestCalls;
    });
    return isUsual ? [{ kind, since: last }] : [];
  });
}

/** Same local time of day. */
function subtractWeeks(seconds: number, weeks: number, timezone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(seconds * SECOND).toZonedDateTimeISO(timezone);
  return Math.floor(local.subtract({ weeks }).epochMilliseconds / SECOND);
}
