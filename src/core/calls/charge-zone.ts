/**
 * Infers the time zone of the bill, whose charges have local times without a zone. A charge and its call share a
 * `uuid`. The bill counts from the call's answer or creation; the offset in quarter hours on which most charges agree
 * wins.
 */
import { HOUR, MINUTE, SECOND } from '../text/duration.ts';
import type { Call, Charge } from './call-model.ts';
import { DAY_SECONDS } from './local-days.ts';

const QUARTER_SECONDS = (15 * MINUTE) / SECOND;
const FEWEST_ROWS = 5;
/** No time zone is farther from UTC. */
const FARTHEST_SECONDS = (14 * HOUR) / SECOND;

/** Seconds to subtract from a charge's time for UTC; null if too few charges agree. */
export function findChargeOffset(charges: readonly Charge[], callOf: (uuid: string) => Call | null): number | null {
  const counts = new Map<number, number>();
  for (const charge of charges) {
    const call = charge.uuid === '' ? null : callOf(charge.uuid);
    if (call === null) continue;
    const offsets = new Set([
      roundToQuarter(charge.start - (call.ended - call.talk)),
      roundToQuarter(charge.start - call.began),
    ]);
    for (const offset of offsets) if (offset !== null) counts.set(offset, (counts.get(offset) ?? 0) + 1);
  }
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  return best !== undefined && best[1] >= FEWEST_ROWS ? best[0] : null;
}

/** Null unless it is a whole number of quarter hours, give or take the difference of two clocks. */
function roundToQuarter(seconds: number): number | null {
  const quarter = Math.round(seconds / QUARTER_SECONDS) * QUARTER_SECONDS;
  const isNear = Math.abs(seconds - quarter) <= 120;
  return isNear && Math.abs(quarter) <= FARTHEST_SECONDS ? quarter : null;
}

/** Offsets by day of the bill, because daylight saving changes them. */
export type ChargeOffsets = Readonly<Record<string, number>>;

/** Adds the offsets of days on which enough charges agree. */
export function addChargeOffsets(
  known: ChargeOffsets,
  charges: readonly Charge[],
  callOf: (uuid: string) => Call | null,
): ChargeOffsets {
  const days = Map.groupBy(charges, ({ start }) => Math.floor(start / DAY_SECONDS));
  const found = [...days].flatMap(([number, some]) => {
    const day = toBillDay(number * DAY_SECONDS);
    const offset = findChargeOffset(some, callOf);
    return offset === null || offset === known[day] ? [] : [[day, offset] as const];
  });
  return found.length === 0 ? known : { ...known, ...Object.fromEntries(found) };
}

/** Epoch seconds of a charge, taken from its call. Null if neither moment of the call differs by a whole offset. */
export function toCallInstant(start: number, call: Call): number | null {
  const moments = [call.ended - call.talk, call.began];
  return moments.find((at) => roundToQuarter(start - at) !== null) ?? null;
}

/**
 * Epoch seconds of a charge. If the zone has the offset of that day (or of the nearest day with one), the zone
 * converts, because it has the hour at which clocks change. Otherwise the offset is subtracted.
 */
export function toChargeInstant(start: number, zone: string, offsets: ChargeOffsets): number {
  const inZone = toInstantIn(start, zone);
  const day = toBillDay(start);
  const near = offsets[day] === undefined ? findNearestDay(day, offsets) : day;
  const offset = near === null ? undefined : offsets[near];
  if (near === null || offset === undefined) return inZone;
  const midnight = Date.parse(`${near}T00:00:00Z`) / SECOND;
  const hasOffset = [midnight, midnight + DAY_SECONDS].some((at) => at - toInstantIn(at, zone) === offset);
  return hasOffset ? inZone : start - offset;
}

function findNearestDay(day: string, offsets: ChargeOffsets): string | null {
  const apart = (other: string): number => Math.abs(Date.parse(other) - Date.parse(day));
  return Object.keys(offsets).toSorted((a, b) => apart(a) - apart(b))[0] ?? null;
}

/** Day in the format of the bill: `2026-11-26`. */
function toBillDay(start: number): string {
  return new Date(start * SECOND).toISOString().slice(0, 10);
}

/** Seconds from a zone's local time to UTC, memoised by quarter hour: Temporal takes longer than all else. */
const differencesByZone = new Map<string, Map<number, number>>();
/** Two years of quarter hours. */
const MOST_QUARTERS = 70_000;

/** Reads the time of a charge in a zone: epoch seconds. Clocks change at quarter hours. */
function toInstantIn(start: number, timezone: string): number {
  const known = differencesByZone.get(timezone) ?? new Map<number, number>();
  if (known.size > MOST_QUARTERS) known.clear();
  differencesByZone.set(timezone, known);
  const quarter = Math.floor(start / QUARTER_SECONDS);
  let difference = known.get(quarter);
  if (difference === undefined) {
    difference = convertToInstant(quarter * QUARTER_SECONDS, timezone) - quarter * QUARTER_SECONDS;
    known.set(quarter, difference);
  }
  return start + difference;
}

function convertToInstant(start: number, timezone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(start * SECOND)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime();
  return Math.floor(local.toZonedDateTime(timezone).epochMilliseconds / SECOND);
}
