/** Routes all messages of one source to some receivers at once, and marks each as delivered when it is enqueued. */
import { createRouteTo, type Route } from '../../src/core/alert/route.ts';
import { type Entry, listMessages } from '../../src/core/outbox/message.ts';
import type { ReceiverTraits, Routing } from '../../src/core/outbox/routing.ts';

/** Names that begin with `programs` are programs, all others people. */
export function routingTo(receivers: readonly string[], route: Partial<Route> = {}): Routing {
  return {
    root: { ...createRouteTo([...receivers]), ...route },
    labels: {},
    receivers: new Map(
      receivers.map((name): [string, ReceiverTraits] => [
        name,
        { audience: name.startsWith('programs') ? 'programs' : 'people' },
      ]),
    ),
  };
}

export function allSettled({ outbox }: { outbox: readonly Entry[] }): ReadonlySet<string> {
  return new Set(outbox.flatMap(listMessages).map(({ id }) => id));
}
