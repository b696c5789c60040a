/**
 * Whether a phone is there: for how long something has been missing from complete answers, when that is believed, for how
 * long a registration is given, and when it is seen to be renewed.
 */
import { findMaximum } from '../transition/collections.ts';
import { ANSWERS_UNTIL_BELIEVED, HABIT_WITHIN_MS, RISE_MS } from './losses/loss-rules.ts';
import type { Contact } from './account-model.ts';
import type { Absence, Lease, PhoneMemory } from './account-snapshot.ts';

/** Missing once more: an absence that is counted no further is returned as it is. `seen`: when it was last there. */
export function absent(known: Absence | null, clock: number, now: number, seen = now): Absence {
  if (known === null) {
    const absence = { since: now, from: clock, sweeps: 1 };
    return now - seen > HABIT_WITHIN_MS ? { ...absence, seen } : absence;
  }
  return known.sweeps > ANSWERS_UNTIL_BELIEVED ? known : { ...known, sweeps: known.sweeps + 1 };
}

/** Missing from enough answers, and for as long as the hold-off. */
export function isRipe(absence: Absence | undefined, clock: number, holdOffMs: number): boolean {
  return absence !== undefined && absence.sweeps >= ANSWERS_UNTIL_BELIEVED && clock - absence.from >= holdOffMs;
}

/** Logged off as on most days: it is not expected to be there. */
export function isAway({ missing, lost }: PhoneMemory): boolean {
  return lost === null && missing?.habit !== undefined;
}

/** What is left was counted when the provider answered: at some time since it was asked, `askedAgoMs` before `clock`. */
export function leaseAfter(
  known: Lease | undefined,
  contacts: readonly Contact[],
  clock: number,
  askedAgoMs: number,
): Lease | null {
  const left = contacts.flatMap(({ expiresInMs }) => expiresInMs ?? []);
  if (left.length === 0) return null;
  const leftMs = findMaximum(left);
  const expiresAt = clock + leftMs;
  const until = contacts.find(({ expiresInMs }) => expiresInMs === leftMs)?.until;
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
 * A provider that always shows the same number says nothing of renewals. One phone that was seen to count down speaks
 * for all: those that renew more often than they are asked never do.
 */
export function leasesSpeak(phones: Iterable<PhoneMemory>): boolean {
  for (const { lease } of phones) if (lease?.countsDown === true) return true;
  return false;
}
