/** From the configured tree to the addressees of a promise: which receivers, how soon, how often again. */
import type { AlertView, Change } from '../alert/alert.ts';
import { facts } from '../alert/matchers.ts';
import { dueBy, isUrgent, type Occasion, reached, type Route, wantsSequel } from '../alert/route.ts';

import type { Rota } from './rota.ts';

/** Everything that leads the alerts of one source to their receivers. */
export interface Routing {
  /** Takes what no route below it takes. */
  root: Route;
  /** Every configured receiver, by its name; one that is not among them is told nothing. */
  receivers: ReadonlyMap<string, ReceiverTraits>;
  /** By name; absent where there are none. */
  rotas?: ReadonlyMap<string, Rota>;
  /** Labels of the source that is routed. */
  labels: Readonly<Record<string, string>>;
}

export interface ReceiverTraits {
  audience: 'people' | 'programs';
  /** It opens one incident for each alert, and needs to be told the end of it. */
  isPager?: boolean;
}

/** A receiver that a route leads to, as far as promising goes. */
export interface Addressed {
  receiver: string;
  audience: ReceiverTraits['audience'];
  /** How long the first message of an alert waits for company, in milliseconds. */
  groupWaitMs: number;
  /** Remind after this long; null for never. */
  repeatMs: number | null;
}

export function isPager({ receivers }: Routing, receiver: string): boolean {
  return receivers.get(receiver)?.isPager === true;
}

export function isConfigured({ receivers }: Routing, receiver: string): boolean {
  return receivers.has(receiver);
}

/** The receivers of these changes, by severity and content. Those `told` of the alert before are among them. */
export function findAddressees(
  routing: Routing,
  view: AlertView,
  changes: readonly Change[],
  told: readonly string[],
): Addressed[] {
  const readers = readersOfReport(changes);
  const urgent = isUrgent(
    view.severity,
    changes.map(({ transition }) => transition.kind),
  );
  const routed =
    readers.length > 0 ? readers.map((receiver) => ({ receiver })) : routesTo(routing, view, changes, told);
  return routed.flatMap(({ receiver, route }: { receiver: string; route?: Route }) => {
    const traits = routing.receivers.get(receiver);
    if (traits === undefined) return [];
    const groupWaitMs = (urgent ? route?.urgentGroupWait : route?.groupWait) ?? 0;
    return [{ receiver, audience: traits.audience, groupWaitMs, repeatMs: route?.repeatInterval ?? null }];
  });
}

/** When a message may go out by the route of today: quiet hours that were taken out of it hold nothing back. */
export function dueByRoute(routing: Routing, message: PromisedMessage): number {
  const { alert, changes, receiver, dueAt: then } = message;
  if (routing.receivers.get(receiver)?.audience !== 'people') return then;
  const way = routesTo(routing, alert, changes, [receiver]).find((each) => each.receiver === receiver);
  return way === undefined ? then : dueBy(way.route, alert.severity, then);
}

interface PromisedMessage {
  alert: AlertView;
  changes: readonly Change[];
  receiver: string;
  dueAt: number;
}

function routesTo(
  { root, receivers, labels }: Routing,
  view: AlertView,
  changes: readonly Change[],
  told: readonly string[],
): { receiver: string; route: Route }[] {
  // The alert of a source that is no longer watched ends as information; for its readers that is an end.
  const statuses = changes.map(({ transition, status }) =>
    transition.kind === 'linewatch.config' && view.resolvedAt !== null ? 'resolved' : status,
  );
  const occasion: Occasion = { severity: view.severity, statuses };
  const ways = reached(root, facts(view, changes, labels), occasion);
  const routed = ways.flatMap(({ receiver, wanted }) => (wanted ? [receiver] : []));
  const concerned = receiversConcerned(changes);
  const others = routed.filter((receiver) => !concerned.includes(receiver));
  // Where the only receiver of the route is the one that fails, anybody else is better than nobody.
  const stranded = concerned.length > 0 && others.length === 0 && told.length === 0;
  const instead = stranded ? [...receivers.keys()].filter((receiver) => !concerned.includes(receiver)) : others;
  // The labels of a source that is gone lead nowhere: its alerts end for the receivers that were told of them.
  const wanted = isOfUnwatched(view, changes) ? [] : instead;
  const sequels = told.filter((receiver) => {
    const way = ways.find((one) => one.receiver === receiver);
    return way === undefined ? wantsSequel(root, occasion) : way.wantedIfTold;
  });
  return [...new Set([...wanted, ...sequels])].map((receiver) => ({
    receiver,
    route: ways.find((one) => one.receiver === receiver)?.route ?? root,
  }));
}

/** A report goes to those who asked for it, whatever the route says. */
function readersOfReport(changes: readonly Change[]): string[] {
  const asked = changes.flatMap(({ transition }) =>
    transition.kind === 'linewatch.state' ? (transition.details.report?.receivers ?? []) : [],
  );
  return [...new Set(asked)];
}

/** The alert of a source that is no longer watched: Linewatch ends it in place of the source. */
function isOfUnwatched({ source }: AlertView, changes: readonly Change[]): boolean {
  return changes.some(({ transition }) => transition.kind === 'linewatch.config' && transition.source !== source);
}

/** A receiver is not told through itself that it does not take what it is told. */
function receiversConcerned(changes: readonly Change[]): string[] {
  return changes.flatMap(({ transition }) => ('receiver' in transition.details ? [transition.details.receiver] : []));
}
