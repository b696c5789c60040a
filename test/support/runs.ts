/**
 * How much of what is tried again and again is tried. A twentieth finds what breaks a law outright. `LINEWATCH_RUNS=fifth`,
 * as in `.ci/run`, tries four times as much, `LINEWATCH_RUNS=full` everything, and `LINEWATCH_RUNS=5000` that many
 * histories on every law. `LINEWATCH_SEED=…` (see seed.ts) plays the histories of a failure again, which prints its seed.
 */
import fc from 'fast-check';

const GIVEN = process.env['LINEWATCH_RUNS'] ?? '';
const SHARE = 20;
/** Parts of a twentieth that are tried. */
const TIMES = { full: SHARE, fifth: SHARE / 5 }[GIVEN] ?? 1;

/** Whether everything is tried: for what takes many seconds and cannot be tried in part. */
export const TRIES_ALL = GIVEN === 'full';

/** `full`: how many it takes to find what breaks it only now and then. */
export function runs(full: number): { numRuns: number } {
  const all = Number(GIVEN);
  return { numRuns: all > 0 ? all : Math.ceil((full * TIMES) / SHARE) };
}

/** All of these cases, or one in `oneIn`; another row selects other cases. */
export function cases<T>(all: readonly T[], oneIn = SHARE, row = 0): T[] {
  return all.filter((_, index) => isTried(row, index, oneIn));
}

/** True for all pairs of two lists, or for so few that each element of the one is tried with one of the other. */
export function isTried(row: number, column: number, oneIn: number): boolean {
  return TRIES_ALL || (row + column) % Math.max(1, Math.floor(oneIn / TIMES)) === 0;
}

/** Null where the law holds; else the seed to set as LINEWATCH_SEED and the smallest history found that breaks it. */
export async function breach<T>(
  arbitrary: fc.Arbitrary<T>,
  law: (value: T) => Promise<void>,
  full: number,
  write: (value: T) => string = JSON.stringify,
): Promise<string | null> {
  const given = runs(full);
  const details = await fc.check(fc.asyncProperty(arbitrary, law), given);
  if (!details.failed) return null;
  const found = details.counterexample === null ? 'none' : write(details.counterexample[0]);
  const why =
    details.errorInstance instanceof Error ? (details.errorInstance.stack ?? details.errorInstance.message) : '';
  return (
    `The law is broken. To see it again: LINEWATCH_SEED=${details.seed} LINEWATCH_RUNS=${given.numRuns}\n` +
    `after ${details.numRuns} runs and ${details.numShrinks} steps to make it small: ${found}\n${why}`
  );
}
