/** Declared hours as a week, in the notation of the configuration: when a toggle should be on, and when off. */
import type { Hours, HoursRange } from './calendar.ts';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const DAY = 1440;
const WEEK = 7 * DAY;

interface Stretch {
  /** Minutes after the beginning of Monday. */
  from: number;
  until: number;
}

/** `Mon-Fri 08:30-17:30`; nothing where it is so all week, never, or on a date with hours of its own. */
export function rangesOfWeek(hours: Hours, status: boolean, at: number): string[] {
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(hours.timezone).toPlainDate().toString();
  if (hours.except.some(({ dates }) => dates.includes(today))) return [];
  const on = merged(hours.ranges.flatMap(stretches));
  const stretchesOf = status ? joinedOverSunday(on) : joinedOverSunday(between(on));
  if (stretchesOf.some(({ from, until }) => until - from >= WEEK)) return [];
  return inRuns(stretchesOf);
}

function stretches({ days, start, endDay, end }: HoursRange): Stretch[] {
  return days.flatMap((day) => {
    const from = (day - 1) * DAY + start;
    const until = (day - 1 + endDay) * DAY + end;
    return until <= WEEK
      ? [{ from, until }]
      : [
          { from, until: WEEK },
          { from: 0, until: Math.min(WEEK, until - WEEK) },
        ];
  });
}

function merged(all: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  for (const { from, until } of all.toSorted((a, b) => a.from - b.from)) {
    const last = out.at(-1);
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until);
    else if (until > from) out.push({ from, until });
  }
  return out;
}

function between(on: readonly Stretch[]): Stretch[] {
  const edges = [0, ...on.flatMap(({ from, until }) => [from, until]), WEEK];
  return edges.flatMap((from, index) => {
    const until = edges[index + 1];
    return index % 2 === 1 || until === undefined || until === from ? [] : [{ from, until }];
  });
}

/** What goes on from Sunday to Monday is one stretch. */
function joinedOverSunday(all: readonly Stretch[]): Stretch[] {
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined || first === last) return [...all];
  if (first.from !== 0 || last.until !== WEEK) return [...all];
  return [...all.slice(1, -1), { from: last.from, until: WEEK + first.until }];
}

/** Days one after the other with the same hours are one range. */
function inRuns(all: readonly Stretch[]): string[] {
  const runs: { first: number; last: number; times: string }[] = [];
  for (const { from, until } of all.toSorted((a, b) => a.from - b.from)) {
    const day = Math.floor(from / DAY);
    const isWithinADay = until - from <= DAY;
    const end = Math.floor((until - 1) / DAY);
    const times = isWithinADay
      ? `${beginning(from)}-${ending(until)}`
      : `${beginning(from)}-${DAYS[end % 7] ?? ''} ${ending(until)}`;
    const run = runs.at(-1);
    if (isWithinADay && run !== undefined && run.times === times && run.last === day - 1) run.last = day;
    else runs.push({ first: day, last: day, times });
  }
  return runs.map(
    ({ first, last, times }) => `${DAYS[first] ?? ''}${last > first ? `-${DAYS[last] ?? ''}` : ''} ${times}`,
  );
}

function beginning(minutes: number): string {
  return clock(minutes % DAY);
}

/** Midnight is the end of the day before. */
function ending(minutes: number): string {
  return clock(minutes % DAY === 0 ? DAY : minutes % DAY);
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
