/**
 * Escalation: an alert that is not acknowledged in time is sent to more receivers, once each. They then follow it to
 * its end like all other receivers of it.
 */
import { type Alert, toAlertView } from '../alert/alert.ts';
import { collectFacts } from '../alert/matchers.ts';
import { createOtherParts, type OtherPartsOf, type Part } from '../correlation/other-parts.ts';
import { type Escalation, findReached } from '../alert/route.ts';
import { rememberEscalation, rememberTold, listNotified } from '../alert/notified.ts';
import { findEarliest } from '../transition/collections.ts';
import { findDuty } from './rota.ts';
import type { Entry } from './message.ts';
import type { EnqueueContext } from './enqueue.ts';
import type { Routing } from './routing.ts';

/** Escalations that are due: open alerts above info, to receivers that have not been notified of them. */
export function enqueueEscalations(alerts: readonly Alert[], context: EnqueueContext): Entry[] {
  const others = createOtherParts(context.parts);
  return alerts.flatMap((alert) => {
    const due = listFutureSteps(alert, context, others).filter(({ after }) => alert.openedAt + after <= context.now);
    const { lastChange } = alert;
    const last = due.at(-1);
    if (lastChange === null || last === undefined) return [];
    const notified = new Set([...listNotified(alert), ...others(alert).threads.keys()]);
    const missing = due.flatMap((step) => findReceivers(step, context)).filter((name) => !notified.has(name));
    rememberEscalation(alert, last.after);
    return [...new Set(missing)].map((receiver): Entry => {
      const subject = alert.title;
      rememberTold(alert, { receiver, subject }, context.now);
      return {
        alert: toAlertView(alert),
        changes: [lastChange],
        reminder: 0,
        promisedAt: context.now,
        escalatedMs: last.after,
        to: [{ receiver, first: true, dueAt: context.now, subject }],
      };
    });
  });
}

/** Time of the next escalation; null if there is none. */
export function findNextEscalation(
  alerts: readonly Alert[],
  { routing, parts }: Pick<EnqueueContext, 'routing' | 'parts'>,
): number | null {
  const others = createOtherParts(parts);
  return findEarliest(
    alerts.flatMap((alert) => listFutureSteps(alert, { routing }, others).map(({ after }) => alert.openedAt + after)),
  );
}

/** Future steps of the alert's routes, the earliest first. An acknowledgement cancels most of them. */
function listFutureSteps(alert: Part, { routing }: { routing: Routing }, others: OtherPartsOf): Escalation[] {
  const { lastChange, status, severity, muted, awaitsSummary, escalatedMs = -Infinity } = alert;
  if (!hasEscalations(routing) || lastChange === null || status !== 'open' || severity === 'info') return [];
  // The alert of the notice that explains it escalates.
  if (muted || awaitsSummary || (alert.explainedBy ?? null) !== null) return [];
  const isTaken = alert.acknowledged !== undefined && !others(alert).isUntaken;
  const occasion = { severity, statuses: ['open'] } as const;
  const ways = findReached(routing.root, collectFacts(toAlertView(alert), [lastChange], routing.labels), occasion);
  const routes = new Set(ways.flatMap(({ route, wanted }) => (wanted ? [route] : [])));
  return [...routes]
    .flatMap(({ escalate: steps }) => steps)
    .filter(({ after, unless }) => after > escalatedMs && !(isTaken && unless === 'acknowledged'))
    .toSorted((a, b) => a.after - b.after);
}

/** Replaces rotas by the receivers on duty now. */
function findReceivers({ receivers }: Escalation, { routing, now }: EnqueueContext): string[] {
  const named = receivers.flatMap((name) => {
    const rota = routing.rotas?.get(name);
    return rota === undefined ? [name] : findDuty(rota, now);
  });
  return named.filter((name) => routing.receivers.has(name));
}

const known = new WeakMap<Routing['root'], boolean>();

/** Memoised by root route: most configurations have no escalation, and then no alert is checked. */
function hasEscalations({ root }: Routing): boolean {
  const answer = known.get(root) ?? hasSteps(root);
  known.set(root, answer);
  return answer;
}

function hasSteps({ escalate: steps, routes }: Routing['root']): boolean {
  return steps.length > 0 || routes.some(hasSteps);
}
