/**
 * Finds the routes that alerts can reach, by trying: each route is tested with examples that match it as widely as possible.
 * The examples take the same walk through the tree as an alert, so a check and the daemon cannot differ.
 */
import { type Kind, KINDS, SEVERITIES, type Severity, STATUSES } from '../transition/kind.ts';
import { type Facts, createFacts, type Matchers, PART_KEYS, hasPartialMatch } from './matchers.ts';
import type { Names } from './affected.ts';
import { findMatchingRoutes, findReachedByRoutes, type Route, hasExclusiveMatch, isRouteFor } from './route.ts';

export interface RoutedSource {
  name: string;
  labels: Readonly<Record<string, string>>;
}

export interface Reach {
  route: Route;
  /** No alert can get there: an earlier route takes all of them, or none matches (`taker` is null). Null if one can. */
  never: { taker: Route | null } | null;
  /** An alert can end there, because no child takes it. */
  isLeaf: boolean;
  /** Receivers of the route that it notifies of something. */
  tells: ReadonlySet<string>;
  /** Earlier route that notifies its receivers instead; null if there is none. */
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
 * One for every route that an alert can reach, and for the first unreachable one on each path, from the top down.
 * `occurring`: kinds that the sources have.
 */
export function listReaches(
  root: Route,
  sources: readonly RoutedSource[],
  occurring: readonly Kind[] = KINDS,
): Reach[] {
  const asked = withBelow(root).flatMap(({ matchers }) => Object.entries(matchers));
  const known = distinct(
    sources.map(knownOf),
    asked.filter(([key]) => !OF_THE_ALERT.includes(key)),
  );
  const kinds = distinct(
    occurring.map((kind) => [given('kind', kind)]),
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

/** Receivers that alerts of a source can reach. `occurring`: kinds that the source has. */
export function listReachableReceivers(
  root: Route,
  source: RoutedSource,
  occurring: readonly Kind[],
): ReadonlySet<string> {
  const left = leftFor(root, createFacts(knownOf(source)));
  return new Set(listReaches(left, [source], occurring).flatMap(({ tells }) => [...tells]));
}

/** Drops routes that ask for another source: they are most of a tree with a route for every customer. */
function leftFor(root: Route, known: Facts): Route {
  const routes = root.routes.filter(({ matchers }) => hasPartialMatch(ofItsSource(matchers), known));
  return { ...root, routes: routes.map((route) => leftFor(route, known)) };
}

/** Values that every alert of a source has. */
function knownOf({ name, labels }: RoutedSource): Given {
  return [...Object.entries(labels).map(([key, value]) => given(key, value)), given('source', name)];
}

function given(key: string, name: string): Given[number] {
  return [key, [[name]]];
}

/** Matcher keys that depend on the alert, not on its source. */
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
 * Alerts that all matchers on the path to a route match. The first affect all parts that the matchers name, and one more
 * that no matcher names: no earlier route for a part covers such an alert. The others affect fewer of the parts: an
 * earlier route for one of them does not match.
 */
function* examplesOf(path: readonly Step[], sources: readonly Given[], kinds: readonly Given[]): Generator<Example> {
  const asked = path.map(({ route }) => route.matchers);
  const ofSource = asked.map(ofItsSource);
  for (const parts of listParts(asked).take(MOST_PARTS)) {
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
}

/** Sets of parts to try for a route. A route with more of them has hundreds of names. */
const MOST_PARTS = 100;

/** Takes all patterns or a single one from each list on the path. */
function* listParts(asked: readonly Matchers[]): Generator<Given> {
  const lists = asked.flatMap((matchers) =>
    PART_KEYS.flatMap((key) => (Object.hasOwn(matchers, key) ? [{ key, patterns: matchers[key] ?? [] }] : [])),
  );
  for (const chosen of chooseFromEach(lists.map(({ patterns }) => patterns))) {
    yield PART_KEYS.flatMap((key): Given[number][] => {
      const patterns = chosen.filter((_, index) => lists[index]?.key === key).flat();
      return patterns.length === 0 ? [] : [[key, [...patterns.map((pattern) => [exampleOf(pattern)]), [UNUSED_NAME]]]];
    });
  }
}

function* chooseFromEach([first, ...others]: readonly (readonly string[])[]): Generator<(readonly string[])[]> {
  if (first === undefined) return yield [];
  const alone = first.length > 1 ? first.map((pattern) => [pattern]) : [];
  for (const own of [first, ...alone]) for (const rest of chooseFromEach(others)) yield [own, ...rest];
}

function ofItsSource(matchers: Matchers): Matchers {
  return Object.fromEntries(Object.entries(matchers).filter(([key]) => !OF_THE_ALERT.includes(key)));
}

const UNUSED_NAME = '\u{10FFFD}';

function exampleOf(pattern: string): string {
  return pattern.replaceAll('*', '').replaceAll('?', UNUSED_NAME) || UNUSED_NAME;
}

/** Keeps one of those that all matchers treat alike. */
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
