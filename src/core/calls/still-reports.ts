/**
 * Detects reports that no longer update: no new call for four hours in which each of the last four weeks had calls. The
 * provider still answers, so nothing else shows that its answer is old.
 */
import type { StaleDetails } from '../transition/call-details.ts';
import type { CallKind, SelectCalls } from './call-model.ts';
import { HOUR_SECONDS, subtractWeeks } from './local-days.ts';

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

/** Calls diverted to outside numbers are too few to judge. */
export function findStillReports(calls: SelectCalls, { now, timezone, knownSince }: ReportContext): StillReport[] {
  return (['missed', 'answered', 'outgoing'] as const).flatMap((kind): StillReport[] => {
    const known = knownSince(kind);
    const kinds = [kind];
    if (known === null || calls({ kinds, from: now - STILL.hours * HOUR_SECONDS + 1 }).length > 0) return [];
    const weeks = Array.from({ length: STILL.weeks }, (_, index) => subtractWeeks(now, index + 1, timezone));
    const isUsual = weeks.every((end) => {
      const begin = end - STILL.hours * HOUR_SECONDS;
      return known <= begin && calls({ kinds, from: begin + 1, to: end + 1 }).length >= STILL.fewestCalls;
    });
    return isUsual ? [{ kind, since: calls({ kinds }).at(-1)?.ended ?? null }] : [];
  });
}
