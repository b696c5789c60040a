/** Whether anybody could be told of anything: what an outsider who waits for our heartbeat relies on. */
import type { Route } from '../core/alert/route.ts';
import { STUCK_AFTER_MS } from '../core/view/readiness.ts';
import type { Daemon } from './daemon.ts';
import type { ReceiverState } from './receiver-state.ts';

/** False while the state cannot be saved, and while every receiver that the route leads to takes nothing. */
export function couldTell(
  { deliveries, unsaved }: Pick<Daemon, 'deliveries' | 'unsaved'>,
  route: Route | null,
  now: number,
): boolean {
  if (route === null || unsaved().length > 0) return false;
  const routed = new Set(receiversOf(route));
  return deliveries.some(({ receiver, state }) => routed.has(receiver.name) && !takesNothing(state, now));
}

function receiversOf({ receivers, routes }: Route): string[] {
  return [...receivers, ...routes.flatMap(receiversOf)];
}

/** Refused for good with its last sending, or failing for so long that nobody would call it a moment. */
function takesNothing({ failing, refused }: Pick<ReceiverState, 'failing' | 'refused'>, now: number): boolean {
  if (failing === null) return false;
  return refused.some(({ at }) => at >= failing.since) || now - failing.since > STUCK_AFTER_MS;
}
