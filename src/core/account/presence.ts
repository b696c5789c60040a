/**
 * Presence of a phone: how long it is absent from complete responses, when that counts, the length of its lease, and
 * its renewals.
 */
import { ANSWERS_UNTIL_BELIEVED, HABIT_WITHIN_MS, RISE_MS } from './losses/loss-rules.ts';
import type { Contact } from './account-model.ts';
import type { Absence, Lease, PhoneMemory } from './account-snapshot.ts';

/**
 * Counts one more absence; an absence that is counted up already is returned as it is. `seen`: when it was last seen.
 */
export function countAbsence(known: Absence | null, clock: number, now: number, seen = now): Absence {
  if (known === null) {
    const absence = { since: now, from: clock, sweeps: 1 };
    return now - seen > HABIT_WITHIN_MS ? { ...absence, seen } : absence;
  }
  return known.sweeps > ANSWERS_UNTIL_BELIEVED ? known : { ...known, sweeps: known.sweeps + 1 };
}

/** Absent from enough responses, and for the hold-off. */
export function isRipe(absence: Absence | undefined, clock: number, holdOffMs: number): boolean {
  return absence !== undefined && absence.sweeps >= ANSWERS_UNTIL_BELIEVED && clock - absence.from >= holdOffMs;
}

/** Offline by habit: not expected now. */
export function isAway({ missing, lost }: PhoneMemory): boolean {
  return lost === null && missing?.habit !== undefined;
}

/** Missing, and not lost yet: it may return within a minute. */
export function isMissing(phone: PhoneMemory): boolean {
  return phone.lost === null && phone.missing !== null && !isAway(phone);
}

/**
 * The remaining time was computed by the provider at some time during the request, which started `askedAgoMs` before
 * `clock`.
 */
export function updateLease(
  known: Lease | undefined,
  contacts: readonly Contact[],
  clock: number,
  askedAgoMs: number,
): Lease | null {
  let leftMs: number | undefined;
  let until: Contact['until'];
  for (const contact of contacts) {
    if (contact.expiresInMs === undefined || contact.expiresInMs <= (leftMs ?? -Infinity)) continue;
    leftMs = contact.expiresInMs;
    until = contact.until;
  }
  if (leftMs === undefined) return null;
  const expiresAt = clock + leftMs;
  const dated = until === undefined ? {} : { until };
  if (known === undefined) return { expiresAt, renewedAt: null, longestMs: leftMs, countsDown: false, ...dated };
  const isRenewed = expiresAt - askedAgoMs > known.expiresAt + RISE_MS;
  return {
    expiresAt,
    renewedAt: isRenewed ? clock : known.renewedAt,
    longestMs: Math.max(known.longestMs, leftMs),
    countsDown: known.countsDown || leftMs < known.longestMs - RISE_MS,
    ...dated,
  };
}

/**
 * A provider that always shows the same number shows no renewals. One phone seen to count down proves the opposite for
 * all: those renewed more often than they are read never count down.
 */
export function canSeeRenewals(phones: Iterable<PhoneMemory>): boolean {
  for (const { lease } of phones) if (lease?.countsDown === true) return true;
  return false;
}
