/**
 * The tree that leads an alert to its receivers. The first child that matches wins unless it says
 * `continue`; a node's own receivers count where no child matches.
 */
import { SEVERITIES, type Severity, type Status } from '../transition/kind.ts';
import { endOfQuiet, type Hours } from '../account/calendar.ts';
import { matchesGlob } from './watch.ts';

/** Keys are and-ed, the values of a key or-ed; globs are allowed. */
export type Matchers = Readonly<Record<string, readonly string[]>>;

/** What a matcher can ask about: each key with every value the alert has for it. */
export type Facts = Readonly<Record<string, readonly string[]>>;

/** What a route may ask for instead of everything, by what the change did to its alert. */
const ROUTE_EVENT_OF = {
  open: 'opened',
  update: 'updated',
  resolved: 'resolved',
  info: 'info',
} as const satisfies Record<Status, string>;
export type RouteEvent = (typeof ROUTE_EVENT_OF)[Status];

/** One route, with what it inherits filled in. Durations are milliseconds. */
export interface Route {
  /** How the operator finds it: `route.routes[0]`. */
  rule: string;
  matchers: Matchers;
  receivers: readonly string[];
  groupWait: number;
  /** For notices of the provider and whatever is critical. */
  urgentGroupWait: number;
  /** null for never. */
  repeatInterval: number | null;
  /** null for every severity. */
  minSeverity: Severity | null;
  /** null for all. */
  events: readonly RouteEvent[] | null;
  /** Messages for people wait for the end of these hours; alerts of this severity or worse do not. */
  quietHours: { hours: Hours; letThrough: Severity | null } | null;
  continue: boolean;
  routes: readonly Route[];
}

/** A route without branches or wishes: everything goes to these receivers at once. */
export function routeTo(receivers: string[]) {
  return {
    rule: 'route',
    matchers: {},
    receivers,
    groupWait: 0,
    urgentGroupWait: 0,
    repeatInterval: null,
    minSeverity: null,
    events: null,
    quietHours: null,
    continue: false,
    routes: [],
  } satisfies Route;
}

export interface Reached {
  receiver: string;
  route: Route;
}

export function matches(matchers: Matchers, facts: Facts): boolean {
  return Object.entries(matchers).every(([key, patterns]) =>
    (facts[key] ?? []).some((value) => patterns.some((pattern) => matchesGlob(pattern, value))),
  );
}

/** Each receiver once, by the first route that leads to it. */
export function reached(root: Route, facts: Facts): Reached[] {
  const all = leaves(root, facts).flatMap((route) => route.receivers.map((receiver) => ({ receiver, route })));
  return all.filter(({ receiver }, index) => all.findIndex((other) => other.receiver === receiver) === index);
}

function leaves(node: Route, facts: Facts): Route[] {
  const found: Route[] = [];
  for (const child of node.routes) {
    if (!matches(child.matchers, facts)) continue;
    found.push(...leaves(child, facts));
    if (!child.continue) break;
  }
  return found.length > 0 ? found : [node];
}

export function wantsSeverity({ minSeverity }: Route, severity: Severity): boolean {
  return minSeverity === null || SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(minSeverity);
}

/** Whether a route wants to hear what these changes did to their alert. */
export function wantsEvent({ events }: Route, statuses: readonly Status[]): boolean {
  return events === null || statuses.some((status) => events.includes(ROUTE_EVENT_OF[status]));
}

/** When a message promised for then may go out to people by this route. */
export function dueBy({ quietHours }: Route, severity: Severity, then: number): number {
  if (quietHours === null) return then;
  const { hours, letThrough } = quietHours;
  const passes = letThrough !== null && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(letThrough);
  return passes ? then : endOfQuiet(hours, then);
}
