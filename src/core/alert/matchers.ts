/** Matchers: how silences, routes and overrides say which alerts they mean. */
import { globs, isEverything, type Matches } from '../text/glob.ts';
import type { Facts } from './facts.ts';
import { innermost, type Hits, type Names } from './hits.ts';

/** Keys are and-ed, the values of a key or-ed; globs are allowed. */
export type Matchers = Readonly<Record<string, readonly string[]>>;

/** Keys that name a part of a source. */
export const PART_KEYS = ['component', 'extension', 'site'] as const satisfies readonly (keyof Hits)[];

/** Whether the alert has to do with what they name. */
export function touches(matchers: Matchers, { values }: Facts): boolean {
  return Object.entries(matchers).every(([key, patterns]) => (values.get(key) ?? []).some(namedBy(patterns)));
}

/** Whether nothing the alert hits lies outside of what they name: what is said of a part must not hide the rest. */
export function covers(matchers: Matchers, facts: Facts): boolean {
  return touches(matchers, facts) && PART_KEYS.every((key) => liesWithin(matchers, key, facts.hits));
}

function liesWithin(matchers: Matchers, key: (typeof PART_KEYS)[number], hits: Hits): boolean {
  if (!Object.hasOwn(matchers, key)) return true;
  const patterns = matchers[key] ?? [];
  if (patterns.some(isEverything)) return true;
  const hit = key === 'component' ? innermost(hits.component) : hits[key];
  return hit.every(namedBy(patterns));
}

/** Patterns never change, and each is asked about many alerts. */
const compiled = new WeakMap<readonly string[], Matches>();

function namedBy(patterns: readonly string[]): (names: Names) => boolean {
  const matches = compiled.get(patterns) ?? globs(patterns);
  compiled.set(patterns, matches);
  return (names) => names.some(matches);
}
