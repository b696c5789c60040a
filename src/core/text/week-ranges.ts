/** Formats weekly hours: `Mon-Fri 08:30-17:30`, for the times on or off. */
import { A_DAY, WEEKDAYS, type Hours, type HoursRange } from './hours.ts';

const A_WEEK = 7 * A_DAY;

interface HourStretch {
  /** Minutes since Monday 00:00. */
  from: number;
  until: number;
}

/** Empty if the status never changes, or on a date with exceptional hours. */
export function formatWeekRanges(hours: Hours, status: boolean, at: number): string[] {
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(hours.timezone).toPlainDate().toString();
  if (hours.except.some(({ dates }) => dates.includes(today))) return [];
  const on = merged(hours.ranges.flatMap(stretches));
  const stretchesOf = status ? joinOverSunday(on) : joinOverSunday(between(on));
  if (stretchesOf.some(({ from, until }) => until - from >= A_WEEK)) return [];
  return formatRuns(stretchesOf);
}

function stretches({ days, start, endDay, end }: HoursRange): HourStretch[] {
  return days.flatMap((day) => {
    const from = (day - 1) * A_DAY + start;
    const until = (day - 1 + endDay) * A_DAY + end;
    return until <= A_WEEK
      ? [{ from, until }]
      : [
          { from, until: A_WEEK },
          { from: 0, until: Math.min(A_WEEK, until - A_WEEK) },
        ];
  });
}

function merged(all: readonly HourStretch[]): HourStretch[] {
  const out: HourStretch[] = [];
  for (const { from, until } of all.toSorted((a, b) => a.from - b.from)) {
    const last = out.at(-1);
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until);
    else if (until > from) out.push({ from, until });
  }
  return out;
}

function between(on: readonly HourStretch[]): HourStretch[] {
  const edges = [0, ...on.flatMap(({ from, until }) => [from, until]), A_WEEK];
  return edges.flatMap((from, index) => {
    const until = edges[index + 1];
    return index % 2 === 1 || until === undefined || until === from ? [] : [{ from, until }];
  });
}

/** Joins a stretch that crosses from Sunday to Monday. */
function joinOverSunday(all: readonly HourStretch[]): HourStretch[] {
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined || first === last) return [...all];
  if (first.from !== 0 || last.until !== A_WEEK) return [...all];
  return [...all.slice(1, -1), { from: last.from, until: A_WEEK + first.until }];
}

/** Merges consecutive days with equal hours. */
function formatRuns(all: readonly HourStretch[]): string[] {
  const runs: { first: number; last: number; times: string }[] = [];
  for (const { from, until } of all.toSorted((a, b) => a.from - b.from)) {
    const day = Math.floor(from / A_DAY);
    const isWithinADay = until - from <= A_DAY;
    const end = Math.floor((until - 1) / A_DAY);
    const times = isWithinADay
      ? `${beginning(from)}-${ending(until)}`
      : `${beginning(from)}-${WEEKDAYS[end % 7] ?? ''} ${ending(until)}`;
    const run = runs.at(-1);
    if (isWithinADay && run !== undefined && run.times === times && run.last === day - 1) run.last = day;
    else runs.push({ first: day, last: day, times });
  }
  return runs.map(
    ({ first, last, times }) => `${WEEKDAYS[first] ?? ''}${last > first ? `-${WEEKDAYS[last] ?? ''}` : ''} ${times}`,
  );
}

function beginning(minutes: number): string {
  return clock(minutes % A_DAY);
}

/** Writes midnight as 24:00 of the day before. */
function ending(minutes: number): string {
  return clock(minutes % A_DAY === 0 ? A_DAY : minutes % A_DAY);
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
