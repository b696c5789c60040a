/** From the configured tree to the addressees of a promise: who, how soon, how often again. */
import { facts } from '../alert/facts.ts';
import { dueBy, reached, wantsEvent, wantsSeverity, type Route } from '../alert/route.ts';
import type { Change } from '../alert/alert.ts';
import type { Addressed, Promising } from '../outbox/promise.ts';

/** By the labels of the source that is routed. */
export type Routing = (labels: Readonly<Record<string, string>>) => Promising['route'];

export function createRouting(root: Route, audiences: ReadonlyMap<string, Addressed['audience']>): Routing {
  return (labels) => (view, changes, told) => {
    // The alert of a source that is no longer watched ends as information; to whoever waits for its end it is one.
    const statuses = changes.map(({ transition, status }) =>
      transition.kind === 'linewatch.config' && view.resolvedAt !== null ? 'resolved' : status,
    );
    const routes = new Map(reached(root, facts(view, changes, labels)).map(({ receiver, route }) => [receiver, route]));
    const routed = [...routes].filter(([, route]) => wantsSeverity(route, view.severity)).map(([receiver]) => receiver);
    const concerned = receiversConcerned(changes);
    const others = routed.filter((receiver) => !concerned.includes(receiver));
    // Where the only receiver of the route is the one that fails, anybody else is better than nobody.
    const stranded = concerned.length > 0 && others.length === 0 && told.length === 0;
    const wanted = stranded ? [...audiences.keys()].filter((receiver) => !concerned.includes(receiver)) : others;
    const urgent =
      // A first summary has waited for all sources already.
      changes.some(({ transition }) => transition.kind === 'source.baseline') ||
      view.severity === 'critical' ||
      changes.some(({ transition }) => transition.subject.startsWith('notice/'));
    // Whoever was told of an alert is told what becomes of it, whatever its route thinks of its severity now.
    return [...new Set([...wanted, ...told])].flatMap((receiver): Addressed[] => {
      const audience = audiences.get(receiver);
      const route = routes.get(receiver) ?? root;
      if (audience === undefined || !wantsEvent(route, statuses)) return [];
      return [
        {
          receiver,
          audience,
          groupWaitMs: urgent ? route.urgentGroupWait : route.groupWait,
          repeatMs: route.repeatInterval,
          dueBy: (then) => dueBy(route, view.severity, then),
        },
      ];
    });
  };
}

/** A receiver is not told through itself that it does not take what it is told. */
function receiversConcerned(changes: readonly Change[]): string[] {
  return changes.flatMap(({ transition }) => ('receiver' in transition.details ? [transition.details.receiver] : []));
}
