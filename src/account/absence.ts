/** How long something has been missing from complete answers, and when that is believed. */
import { ANSWERS_UNTIL_BELIEVED } from './losses/rules.ts';
import type { Absence } from './snapshot.ts';

/** Missing once more: an absence that is counted no further is returned as it is. */
export function absent(known: Absence | null, clock: number, now: number): Absence {
  if (known === null) return { since: now, from: clock, sweeps: 1 };
  return known.sweeps > ANSWERS_UNTIL_BELIEVED ? known : { ...known, sweeps: known.sweeps + 1 };
}

/** Missing from enough answers, and for as long as the hold-off. */
export function isRipe(absence: Absence | undefined, clock: number, holdOffMs: number): boolean {
  return absence !== undefined && absence.sweeps >= ANSWERS_UNTIL_BELIEVED && clock - absence.from >= holdOffMs;
}
