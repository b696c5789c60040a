/** Matchers: silences, routes and overrides select alerts by them. */
import { compileGlobs, isEverything, type Matches } from '../text/glob.ts';
import { type AffectedNames, addHits, selectInnermost, type Names, NO_HITS } from './affected.ts';
import type { AlertView, Change } from './alert.ts';

/** Keys are and-ed, the values of a key or-ed; globs are allowed. */
export type Matchers = Readonly<Record<string, readonly string[]>>;

/** Keys that name a part of a source. */
export const PART_KEYS = ['component', 'extension', 'site'] as const satisfies readonly (keyof AffectedNames)[];

/** Whether the alert affects something that the matchers name. */
export function hasPartialMatch(matchers: Matchers, { values }: Facts): boolean {
  return Object.entries(matchers).every(([key, patterns]) => (values.get(key) ?? []).some(namedBy(patterns)));
}

/** Whether the matchers cover everything the alert affects: a rule for a part must not hide the rest. */
export function hasFullMatch(matchers: Matchers, facts: Facts): boolean {
  return hasPartialMatch(matchers, facts) && PART_KEYS.every((key) => liesWithin(matchers, key, facts.hits));
}

function liesWithin(matchers: Matchers, key: (typeof PART_KEYS)[number], hits: AffectedNames): boolean {
  if (!Object.hasOwn(matchers, key)) return true;
  const patterns = matchers[key] ?? [];
  if (patterns.some(isEverything)) return true;
  const hit = key === 'component' ? selectInnermost(hits.component) : hits[key];
  return hit.every(namedBy(patterns));
}

/** Cache of compiled patterns: the lists never change, and each is matched against many alerts. */
const compiled = new WeakMap<readonly string[], Matches>();

function namedBy(patterns: readonly string[]): (names: Names) => boolean {
  const matches = compiled.get(patterns) ?? compileGlobs(patterns);
  compiled.set(patterns, matches);
  return (names) => names.some(matches);
}

/** Facts of an alert for matchers: each key with all values of the alert and its changes. */
export interface Facts {
  /** By key. A map, since keys come from people: `constructor` is a name like any other. */
  values: ReadonlyMap<string, readonly Names[]>;
  /** All that the alert affects, whatever this change is about. */
  hits: AffectedNames;
}

/** Facts for a query that gives the values of each key itself. */
export function createFacts(given: Iterable<readonly [string, readonly Names[]]>): Facts {
  const values = new Map(given);
  const of = (key: keyof AffectedNames): readonly Names[] => values.get(key) ?? [];
  return { values, hits: { component: of('component'), extension: of('extension'), site: of('site') } };
}

/** All that an alert affects after these changes. */
export function collectHits(view: AlertView, changes: readonly Change[]): AffectedNames {
  return changes.reduce((before, { transition }) => addHits(before, transition), view.hits ?? NO_HITS);
}

/**
 * Facts of an alert with these changes. `labels`: of its source. `hits`: all that it affects, where later changes have
 * added to it.
 */
export function collectFacts(
  view: AlertView,
  changes: readonly Change[],
  labels: Readonly<Record<string, string>>,
  hits: AffectedNames = collectHits(view, changes),
): Facts {
  return {
    hits,
    values: new Map<string, readonly Names[]>([
      ...Object.entries(labels).map(([key, value]): [string, Names[]] => [key, [[value]]]),
      ['severity', [[view.severity]]],
      ['source', [[view.source]]],
      ['kind', [...new Set(changes.map(({ transition }) => transition.kind))].map((kind) => [kind])],
      ['component', [...hits.component, ...componentsOf(changes)]],
      ['extension', hits.extension],
      ['site', hits.site],
    ]),
  };
}

/** Components of flips, including those that a notice explains. */
function componentsOf(changes: readonly Change[]): Names[] {
  return changes.flatMap(({ transition: { subject, details } }) =>
    'path' in details ? [[subject.slice('component/'.length), details.name]] : [],
  );
}
