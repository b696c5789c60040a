/**
 * Which routes something can get to, found by trying: each is asked with examples that leave it the most room, by the
 * very walk that leads an alert. What is said of a route before it runs and what happens then cannot differ.
 */
import { type Kind, KINDS, SEVERITIES, type Severity, STATUSES } from '../transition/kind.ts';
import { type Facts, createFacts, type Matchers, PART_KEYS, hasPartialMatch } from './matchers.ts';
import type { Names } from './hits.ts';
import { findMatchingRoutes, findReachedByRoutes, type Route, hasExclusiveMatch, isRouteFor } from './route.ts';

export interface RoutedSource {
  name: string;
  labels: Readonly<Record<string, string>>;
}

export interface Reach {
  route: Route;
  /** Nothing can get there: an earlier route takes it all, or nothing is like it (`taker` is null). Else null. */
  never: { taker: Route | null } | null;
  /** Something ends there, because no child takes it. */
  isLeaf: boolean;
  /** Those of its receivers who hear of something by it. */
  tells: ReadonlySet<string>;
  /** The route by which its receivers hear of what it could tell them; null where it wants nothing of what ends there. */
  preceded: Route | null;
}

interface Step {
  route: Route;
  /** Its earlier siblings. */
  before: readonly Route[];
}

interface Example {
  facts: Facts;
  severity: Severity;
}

type Given = readonly (readonly [key: string, names: readonly Names[]])[];

/**
 * Of every route something can get to, and of the first on each way that nothing can, from the top down. `told`: the
 * kinds there are.
 */
export function listReaches(root: Route, sources: readonly RoutedSource[], told: readonly Kind[] = KINDS): Reach[] {
  const asked = withBelow(root).flatMap(({ matchers }) => Object.entries(matchers));
  const known = distinct(
    sources.map(knownOf),
    asked.filter(([key]) => !OF_THE_ALERT.includes(key)),
  );
  const kinds = distinct(
    told.map((kind) => [given('kind', kind)]),
    asked.filter(([key]) => key === 'kind'),
  );
  const visit = (step: Step, above: readonly Step[]): Reach[] => {
    const path = [...above, step];
    const own = reachOf(root, path, examplesOf(path, known, kinds));
    const { routes } = step.route;
    return own.never !== null
      ? [own]
      : [own, ...routes.flatMap((route, index) => visit({ route, before: routes.slice(0, index) }, path))];
  };
  return visit({ route: root, before: [] }, []);
}

/** The receivers that any alert of a source is led to; `told` is what can be told of it. */
export function listReachableReceivers(root: Route, source: RoutedSource, told: readonly Kind[]): ReadonlySet<string> {
  const left = leftFor(root, createFacts(knownOf(source)));
  return new Set(listReaches(left, [source], told).flatMap(({ tells }) => [...tells]));
}

/** Without the routes that ask for another source: they are most of a tree that has one for every customer. */
function leftFor(root: Route, known: Facts): Route {
  const routes = root.routes.filter(({ matchers }) => hasPartialMatch(ofItsSource(matchers), known));
  return { ...root, routes: routes.map((route) => leftFor(route, known)) };
}

/** What is known of every alert of a source. */
function knownOf({ name, labels }: RoutedSource): Given {
  return [...Object.entries(labels).map(([key, value]) => given(key, value)), given('source', name)];
}

function given(key: string, name: string): Given[number] {
  return [key, [[name]]];
}

/** What an alert says of itself, whatever its source. */
const OF_THE_ALERT: readonly string[] = ['severity', 'kind', ...PART_KEYS];

function reachOf(root: Route, path: readonly Step[], examples: Iterable<Example>): Reach {
  const route = path.at(-1)?.route ?? root;
  const below = new Set(withBelow(route));
  const tells = new Set<string>();
  let [isReached, isLeaf] = [false, false];
  let taker: Route | null = null;
  let preceded: Route | null = null;
  for (const { facts, severity } of examples) {
    const ends = findMatchingRoutes(root, facts);
    isReached ||= ends.some((end) => below.has(end));
    if (!isReached) {
      taker ??= path.flatMap(({ before }) => before).find((earlier) => hasExclusiveMatch(earlier, facts)) ?? null;
    }
    if (!ends.includes(route)) continue;
    isLeaf = true;
    for (const status of STATUSES) {
      const occasion = { severity, statuses: [status] };
      if (!isRouteFor(route, occasion)) continue;
      for (const way of findReachedByRoutes(ends, occasion)) {
        if (!route.receivers.includes(way.receiver)) continue;
        if (way.route === route) tells.add(way.receiver);
        else preceded ??= way.route;
      }
    }
    if (tells.size === route.receivers.length) break;
  }
  return { route, never: isReached ? null : { taker }, isLeaf, tells, preceded };
}

/**
 * Alerts that all matchers on the way to a route touch. Of the parts they name each has one, and one that nobody names:
 * no earlier route for a part takes such an alert whole.
 */
function* examplesOf(path: readonly Step[], sources: readonly Given[], kinds: readonly Given[]): Generator<Example> {
  const asked = path.map(({ route }) => route.matchers);
  const parts = PART_KEYS.flatMap((key): Given[number][] => {
    const patterns = asked.flatMap((matchers) => (Object.hasOwn(matchers, key) ? (matchers[key] ?? []) : []));
    return patterns.length === 0 ? [] : [[key, [...patterns.map((pattern) => [exampleOf(pattern)]), [NOBODY_NAMES]]]];
  });
  const ofSource = asked.map(ofItsSource);
  for (const source of sources) {
    const known = createFacts(source);
    if (!ofSource.every((matchers) => hasPartialMatch(matchers, known))) continue;
    for (const kind of kinds) {
      for (const severity of SEVERITIES) {
        const facts = createFacts([...source, ...kind, ...parts, ['severity', [[severity]]]]);
        if (asked.every((matchers) => hasPartialMatch(matchers, facts))) yield { facts, severity };
      }
    }
  }
}

function ofItsSource(matchers: Matchers): Matchers {
  return Object.fromEntries(Object.entries(matchers).filter(([key]) => !OF_THE_ALERT.includes(key)));
}

const NOBODY_NAMES = '\u{10FFFD}';

function exampleOf(pattern: string): string {
  return pattern.replaceAll('*', '').replaceAll('?', NOBODY_NAMES) || NOBODY_NAMES;
}

/** One of those that all matchers treat alike. */
function distinct(all: readonly Given[], asked: readonly (readonly [string, readonly string[]])[]): Given[] {
  const matchers = asked.map(([key, patterns]): Matchers => ({ [key]: patterns }));
  const alike = new Map<string, Given>();
  for (const given of all) {
    const facts = createFacts(given);
    const sign = matchers.map((each) => (hasPartialMatch(each, facts) ? '1' : '0')).join('');
    if (!alike.has(sign)) alike.set(sign, given);
  }
  return [...alike.values()];
}

function withBelow(route: Route): Route[] {
  return [route, ...route.routes.flatMap(withBelow)];
}
