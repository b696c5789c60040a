/**
 * Sources behind one origin: when it dies, what is blind there is told at once, whatever its own threshold. So is
 * everything when nothing at all can be read.
 */
import { isBlind, type Health, type OriginView } from '../../core/observation/health.ts';
import type { Alert } from '../../core/alert/alert.ts';
import { type OpenOutage, openOutage, outageToJoin } from '../../core/alert/source-outage.ts';
import type { Transition } from '../../core/transition/transition.ts';
import type { Clock } from '../common/clock.ts';
import { MINUTE } from '../../core/text/duration.ts';

/** A source that was found unreachable this recently takes those along that are blind behind the same origin. */
const FALLS_TOGETHER_MS = MINUTE;

/** As much of a watch as its neighbours need. */
interface Neighbour {
  readonly state: Stands;
  nudge(): void;
}

interface Stands {
  snapshot: { health: Health };
  alerts: readonly Alert[];
}

export interface Origins {
  /** How the others behind the origin of this source fare. */
  view(name: string): OriginView;
  /** The alert of another source that this one joins, should it be found unreachable now. */
  outage(name: string): OpenOutage | null;
  /** The state of a source begins to be written: another one that steps meanwhile joins what it opened. */
  promised(name: string, state: Pick<Stands, 'alerts'>): void;
  /** What was entered for a source in a step of it, nothing included: if it fell, those that are blind beside it step at once. */
  entered(name: string, entered: readonly { transition: Transition }[]): void;
}

/** `sources` are all that are watched; `watched` finds those that are running. */
export function createOrigins(
  sources: readonly { name: string; baseUrl: string }[],
  watched: { named(name: string): Neighbour | undefined },
  clock: Clock,
): Origins {
  const originOf = new Map(sources.map(({ name, baseUrl }) => [name, new URL(baseUrl).origin]));
  const byOrigin = Map.groupBy(
    sources.map(({ name }) => name),
    (name) => originOf.get(name) ?? '',
  );
  /** When each was last found unreachable, by the clock that never jumps. */
  const fellAt = new Map<string, number>();
  /** Names of those that are unreachable, as far as nothing new is known of them since. */
  const down = new Map([...byOrigin.keys()].map((origin) => [origin, new Set<string>()]));
  const stale = new Set(originOf.keys());
  /** By source: its open alert that it cannot be read. */
  const outages = new Map<string, OpenOutage>();
  /** When one of them was last found unreachable and none could be read. */
  let darkAt = -Infinity;

  function look(name: string): void {
    const source = watched.named(name);
    if (source === undefined) return;
    stale.delete(name);
    const here = down.get(originOf.get(name) ?? '');
    if (source.state.snapshot.health.unreachable) here?.add(name);
    else here?.delete(name);
    note(name, source.state);
  }

  function note(name: string, { alerts }: Pick<Stands, 'alerts'>): void {
    const open = openOutage(alerts);
    if (open === null) outages.delete(name);
    else outages.set(name, open);
  }

  /** It was not read at least twice in a row: one failure beside the end of another source is a chance. */
  function isDark(name: string): boolean {
    const { blind, unreachable } = watched.named(name)?.state.snapshot.health ?? { blind: {}, unreachable: false };
    return unreachable || Object.values(blind).some(({ ms, refused }) => refused !== true && ms > 0);
  }

  function hasFallen(name: string, since: number): boolean {
    return (fellAt.get(name) ?? -Infinity) > since;
  }

  /** True where nothing at all can be read any more. */
  function fell(name: string): boolean {
    fellAt.set(name, clock.monotonic());
    const isAllDark = originOf.size > 1 && originOf.keys().every(isDark);
    if (isAllDark) darkAt = clock.monotonic();
    return isAllDark;
  }

  return {
    view(name) {
      const since = clock.monotonic() - FALLS_TOGETHER_MS;
      // Every step of every source asks: only those that have stepped since are looked at.
      for (const other of stale) look(other);
      const others = [...(down.get(originOf.get(name) ?? '') ?? [])].filter((other) => other !== name);
      return { down: others.length, fell: darkAt > since || others.some((other) => hasFallen(other, since)) };
    },
    outage(name) {
      const since = clock.monotonic() - FALLS_TOGETHER_MS;
      for (const other of stale) look(other);
      const origin = originOf.get(name);
      const open = [...outages].flatMap(([other, outage]) => {
        const isNear = originOf.get(other) === origin || darkAt > since;
        return other === name || !isNear ? [] : [{ ...outage, fellNow: darkAt > since || hasFallen(other, since) }];
      });
      const { blind = {} } = watched.named(name)?.state.snapshot.health ?? {};
      return outageToJoin(open, new Set(Object.values(blind).flatMap(({ code }) => code ?? [])));
    },
    promised(name, state) {
      // A source that begins to fall is not found so before its step is published.
      if (!originOf.has(name) || outages.has(name) || openOutage(state.alerts) === null) return;
      note(name, state);
      fell(name);
    },
    entered(name, entered) {
      if (originOf.has(name)) stale.add(name);
      if (!entered.some(({ transition }) => transition.kind === 'source.unreachable')) return;
      const isAllDark = fell(name);
      for (const other of isAllDark ? originOf.keys() : (byOrigin.get(originOf.get(name) ?? '') ?? [])) {
        const neighbour = other === name ? undefined : watched.named(other);
        const health = neighbour?.state.snapshot.health;
        if (health?.unreachable === false && isBlind(health)) neighbour?.nudge();
      }
    },
  };
}
