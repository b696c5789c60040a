/**
 * What must be written is found by comparing what is kept before and after a step. Everything counts but what its kind
 * calls noise: what changes at every look and is learnt anew after a restart.
 */

/** Fields that are noise, by the shape of what they are in; `each` is for all elements of a list or a record. */
export type Noise<T> = T extends readonly (infer E)[]
  ? { each: Noise<E> }
  : string extends keyof T
    ? { each: Noise<T[string & keyof T]> }
    : { readonly [K in keyof T]?: true | Noise<NonNullable<T[K]>> };

/** How often a defect was seen, and for how long and why a part is blind, of every source. */
export const WATCHING_NOISE = {
  defects: { each: { text: true, sweeps: true, lastSweep: true } },
  health: { blind: { each: { ms: true, why: true, code: true } } },
} as const;

interface NoiseFields {
  readonly [field: string]: true | NoiseFields | undefined;
}

/** Parts that are the same object are not looked into. A field that is absent is the same as one that is undefined. */
export function isSame<T>(before: T, after: T, noise?: Noise<T>): boolean {
  return areSame(before, after, noise);
}

function areSame(a: unknown, b: unknown, noise: NoiseFields | undefined): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    const each = fieldsOf(noise?.['each']);
    return a.length === b.length && a.every((one, index) => areSame(one, b[index], each));
  }
  return holds(a as NoiseFields, b as NoiseFields, noise) && holds(b as NoiseFields, a as NoiseFields, noise, false);
}

/** Whether `b` has what `a` has. */
function holds(a: NoiseFields, b: NoiseFields, noise: NoiseFields | undefined, deep = true): boolean {
  for (const field in a) {
    const of = noise?.[field] ?? noise?.['each'];
    if (of === true) continue;
    if (deep ? !areSame(a[field], b[field], of) : a[field] !== undefined && b[field] === undefined) return false;
  }
  return true;
}

function fieldsOf(noise: true | NoiseFields | undefined): NoiseFields | undefined {
  return noise === true ? undefined : noise;
}
