/**
 * The tree that leads an alert to its receivers. The first child that matches wins unless it has `continue`; a node's own
 * receivers count where no child matches. A child for a part gets every alert that affects the part, but takes an alert
 * from the other routes only if it covers all of it.
 */
import { isAtLeast, type Kind, type Severity, type Status } from '../transition/kind.ts';
import { findQuietEnd, type Hours } from '../text/hours.ts';
import { hasFullMatch, type Facts, type Matchers, hasPartialMatch } from './matchers.ts';
import { append } from '../transition/collections.ts';

/** Events that a route can be limited to, by the effect of a change on its alert. */
export const ROUTE_EVENTS = ['opened', 'updated', 'resolved', 'info'] as const;
export type RouteEvent = (typeof ROUTE_EVENTS)[number];

const ROUTE_EVENT_OF: Readonly<Record<Status, RouteEvent>> = {
  open: 'opened',
  update: 'updated',
  resolved: 'resolved',
  info: 'info',
};

/** `acknowledged`: an acknowledgement stops the escalation. `ended`: only the alert's end does. */
export const ESCALATION_STOPS = ['acknowledged', 'ended'] as const;

/** Receivers, or rotas, that an open alert goes to a time after it opened. */
export interface Escalation {
  /** Milliseconds. */
  after: number;
  unless: (typeof ESCALATION_STOPS)[number];
  receivers: readonly string[];
}

/** One route, with what it inherits filled in. Durations are milliseconds. */
export interface Route {
  /** Path in the configuration: `route.routes[0]`. */
  rule: string;
  matchers: Matchers;
  receivers: readonly string[];
  groupWait: number;
  /** Replaces it for urgent messages. */
  urgentGroupWait: number;
  /** null for never. */
  repeatInterval: number | null;
  /** null for every severity. */
  minSeverity: Severity | null;
  /** null for all. */
  events: readonly RouteEvent[] | null;
  /** Messages for people wait for the end of these hours; alerts of this severity or worse do not. */
  quietHours: { hours: Hours; letThrough: Severity | null } | null;
  /** More receivers for alerts that stay open. */
  escalate: readonly Escalation[];
  continue: boolean;
  routes: readonly Route[];
}

/** Notices of the provider, critical alerts, and a first summary, which has waited for all sources already. */
export function isUrgent(severity: Severity, kinds: readonly Kind[]): boolean {
  return severity === 'critical' || kinds.some((kind) => /^(notice|maintenance)\.|^source\.baseline$/.test(kind));
}

/** A route without branches or wishes: everything goes to these receivers at once. */
export function createRouteTo(receivers: string[]) {
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
    escalate: [],
    continue: false,
    routes: [],
  } satisfies Route;
}

/** Severity and effects of changes, by which a route takes or refuses them. */
export interface Occasion {
  severity: Severity;
  statuses: readonly Status[];
}

export interface ReachedReceiver {
  receiver: string;
  route: Route;
  /** False if no route to the receiver takes it; then `route` is the first of them. */
  wanted: boolean;
  /** The same for a receiver that was notified of the alert before. */
  wantedIfTold: boolean;
}

/** Each receiver once, with the first route to it that takes the change. */
export function findReached(root: Route, facts: Facts, occasion: Occasion): ReachedReceiver[] {
  return findReachedByRoutes(findMatchingRoutes(root, facts), occasion);
}

/** `routes`: the ones that match the alert. */
export function findReachedByRoutes(routes: readonly Route[], occasion: Occasion): ReachedReceiver[] {
  const all = routes.flatMap((route) => route.receivers.map((receiver) => ({ receiver, route })));
  return [...Map.groupBy(all, ({ receiver }) => receiver)].flatMap(([receiver, ways]) => {
    const wanting = ways.find(({ route }) => isRouteFor(route, occasion));
    const goingOn = ways.find(({ route }) => isRouteForSequel(route, occasion));
    const route = (wanting ?? goingOn ?? ways[0])?.route;
    if (route === undefined) return [];
    return [{ receiver, route, wanted: wanting !== undefined, wantedIfTold: goingOn !== undefined }];
  });
}

/** Whether a route leaves nothing of the alert for its later siblings. */
export function hasExclusiveMatch(child: Route, facts: Facts): boolean {
  return !child.continue && hasFullMatch(child.matchers, facts);
}

/** Routes whose receivers get the alert. */
export function findMatchingRoutes(node: Route, facts: Facts): Route[] {
  const found: Route[] = [];
  let taken = false;
  for (const child of node.routes) {
    if (!hasPartialMatch(child.matchers, facts)) continue;
    append(found, findMatchingRoutes(child, facts));
    taken ||= hasFullMatch(child.matchers, facts);
    if (hasExclusiveMatch(child, facts)) break;
  }
  return taken ? found : [...found, node];
}

/** Whether a route takes the change. */
export function isRouteFor(route: Route, occasion: Occasion): boolean {
  return wantsSeverity(route, occasion.severity) && wantsEvent(route, occasion);
}

function wantsSeverity({ minSeverity }: Route, severity: Severity): boolean {
  return minSeverity === null || isAtLeast(severity, minSeverity);
}

/** Whether a route takes one of these effects. */
function wantsEvent({ events }: Route, { statuses }: Occasion): boolean {
  return events === null || statuses.some((status) => events.includes(ROUTE_EVENT_OF[status]));
}

/**
 * Whether a route takes the change for a receiver that was notified of the alert before: later changes go out whatever the
 * severity is by now, and the end in any case, or the receiver would believe it open for ever.
 */
export function isRouteForSequel(route: Route, occasion: Occasion): boolean {
  return occasion.statuses.includes('resolved') || wantsEvent(route, occasion);
}

/** When a message that is due at `then` may go out to people by this route. */
export function computeRouteDueTime({ quietHours }: Route, severity: Severity, then: number): number {
  if (quietHours === null) return then;
  const { hours, letThrough } = quietHours;
  const passes = letThrough !== null && isAtLeast(severity, letThrough);
  return passes ? then : findQuietEnd(hours, then);
}
