/** How long something has been missing from complete answers, and when that is believed. */
import { ANSWERS_UNTIL_BELIEVED, HABIT_WITHIN_MS } from './losses/rules.ts';
import type { Absence, PhoneMemory } from './snapshot.ts';

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
