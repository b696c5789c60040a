/**
 * Plan of reading calls: which report is due next, over which window, and how far back it is read. Requests for calls
 * run one at a time and at least ten seconds apart, so that phones and toggles never wait for more than one.
 */
import { CALL_KINDS, CHARGE_LISTS, type CallKind, type ChargeList } from '../../core/calls/call-model.ts';
import type { CallSettings } from '../../core/calls/call-settings.ts';
import { isWithin } from '../../core/text/hours.ts';
import { computeRetryWait } from '../../core/text/retry.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../core/text/duration.ts';

export type CallPart = CallKind | `charges ${ChargeList}` | 'mails' | 'skillsets' | 'lines';

/** From the start of a request to the start of the next. */
export const APART_MS = 10 * SECOND;
export const PAST_MS = 60 * DAY;
/** Every window is shorter than a month in any zone. */
export const LONGEST_WINDOW_MS = 28 * DAY;
/** Shortest window: if the provider calls it too large, it stays unread. */
export const SHORTEST_WINDOW_MS = 15 * MINUTE;
/** Interval of retries of a report that the account does not have. */
export const REFUSED_FOR_MS = DAY;

export interface PlannedReading {
  part: CallPart;
  everyMs: number;
  backMs: number;
}

/** Epoch milliseconds. */
export type TimeWindow = { from: number; to: number };

/** A reading that is due; null without a window. */
export interface DueReading {
  part: CallPart;
  window: TimeWindow | null;
  isPast: boolean;
  /** One account reads a long window at a time. */
  isLong: boolean;
}

export function createReading(part: CallPart, window: TimeWindow | null): DueReading {
  return { part, window, isPast: false, isLong: false };
}

export function listReadings(settings: CallSettings): PlannedReading[] {
  const { missed, routes, spend, skillsets } = settings;
  const hasCalls = missed || routes;
  const incoming: CallKind[] = hasCalls ? ['missed', 'answered', 'diverted'] : [];
  return [
    ...(hasCalls || spend !== null ? [{ part: 'outgoing' as const, everyMs: 5 * MINUTE, backMs: 6 * HOUR }] : []),
    ...incoming.map((part) => ({ part, everyMs: 10 * MINUTE, backMs: HOUR })),
    ...(spend === null
      ? []
      : CHARGE_LISTS.map((list) => ({ part: `charges ${list}` as const, everyMs: 15 * MINUTE, backMs: 2 * DAY }))),
    ...(hasCalls ? [{ part: 'mails' as const, everyMs: 15 * MINUTE, backMs: 0 }] : []),
    ...(hasCalls || spend !== null ? [{ part: 'lines' as const, everyMs: 6 * HOUR, backMs: 0 }] : []),
    ...(skillsets.length > 0 ? [{ part: 'skillsets' as const, everyMs: MINUTE, backMs: 0 }] : []),
  ];
}

/** Once a day, data that is billed or reported late: yesterday's outgoing calls, and the month's charges. */
export function listNightlyReadings(settings: CallSettings): { part: CallPart; backMs: number }[] {
  const charges = settings.spend === null ? [] : CHARGE_LISTS.map((list) => `charges ${list}` as const);
  return [
    ...charges.map((part) => ({ part, backMs: LONGEST_WINDOW_MS })),
    ...listReadings(settings).flatMap(({ part }) => (part === 'outgoing' ? [{ part, backMs: 2 * DAY }] : [])),
  ];
}

/** After a transient failure: fraud and a reached limit of charges do not wait until the report is due again. */
export const RETRY = { firstMs: MINUTE, factor: 2, jitter: 0 } as const;

/**
 * From one reading to the next. Agents are swept every minute in staffed hours and every ten minutes outside of them.
 * `failures`: consecutive transient ones.
 */
export function findInterval(
  { part, everyMs }: PlannedReading,
  { skillsets, now, failures }: Pick<CallSettings, 'skillsets'> & { now: number; failures: number },
): number {
  const isStaffed = part !== 'skillsets' || skillsets.some(({ staffed }) => isWithin(staffed, now));
  const dueMs = isStaffed ? everyMs : 10 * everyMs;
  return failures === 0 ? dueMs : computeRetryWait({ ...RETRY, capMs: dueMs }, { failures });
}

/** True for reports with a window, whose past is read once, a day a request. */
export function isDated(part: CallPart): boolean {
  return part.startsWith('charges ') || (CALL_KINDS as readonly string[]).includes(part);
}

/** The day before the known span of a part; null once all of the past is read. */
export function findPastWindow(readSince: number | undefined, now: number): { from: number; to: number } | null {
  const to = readSince ?? now;
  const oldest = now - PAST_MS;
  if (to <= oldest) return null;
  return { from: Math.max(oldest, to - DAY), to };
}
