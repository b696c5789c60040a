/** Finds the addressees of a message in the tree of routes: receivers, delay and repeat interval. */
import type { Message } from './message.ts';
import type { AlertView, Change } from '../alert/alert.ts';
import { collectFacts } from '../alert/matchers.ts';
import {
  computeRouteDueTime,
  isUrgent,
  type Occasion,
  findReached,
  type Route,
  isRouteForSequel,
} from '../alert/route.ts';

import type { Rota } from './rota.ts';

/** Routes, receivers and labels for the alerts of one source. */
export interface Routing {
  /** Applies if none of its child routes does. */
  root: Route;
  /** All configured receivers by name; no other receiver is notified. */
  receivers: ReadonlyMap<string, ReceiverTraits>;
  /** Rotas by name; absent if there are none. */
  rotas?: ReadonlyMap<string, Rota>;
  /** Labels of the source that is routed. */
  labels: Readonly<Record<string, string>>;
  /** Labels of all sources by name; absent if the alerts have one source each. */
  labelsBySource?: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

export interface ReceiverTraits {
  audience: 'people' | 'programs';
  /** A pager: opens one incident per alert and needs its resolve. */
  isPager?: boolean;
}

/** A receiver with the delay and repeat interval of its route. */
export interface RoutedReceiver {
  receiver: string;
  audience: ReceiverTraits['audience'];
  /** Delay of an alert's first message, to collect others; milliseconds. */
  groupWaitMs: number;
  /** Interval of reminders in milliseconds; null for none. */
  repeatMs: number | null;
}

export function isPager({ receivers }: Routing, receiver: string): boolean {
  return receivers.get(receiver)?.isPager === true;
}

export function isConfigured({ receivers }: Routing, receiver: string): boolean {
  return receivers.has(receiver);
}

/** Receivers of these changes by severity and content, including receivers in `notified` that still follow the alert. */
export function findAddressees(
  routing: Routing,
  view: AlertView,
  changes: readonly Change[],
  notified: readonly string[],
): RoutedReceiver[] {
  const readers = findNamedReaders(changes);
  const urgent = isUrgent(
    view.severity,
    changes.map(({ transition }) => transition.kind),
  );
  const routed =
    readers.length > 0 ? readers.map((receiver) => ({ receiver })) : matchRoutes(routing, view, changes, notified);
  return routed.flatMap(({ receiver, route }: { receiver: string; route?: Route }) => {
    const traits = routing.receivers.get(receiver);
    if (traits === undefined) return [];
    const groupWaitMs = (urgent ? route?.urgentGroupWait : route?.groupWait) ?? 0;
    return [{ receiver, audience: traits.audience, groupWaitMs, repeatMs: route?.repeatInterval ?? null }];
  });
}

/** Earliest time to send by the present route: quiet hours removed from the configuration no longer delay a message. */
export function computeDueTime(routing: Routing, message: PromisedMessage): number {
  const { alert, changes, receiver, dueAt: then } = message;
  if (routing.receivers.get(receiver)?.audience !== 'people') return then;
  const way = matchRoutes(routing, alert, changes, [receiver]).find((each) => each.receiver === receiver);
  return way === undefined ? then : computeRouteDueTime(way.route, alert.severity, then);
}

type PromisedMessage = Pick<Message, 'alert' | 'changes' | 'receiver' | 'dueAt'>;

function matchRoutes(
  { root, receivers, labels }: Routing,
  view: AlertView,
  changes: readonly Change[],
  notified: readonly string[],
): { receiver: string; route: Route }[] {
  // The alert of a source that was removed from the configuration ends with status info; its receivers must see a
  // resolve.
  const statuses = changes.map(({ transition, status }) =>
    transition.kind === 'linewatch.config' && view.resolvedAt !== null ? 'resolved' : status,
  );
  const occasion: Occasion = { severity: view.severity, statuses };
  const ways = findReached(root, collectFacts(view, changes, labels), occasion);
  const routed = ways.flatMap(({ receiver, wanted }) => (wanted ? [receiver] : []));
  const concerned = listFailedReceivers(changes);
  const others = routed.filter((receiver) => !concerned.includes(receiver));
  // If the failed receiver is the only one of the route, all other receivers are notified.
  const stranded = concerned.length > 0 && others.length === 0 && notified.length === 0;
  const instead = stranded ? [...receivers.keys()].filter((receiver) => !concerned.includes(receiver)) : others;
  // The labels of a removed source are unknown: its alerts end for receivers that were notified of them.
  const wanted = isOfRemovedSource(view, changes) ? [] : instead;
  const sequels = notified.filter((receiver) => {
    const way = ways.find((one) => one.receiver === receiver);
    return way === undefined ? isRouteForSequel(root, occasion) : way.wantedIfTold;
  });
  return [...new Set([...wanted, ...sequels])].map((receiver) => ({
    receiver,
    route: ways.find((one) => one.receiver === receiver)?.route ?? root,
  }));
}

/** A report goes to its configured receivers, and a request for a proof to its own, whatever the route. */
function findNamedReaders(changes: readonly Change[]): string[] {
  const asked = changes.flatMap(({ transition }) => {
    if (transition.kind !== 'linewatch.state') return [];
    const { report, proof } = transition.details;
    return [...(report?.receivers ?? []), ...(proof === undefined ? [] : [proof.receiver])];
  });
  return [...new Set(asked)];
}

/** The alert belongs to a removed source and is ended by Linewatch. */
function isOfRemovedSource({ source }: AlertView, changes: readonly Change[]): boolean {
  return changes.some(({ transition }) => transition.kind === 'linewatch.config' && transition.source !== source);
}

/** A receiver is not notified of its own failure. */
function listFailedReceivers(changes: readonly Change[]): string[] {
  return changes.flatMap(({ transition }) => ('receiver' in transition.details ? [transition.details.receiver] : []));
}
