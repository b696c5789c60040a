/**
 * Zone of the bill: charges have local times without one. Charges and outgoing calls share a `uuid`; the offset that most
 * of them agree on is the bill's, counted to the answer of a call or to its creation, in quarter hours.
 */
import { HOUR, MINUTE, SECOND } from '../text/duration.ts';
import type { Call, Charge } from './call-model.ts';

const QUARTER_SECONDS = (15 * MINUTE) / SECOND;
const FEWEST_ROWS = 5;
/** No zone is farther from UTC. */
const FARTHEST_SECONDS = (14 * HOUR) / SECOND;

/** Seconds to take from a charge's time for UTC; null where too few rows agree. */
export function findChargeOffset(charges: readonly Charge[], callOf: (uuid: string) => Call | null): number | null {
  const counts = new Map<number, number>();
  for (const charge of charges) {
    const call = charge.uuid === '' ? null : callOf(charge.uuid);
    if (call === null) continue;
    const offsets = new Set([quarterOf(charge.start - (call.ended - call.talk)), quarterOf(charge.start - call.began)]);
    for (const offset of offsets) if (offset !== null) counts.set(offset, (counts.get(offset) ?? 0) + 1);
  }
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  return best !== undefined && best[1] >= FEWEST_ROWS ? best[0] : null;
}

/** Null where it is no whole quarter, but for the seconds by which two clocks may differ. */
function quarterOf(seconds: number): number | null {
  const quarter = Math.round(seconds / QUARTER_SECONDS) * QUARTER_SECONDS;
  const isNear = Math.abs(seconds - quarter) <= 120;
  return isNear && Math.abs(quarter) <= FARTHEST_SECONDS ? quarter : null;
}

/** Reads the time of a charge in a zone: epoch seconds. */
export function toInstantIn(start: number, timezone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(start * SECOND)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime();
  return Math.floor(local.toZonedDateTime(timezone).epochMilliseconds / SECOND);
}
