/**
 * Decides whether a step must be saved, by comparing the state before and after. Fields declared as noise do not count:
 * they change with every sweep and are learned again after a restart.
 */

/** Noise fields, in the shape of the state; `each` applies to all elements of a list or a record. */
export type Noise<T> = T extends readonly (infer E)[]
  ? { each: Noise<E> }
  : string extends keyof T
    ? { each: Noise<T[string & keyof T]> }
    : { readonly [K in keyof T]?: true | Noise<NonNullable<T[K]>> };

/** Noise of every source: counts of defects, and duration and reason of gaps. */
export const WATCHING_NOISE = {
  defects: { each: { text: true, sweeps: true, lastSweep: true } },
  health: { blind: { each: { ms: true, why: true, code: true } } },
} as const;

interface NoiseFields {
  readonly [field: string]: true | NoiseFields | undefined;
}

/** Identical objects are not compared. An absent field equals an undefined one. */
export function isSame<T>(before: T, after: T, noise?: Noise<T>): boolean {
  return isDeepSame(before, after, noise);
}

function isDeepSame(a: unknown, b: unknown, noise: NoiseFields | undefined): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b)) return isSameList(a, b, toNoiseFields(noise?.['each']));
  return (
    hasValues(a as NoiseFields, b as NoiseFields, noise) && hasNoNewFields(a as NoiseFields, b as NoiseFields, noise)
  );
}

function isSameList(a: readonly unknown[], b: readonly unknown[], each: NoiseFields | undefined): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    if (a[index] !== b[index] && !isDeepSame(a[index], b[index], each)) return false;
  }
  return true;
}

/**
 * True if `b` has all values of `a`. Every sweep compares every phone, so noise is looked up only for fields that
 * differ.
 */
function hasValues(a: NoiseFields, b: NoiseFields, noise: NoiseFields | undefined): boolean {
  for (const field in a) {
    const one = a[field];
    const other = b[field];
    if (one === other) continue;
    const of = noise?.[field] ?? noise?.['each'];
    if (of !== true && !isDeepSame(one, other, of)) return false;
  }
  return true;
}

/** True if `b` has no field that `a` lacks. */
function hasNoNewFields(a: NoiseFields, b: NoiseFields, noise: NoiseFields | undefined): boolean {
  for (const field in b) {
    if (a[field] !== undefined || b[field] === undefined) continue;
    if ((noise?.[field] ?? noise?.['each']) !== true) return false;
  }
  return true;
}

function toNoiseFields(noise: true | NoiseFields | undefined): NoiseFields | undefined {
  return noise === true ? undefined : noise;
}
