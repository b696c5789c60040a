/**
 * Routes inferred from reports, because the interface lists no dialplans. A route is a number, a dialplan and a
 * condition, with the extensions that rang or answered there in four weeks.
 */
import { hashIdentity } from '../transition/transition.ts';
import { toNumberKey } from '../text/phone-number.ts';
import type { Call } from './call-model.ts';
import { createLocalHours, DAY_SECONDS, HOUR_SECONDS } from './local-days.ts';

/** Hangup causes of calls that reached no phone. */
const UNREACHABLE_CAUSES = [
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
  /** Expected false alarms of a route in four weeks. */
  chance: 0.001,
} as const;

export interface SeenRoute extends Pick<Call, 'did' | 'dialplan' | 'condition'> {
  /** Hash of number, dialplan and condition. */
  id: string;
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

export interface RouteContext {
  now: number;
  timezone: string;
  unreachableCauses: readonly string[];
}

/** Routes with at least five calls on three days of the last four weeks. */
export function findRoutes(
  calls: readonly Call[],
  { now, timezone }: Pick<RouteContext, 'now' | 'timezone'>,
): SeenRoute[] {
  const from = now - ROUTES.comparedDays * DAY_SECONDS;
  const seen = calls.filter((call) => call.began >= from && isIncoming(call));
  // A call diverted to an outside number has its dialplan but not the number that was called.
  const [diverted, reached] = [groupPlaces(seen, isDiverted), groupPlaces(seen, (call) => !isDiverted(call))];
  const local = createLocalHours(timezone);
  return [...reached].flatMap(([key, { did, dialplan, condition, calls: own }]) => {
    const others = diverted.get(toPlaceKey({ did: '', dialplan, condition }))?.calls ?? [];
    const all = [...own, ...others].toSorted((a, b) => a.began - b.began);
    const days = new Set(all.map(({ began }) => local(began).day));
    if (all.length < ROUTES.fewestCalls || days.size < ROUTES.fewestDays) return [];
    const id = hashIdentity('route', key).slice(0, 8);
    return [{ id, did, dialplan, condition, extensions: listExtensions(own), calls: all }];
  });
}

type RoutePlace = Pick<Call, 'did' | 'dialplan' | 'condition'>;

/** By what a route is. Its texts repeat from call to call, so that maps of them cost less than a key made for each call. */
function groupPlaces(
  calls: readonly Call[],
  isMeant: (call: Call) => boolean,
): Map<string, RoutePlace & { calls: Call[] }> {
  const groups = new Map<string, RoutePlace & { calls: Call[] }>();
  const known = new Map<string, Map<string, Map<string, Call[]>>>();
  for (const call of calls) {
    if (!isMeant(call)) continue;
    const { did, dialplan, condition } = call;
    let some = known.get(did)?.get(dialplan)?.get(condition);
    if (some === undefined) {
      const key = toPlaceKey(call);
      const group = groups.get(key) ?? { did, dialplan, condition, calls: [] };
      groups.set(key, group);
      some = group.calls;
      const ofNumber = known.get(did) ?? new Map<string, Map<string, Call[]>>();
      known.set(
        did,
        ofNumber.set(dialplan, (ofNumber.get(dialplan) ?? new Map<string, Call[]>()).set(condition, some)),
      );
    }
    some.push(call);
  }
  return groups;
}

function toPlaceKey({ did, dialplan, condition }: RoutePlace): string {
  return `${toNumberKey(did) ?? did}\n${dialplan}\n${condition}`;
}

function isDiverted({ kind }: Call): boolean {
  return kind === 'diverted';
}

function isIncoming({ kind, did }: Call): boolean {
  return kind === 'diverted' || (kind !== 'outgoing' && did !== '');
}

function listExtensions(calls: readonly Call[]): string[] {
  const found = new Set<string>();
  for (const { kind, to, rang } of calls) {
    if (kind === 'answered') found.add(to);
    else for (const { extension } of rang) found.add(extension);
  }
  return [...found];
}

/** Routes whose callers reach no phone: two callers in a row, or more where callers often hang up before a phone rings. */
export function findDeadRoutes(routes: readonly SeenRoute[], look: RouteContext): DeadRoute[] {
  const causes = new Set<string>([...UNREACHABLE_CAUSES, ...look.unreachableCauses]);
  return routes.flatMap((route) => {
    const answered = route.calls.filter(({ kind }) => kind !== 'missed').length;
    if (answered < route.calls.length * ROUTES.answeredShare) return [];
    const { runs, open } = findRuns(route.calls, causes);
    const [first] = open;
    if (first === undefined) return [];
    const callers = countCallers(open);
    if (callers < ROUTES.warning || !isBeyondHabit(open, habitOf(route, runs, open))) return [];
    return [{ route, since: first.began, callers, level: callers >= ROUTES.critical ? 'critical' : 'warning' }];
  });
}

/** No extension was tried, or none of those tried could be reached. */
export function isUnreached({ kind, rang }: Call, causes: ReadonlySet<string>): boolean {
  return kind === 'missed' && rang.every(({ cause }) => causes.has(cause));
}

/**
 * Runs of calls that rang no phone, each within an hour of the one before. `open` is not over: a dead route stays dead until a
 * call reaches a phone.
 */
function findRuns(calls: readonly Call[], causes: ReadonlySet<string>): { runs: Call[][]; open: Call[] } {
  const runs: Call[][] = [];
  let open: Call[] = [];
  for (const call of calls) {
    const last = open.at(-1);
    const isLate = last !== undefined && call.began - last.began > HOUR_SECONDS && countCallers(open) < ROUTES.warning;
    const isReached = !isUnreached(call, causes);
    if ((isReached || isLate) && open.length > 0) {
      runs.push(open);
      open = [];
    }
    if (!isReached) open.push(call);
  }
  return { runs, open };
}

interface RouteHabit {
  /** Earlier calls that rang no phone. */
  early: readonly Call[];
  /** All earlier calls of the route. */
  calls: number;
}

/** Leaves out long runs that the other runs do not explain: the route was dead then. */
function habitOf({ calls }: SeenRoute, runs: readonly Call[][], open: readonly Call[]): RouteHabit {
  const all = calls.length - open.length;
  const usual = runs.filter((run) => {
    if (countCallers(run) < ROUTES.critical) return true;
    const early = runs.filter((other) => other !== run).flat();
    return !isBeyondHabit(run, { early, calls: all - run.length });
  });
  return { early: usual.flat(), calls: all };
}

/**
 * Callers also hang up during a greeting, before any phone rings. A run is ignored where chance would produce one in four
 * weeks like the last. Calls that lasted longer than such callers usually wait are judged by themselves.
 */
function isBeyondHabit(run: readonly Call[], { early, calls }: RouteHabit): boolean {
  const lengths = [...new Set(run.map(lengthOf))];
  return lengths.some((length) => {
    const callers = countCallers(run.filter((call) => lengthOf(call) >= length));
    if (callers < ROUTES.warning) return false;
    const alike = early.filter((call) => lengthOf(call) >= length).length;
    if (alike === 0) return true;
    const share = Math.min(1, (alike + 1) / (calls + 1));
    return calls * share ** callers <= ROUTES.chance / lengths.length;
  });
}

/** Infinite where phones were tried and none could take the call: an impatient caller does not cause that. */
function lengthOf({ began, ended, rang }: Call): number {
  return rang.length > 0 ? Infinity : ended - began;
}

/** A withheld number may be one caller or many; all of them count as one. */
function countCallers(calls: readonly Call[]): number {
  return new Set(calls.map(({ from }) => toNumberKey(from))).size;
}

/** Routes whose extensions are all offline. */
export function findThreatenedRoutes(routes: readonly SeenRoute[], lost: ReadonlySet<string>): SeenRoute[] {
  return routes.filter(({ extensions }) => extensions.length > 0 && extensions.every((one) => lost.has(one)));
}
