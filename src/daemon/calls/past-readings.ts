/** Reads the past of all reports once, a day a request, the latest first. */
import type { Miss } from '../../core/observation/listing.ts';
import { HOUR } from '../../core/text/duration.ts';
import { computeRetryWait } from '../../core/text/retry.ts';
import { isTransient } from '../../provider/errors.ts';
import { type CallPart, type DueReading, findPastWindow, RETRY } from './call-plan.ts';

/** A day that fails is given up after these: two hours. Without it a number called that day counts as a new one. */
const MOST_FAILURES = 7;

export interface PastMoment {
  /** Epoch milliseconds. */
  now: number;
  /** Milliseconds of a monotonic clock. */
  at: number;
}

/** `parts`: reports with a window. */
export function createPastReadings(parts: readonly CallPart[]) {
  const failed = new Map<CallPart, { failures: number; at: number }>();

  function isWaiting(part: CallPart, at: number): boolean {
    const last = failed.get(part);
    return last !== undefined && at - last.at < computeRetryWait({ ...RETRY, capMs: HOUR }, last);
  }

  return {
    /** The report with the shortest known past comes next, so that all reach back equally far. Null if none is due. */
    next(
      readSince: Readonly<Partial<Record<CallPart, number>>>,
      isRefused: (part: CallPart) => boolean,
      { now, at }: PastMoment,
    ): DueReading | null {
      const open = parts.filter((part) => !isRefused(part) && !isWaiting(part, at));
      const [part] = open.toSorted((a, b) => (readSince[b] ?? now) - (readSince[a] ?? now));
      const window = part === undefined ? null : findPastWindow(readSince[part], now);
      return part === undefined || window === null ? null : { part, window, isPast: true, isLong: true };
    },
    /** False if the window is to be read again: it failed, and may succeed later. */
    isOver(part: CallPart, missed: Miss | null, { at }: Pick<PastMoment, 'at'>): boolean {
      const failures = (failed.get(part)?.failures ?? 0) + 1;
      const isOver = missed === null || !isTransient(missed) || failures >= MOST_FAILURES;
      if (isOver) failed.delete(part);
      else failed.set(part, { failures, at });
      return isOver;
    },
  };
}
