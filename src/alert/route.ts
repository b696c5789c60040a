/**
 * The tree that leads an alert to its receivers. The first child that matches wins unless it says
 * `continue`; children inherit what they do not say; a node's own receivers count where no child matches.
 */
import { SEVERITIES, type Severity, type Status } from '../transition/kind.ts';
import { matchesGlob } from './watch.ts';

/** Keys are and-ed, the values of a key or-ed; globs are allowed. */
export type Matchers = Readonly<Record<string, readonly string[]>>;

/** What a matcher can ask about: each key with every value the alert has for it. */
export type Facts = Readonly<Record<string, readonly string[]>>;

export interface Route {
  matchers: Matchers;
  /** null inherits. */
  receivers: readonly string[] | null;
  continue: boolean;
  minSeverity: Severity | null;
  events: readonly Status[] | null;
  groupWaitMs: number | null;
  repeatIntervalMs: number | null;
  routes: readonly Route[];
}

export interface Reached {
  receiver: string;
  /** Where in the tree it was reached, such as `route.routes[0]`. */
  rule: string;
  minSeverity: Severity | null;
  events: readonly Status[] | null;
  groupWaitMs: number | null;
  repeatIntervalMs: number | null;
}

export function matches(matchers: Matchers, facts: Facts): boolean {
  return Object.entries(matchers).every(([key, patterns]) =>
    (facts[key] ?? []).some((value) => patterns.some((pattern) => matchesGlob(pattern, value))),
  );
}

export function reached(root: Route, facts: Facts): Reached[] {
  const found = descend(root, facts, 'route', {
    receivers: [],
    minSeverity: null,
    events: null,
    groupWaitMs: null,
    repeatIntervalMs: null,
  });
  return [...new Map(found.toReversed().map((one) => [one.receiver, one])).values()].toReversed();
}

type Inherited = Pick<Route, 'minSeverity' | 'events' | 'groupWaitMs' | 'repeatIntervalMs'> & {
  receivers: readonly string[];
};

function descend(node: Route, facts: Facts, rule: string, inherited: Inherited): Reached[] {
  const settings: Inherited = {
    receivers: node.receivers ?? inherited.receivers,
    minSeverity: node.minSeverity ?? inherited.minSeverity,
    events: node.events ?? inherited.events,
    groupWaitMs: node.groupWaitMs ?? inherited.groupWaitMs,
    repeatIntervalMs: node.repeatIntervalMs ?? inherited.repeatIntervalMs,
  };
  const found: Reached[] = [];
  let matched = false;
  for (const [index, child] of node.routes.entries()) {
    if (!matches(child.matchers, facts)) continue;
    matched = true;
    found.push(...descend(child, facts, `${rule}.routes[${index}]`, settings));
    if (!child.continue) break;
  }
  if (matched) return found;
  const { receivers, ...rest } = settings;
  return receivers.map((receiver) => ({ receiver, rule, ...rest }));
}

/** Whether a route that reached a receiver wants this word of the alert. */
export function wants(reached: Reached, severity: Severity, statuses: readonly Status[]): boolean {
  const severe = reached.minSeverity === null || SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(reached.minSeverity);
  return severe && (reached.events === null || statuses.some((status) => reached.events?.includes(status)));
}
