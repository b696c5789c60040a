/** For how long a registration is given, and when it is seen to be renewed. */
import type { Contact } from './model.ts';
import type { Lease } from './snapshot.ts';
import { greatest } from '../transition/long-lists.ts';

/** `EXPSECS` counts whole seconds at the provider’s: a rise by less is no renewal. */
const RISE_MS = 5_000;

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
    countsDown: known.countsDown || !isRenewed,
  };
}

/** A provider that always shows the same number says nothing of renewals. */
export function leaseSpeaks({ countsDown }: Lease): boolean {
  return countsDown;
}
