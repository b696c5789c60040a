/** For how long a registration is given, and when it is seen to be renewed. */
import { RISE_MS } from './losses/rules.ts';
import type { Contact } from './model.ts';
import type { Lease, PhoneMemory } from './snapshot.ts';
import { greatest } from '../transition/long-lists.ts';

/** What is left was counted when the provider answered: at some time since it was asked, `askedAgoMs` before `clock`. */
export function leaseAfter(
  known: Lease | undefined,
  contacts: readonly Contact[],
  clock: number,
  askedAgoMs: number,
): Lease | null {
  const left = contacts.flatMap(({ expiresInMs }) => expiresInMs ?? []);
  if (left.length === 0) return null;
  const leftMs = greatest(left);
  const expiresAt = clock + leftMs;
  if (known === undefined) return { expiresAt, renewedAt: null, longestMs: leftMs, countsDown: false };
  const isRenewed = expiresAt - askedAgoMs > known.expiresAt + RISE_MS;
  return {
    expiresAt,
    renewedAt: isRenewed ? clock : known.renewedAt,
    longestMs: Math.max(known.longestMs, leftMs),
    countsDown: known.countsDown || leftMs < known.longestMs - RISE_MS,
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
