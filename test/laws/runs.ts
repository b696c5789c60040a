/**
 * How many histories a law is tried on. `LINEWATCH_RUNS=5000` raises the number for every law; `LINEWATCH_SEED=…` (see
 * test/support/seed.ts) plays the histories of a failure again, which prints its seed.
 */
import fc from 'fast-check';

const RUNS = Number(process.env['LINEWATCH_RUNS'] ?? 0);

export function runs(few: number): { numRuns: number } {
  return { numRuns: RUNS > 0 ? RUNS : few };
}

/** Null where the law holds; else the seed to set as LINEWATCH_SEED and the smallest history found that breaks it. */
export async function breach<T>(
  arbitrary: fc.Arbitrary<T>,
  law: (value: T) => Promise<void>,
  few: number,
  write: (value: T) => string = JSON.stringify,
): Promise<string | null> {
  const given = runs(few);
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
