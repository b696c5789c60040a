/**
 * The plan of reading calls: which report is due next, over which window, and how far back it is known. Requests of calls
 * come one at a time and ten seconds apart at least, so that phones and switches never wait for more than one of them.
 */
import { CALL_KINDS, CHARGE_LISTS, type CallKind, type ChargeList } from '../../core/calls/call-model.ts';
import type { CallSettings } from '../../core/calls/call-settings.ts';
import { isWithin } from '../../core/text/hours.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../core/text/duration.ts';

export type CallPart = CallKind | `charges ${ChargeList}` | 'mails' | 'skillsets' | 'lines';

/** Between the starts of two requests. */
export const APART_MS = 10 * SECOND;
export const PAST_MS = 60 * DAY;
/** Every window is shorter than a month in any zone. */
export const LONGEST_WINDOW_MS = 28 * DAY;
/** A window that is too large at this length is left unread. */
export const SHORTEST_WINDOW_MS = 15 * MINUTE;
/** A report that an account does not have is asked for again after this long. */
export const REFUSED_FOR_MS = DAY;

interface Reading {
  part: CallPart;
  everyMs: number;
  backMs: number;
}

/** A reading that is due: epoch milliseconds, null for what has no window. */
export interface Due {
  part: CallPart;
  window: { from: number; to: number } | null;
  isPast: boolean;
}

export function listReadings(settings: CallSettings): Reading[] {
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

/** Every sweep of agents in staffed hours is a minute after the other; outside of them ten. */
export function findInterval({ part, everyMs }: Reading, { skillsets }: CallSettings, now: number): number {
  const isStaffed = part !== 'skillsets' || skillsets.some(({ staffed }) => isWithin(staffed, now));
  return isStaffed ? everyMs : 10 * everyMs;
}

/** Reports with a window, whose past is read once, a day a request. */
export function isDated(part: CallPart): boolean {
  return part.startsWith('charges ') || (CALL_KINDS as readonly string[]).includes(part);
}

/** The day before what is known of a part; null where all of the past is. */
export function findPastWindow(readSince: number | undefined, now: number): { from: number; to: number } | null {
  const to = readSince ?? now;
  const oldest = now - PAST_MS;
  if (to <= oldest) return null;
  return { from: Math.max(oldest, to - DAY), to };
}
