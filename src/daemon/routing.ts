/** From the configured tree to the addressees of a promise: who, how soon, how often again. */
import { facts } from '../core/alert/matchers.ts';
import { dueBy, isUrgent, type Occasion, reached, type Route, wantsSequel } from '../core/alert/route.ts';
import type { AlertView, Change } from '../core/alert/alert.ts';
import type { Message } from '../core/outbox/message.ts';
import type { Addressed, EnqueueContext } from '../core/outbox/enqueue.ts';

/** By the labels of the source that is routed. */
export type Routing = (labels: Readonly<Record<string, string>>) => EnqueueContext['route'];

/**
 * `root` takes what no route below it takes. `audiences` has every configured receiver; one that it lacks is told
 * nothing.
 */
export function createRouting(root: Route, audiences: ReadonlyMap<string, Addressed['audience']>): Routing {
  return (labels) => (view, changes, told) => {
    // The alert of a source that is no longer watched ends as information; to whoever waits for its end it is one.
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
    const instead = stranded ? [...audiences.keys()].filter((receiver) => !concerned.includes(receiver)) : others;
    // Nobody knows any more where a source that is gone would lead: whoever was told of its alert is told that it ends.
    const wanted = isOfUnwatched(view, changes) ? [] : instead;
    const urgent = isUrgent(
      view.severity,
      changes.map(({ transition }) => transition.kind),
    );
    const sequels = told.filter((receiver) => {
      const way = ways.find((one) => one.receiver === receiver);
      return way === undefined ? wantsSequel(root, occasion) : way.wantedIfTold;
    });
    return [...new Set([...wanted, ...sequels])].flatMap((receiver): Addressed[] => {
      const audience = audiences.get(receiver);
      const route = ways.find((one) => one.receiver === receiver)?.route ?? root;
      if (audience === undefined) return [];
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

/** When a waiting message may go out by the route of today: quiet hours that were taken out of it hold nothing back. */
export function dueToday(
  routing: Routing,
  labels: ReadonlyMap<string, Readonly<Record<string, string>>>,
): (message: Message) => number {
  return ({ alert, changes, receiver, dueAt: then }) => {
    const addressed = routing(labels.get(alert.source) ?? {})(alert, changes, [receiver]);
    const way = addressed.find((each) => each.receiver === receiver);
    return way?.audience === 'people' ? way.dueBy(then) : then;
  };
}

/** The alert of a source that is no longer watched: Linewatch ends it in place of the source. */
function isOfUnwatched({ source }: AlertView, changes: readonly Change[]): boolean {
  return changes.some(({ transition }) => transition.kind === 'linewatch.config' && transition.source !== source);
}

/** A receiver is not told through itself that it does not take what it is told. */
function receiversConcerned(changes: readonly Change[]): string[] {
  return changes.flatMap(({ transition }) => ('receiver' in transition.details ? [transition.details.receiver] : []));
}
