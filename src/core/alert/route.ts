/**
 * The tree that leads an alert to its receivers. The first child that matches wins unless it says
 * `continue`; a node's own receivers count where no child matches. A child for a part hears of whatever touches its
 * part, and takes from nobody what lies beyond it.
 */
import { isAtLeast, type Kind, type Severity, type Status } from '../transition/kind.ts';
import { findQuietEnd, type Hours } from '../text/hours.ts';
import { hasFullMatch, type Facts, type Matchers, hasPartialMatch } from './matchers.ts';
import { append } from '../transition/collections.ts';

/** What a route may ask for instead of everything, by what the change did to its alert. */
export const ROUTE_EVENTS = ['opened', 'updated', 'resolved', 'info'] as const;
export type RouteEvent = (typeof ROUTE_EVENTS)[number];

const ROUTE_EVENT_OF: Readonly<Record<Status, RouteEvent>> = {
  open: 'opened',
  update: 'updated',
  resolved: 'resolved',
  info: 'info',
};

/** Acknowledged: nobody else is notified then. Ended: an acknowledgement does not stop it. */
export const ESCALATION_STOPS = ['acknowledged', 'ended'] as const;

/** Receivers, or rotas, that an open alert goes to so long after it opened. */
export interface Escalation {
  /** Milliseconds. */
  after: number;
  unless: (typeof ESCALATION_STOPS)[number];
  receivers: readonly string[];
}

/** One route, with what it inherits filled in. Durations are milliseconds. */
export interface Route {
  /** How the operator finds it: `route.routes[0]`. */
  rule: string;
  matchers: Matchers;
  receivers: readonly string[];
  groupWait: number;
  /** In place of it for what is urgent. */
  urgentGroupWait: number;
  /** null for never. */
  repeatInterval: number | null;
  /** null for every severity. */
  minSeverity: Severity | null;
  /** null for all. */
  events: readonly RouteEvent[] | null;
  /** Messages for people wait for the end of these hours; alerts of this severity or worse do not. */
  quietHours: { hours: Hours; letThrough: Severity | null } | null;
  /** More receivers for what stays open. */
  escalate: readonly Escalation[];
  continue: boolean;
  routes: readonly Route[];
}

/** Notices of the provider and whatever is critical; a first summary has waited for all sources already. */
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

/** What happened, as far as a route may want to hear of it or not. */
export interface Occasion {
  severity: Severity;
  statuses: readonly Status[];
}

export interface ReachedReceiver {
  receiver: string;
  route: Route;
  /** False where no route that leads to the receiver wants to hear of it; then `route` is the first of them. */
  wanted: boolean;
  /** The same for a receiver that was told of the alert before. */
  wantedIfTold: boolean;
}

/** Each receiver once, by the first route that leads to it and wants to hear of this. */
export function findReached(root: Route, facts: Facts, occasion: Occasion): ReachedReceiver[] {
  return findReachedByRoutes(findMatchingRoutes(root, facts), occasion);
}

/** `routes` are those an alert was led to. */
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

/** Whether nothing of it is left for the routes after this one, which leads to receivers of its own. */
export function hasExclusiveMatch(child: Route, facts: Facts): boolean {
  return !child.continue && hasFullMatch(child.matchers, facts);
}

/** The routes whose receivers hear of it. */
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

/** Whether a route wants to hear of this. */
export function isRouteFor(route: Route, occasion: Occasion): boolean {
  return wantsSeverity(route, occasion.severity) && wantsEvent(route, occasion);
}

function wantsSeverity({ minSeverity }: Route, severity: Severity): boolean {
  return minSeverity === null || isAtLeast(severity, minSeverity);
}

/** Whether a route wants to hear what these changes did to their alert. */
function wantsEvent({ events }: Route, { statuses }: Occasion): boolean {
  return events === null || statuses.some((status) => events.includes(ROUTE_EVENT_OF[status]));
}

/**
 * Whoever was told of an alert is told what becomes of it, however bad it is by now, and its end in any case: what was
 * said to be so must not stand for ever.
 */
export function isRouteForSequel(route: Route, occasion: Occasion): boolean {
  return occasion.statuses.includes('resolved') || wantsEvent(route, occasion);
}

/** When a message promised for then may go out to people by this route. */
export function computeRouteDueTime({ quietHours }: Route, severity: Severity, then: number): number {
  if (quietHours === null) return then;
  const { hours, letThrough } = quietHours;
  const passes = letThrough !== null && isAtLeast(severity, letThrough);
  return passes ? then : findQuietEnd(hours, then);
}
