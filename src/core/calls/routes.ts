/**
 * Routes inferred from reports, because the interface lists no dialplans. A route is a number, a dialplan and a
 * condition, with the extensions that rang or answered there in four weeks.
 */
import { hashIdentity } from '../transition/transition.ts';
import { toNumberKey } from '../text/phone-number.ts';
import type { Call } from './call-model.ts';
import { createLocalHours, DAY_SECONDS, HOUR_SECONDS } from './local-days.ts';

/** Hangup causes of calls that reached no phone. */
export const UNREACHABLE_CAUSES = [
  'USER_NOT_REGISTERED',
  'SUBSCRIBER_ABSENT',
  'NO_ROUTE_DESTINATION',
  'UNALLOCATED_NUMBER',
  'DESTINATION_OUT_OF_ORDER',
] as const;

export const ROUTES = {
  comparedDays: 28,
  fewestCalls: 5,
  fewestDays: 3,
  /** A route with a smaller share of answered calls ends in an announcement or a menu. */
  answeredShare: 0.2,
  warning: 2,
  critical: 5,
} as const;

export interface SeenRoute {
  /** Hash of number, dialplan and condition. */
  id: string;
  did: string;
  dialplan: string;
  condition: string;
  /** Extensions that rang or answered. */
  extensions: string[];
  calls: Call[];
}

export interface DeadRoute {
  route: SeenRoute;
  since: number;
  callers: number;
  level: 'warning' | 'critical';
}

export interface RouteLook {
  now: number;
  timezone: string;
  unreachableCauses: readonly string[];
}

/** Routes with at least five calls on three days of the last four weeks. */
export function findRoutes(
  calls: readonly Call[],
  { now, timezone }: Pick<RouteLook, 'now' | 'timezone'>,
): SeenRoute[] {
  const from = now - ROUTES.comparedDays * DAY_SECONDS;
  const seen = calls.filter((call) => call.began >= from && isIncoming(call));
  // A call diverted to an outside number has its dialplan but not the number that was called.
  const diverted = Map.groupBy(
    seen.filter(({ kind }) => kind === 'diverted'),
    ({ dialplan, condition }) => `${dialplan}\n${condition}`,
  );
  const groups = Map.groupBy(
    seen.filter(({ kind }) => kind !== 'diverted'),
    ({ did, dialplan, condition }) => `${toNumberKey(did) ?? did}\n${dialplan}\n${condition}`,
  );
  const local = createLocalHours(timezone);
  return [...groups].flatMap(([key, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const { did, dialplan, condition } = first;
    const all = [...own, ...(diverted.get(`${dialplan}\n${condition}`) ?? [])].toSorted((a, b) => a.began - b.began);
    const days = new Set(all.map(({ began }) => local(began).day));
    if (all.length < ROUTES.fewestCalls || days.size < ROUTES.fewestDays) return [];
    return [
      {
        id: hashIdentity('route', key).slice(0, 8),
        did,
        dialplan,
        condition,
        extensions: extensionsOf(own),
        calls: all,
      },
    ];
  });
}

function isIncoming({ kind, did }: Call): boolean {
  return kind === 'diverted' || (kind !== 'outgoing' && did !== '');
}

function extensionsOf(calls: readonly Call[]): string[] {
  return [
    ...new Set(calls.flatMap(({ kind, to, rang }) => (kind === 'answered' ? [to] : rang.map((one) => one.extension)))),
  ];
}

/** Routes whose callers reach no phone: two callers within an hour, and no call reached a phone in between. */
export function findDeadRoutes(routes: readonly SeenRoute[], look: RouteLook): DeadRoute[] {
  const causes = new Set<string>([...UNREACHABLE_CAUSES, ...look.unreachableCauses]);
  return routes.flatMap((route) => {
    const answered = route.calls.filter(({ kind }) => kind !== 'missed').length;
    if (answered < route.calls.length * ROUTES.answeredShare) return [];
    return deadSince(route, causes) ?? [];
  });
}

/** No extension was tried, or none of those tried could be reached. */
export function isUnreached({ kind, rang }: Call, causes: ReadonlySet<string>): boolean {
  return kind === 'missed' && rang.every(({ cause }) => causes.has(cause));
}

function deadSince(route: SeenRoute, causes: ReadonlySet<string>): DeadRoute | null {
  let unreached: Call[] = [];
  let isDead = false;
  for (const call of route.calls) {
    if (!isUnreached(call, causes)) {
      // A phone was reached, so the route works.
      if (call.kind !== 'missed' || call.rang.length > 0) [unreached, isDead] = [[], false];
      continue;
    }
    if (!isDead) unreached = unreached.filter(({ began }) => call.began - began <= HOUR_SECONDS);
    unreached.push(call);
    if (countCallers(unreached) >= ROUTES.warning) isDead = true;
  }
  const [first] = unreached;
  if (!isDead || first === undefined) return null;
  const callers = countCallers(unreached);
  return { route, since: first.began, callers, level: callers >= ROUTES.critical ? 'critical' : 'warning' };
}

/** A withheld number may be one caller or many; all of them count as one. */
function countCallers(calls: readonly Call[]): number {
  return new Set(calls.map(({ from }) => toNumberKey(from))).size;
}

/** Routes whose extensions are all offline. */
export function foreseeDeadRoutes(routes: readonly SeenRoute[], lost: ReadonlySet<string>): SeenRoute[] {
  return routes.filter(({ extensions }) => extensions.length > 0 && extensions.every((one) => lost.has(one)));
}
