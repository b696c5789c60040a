/**
 * Sources that share an origin: when it fails, unreadable sources there become unreachable at once, before their own
 * threshold. The same holds for all sources when none can be read.
 */
import { isBlind, type Health, type OriginView } from '../../core/observation/health.ts';
import type { Alert } from '../../core/alert/alert.ts';
import { type OpenOutage, openOutage, chooseOutageToJoin } from '../../core/alert/source-outage.ts';
import type { Transition } from '../../core/transition/transition.ts';
import type { Clock } from '../common/clock.ts';
import { MINUTE } from '../../core/text/duration.ts';

/** For this long after a source became unreachable, unreadable ones of the same origin do so as well. */
const FALLS_TOGETHER_MS = MINUTE;

/** The fields of a source loop that other sources need. */
interface Neighbour {
  readonly state: Stands;
  wake(): void;
}

interface Stands {
  snapshot: { health: Health };
  alerts: readonly Alert[];
}

export type SharedOrigins = ReturnType<typeof createOrigins>;

/** `sources` are all watched sources; `watched` finds those that run. */
export function createOrigins(
  sources: readonly { name: string; baseUrl: string }[],
  watched: { named(name: string): Neighbour | undefined },
  clock: Clock,
) {
  const originOf = new Map(sources.map(({ name, baseUrl }) => [name, new URL(baseUrl).origin]));
  const byOrigin = Map.groupBy(
    sources.map(({ name }) => name),
    (name) => originOf.get(name) ?? '',
  );
  /** When each last became unreachable, on the monotonic clock. */
  const fellAt = new Map<string, number>();
  /** Names of unreachable sources, as of their last evaluated step. */
  const down = new Map([...byOrigin.keys()].map((origin) => [origin, new Set<string>()]));
  const stale = new Set(originOf.keys());
  /** By source: its open alert that it cannot be read. */
  const outages = new Map<string, OpenOutage>();
  /** When a source last became unreachable while none could be read. */
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

  /** True after at least two failed sweeps in a row: a single failure may be coincidence. */
  function isDark(name: string): boolean {
    const { blind, unreachable } = watched.named(name)?.state.snapshot.health ?? { blind: {}, unreachable: false };
    return unreachable || Object.values(blind).some(({ ms, refused }) => refused !== true && ms > 0);
  }

  function hasFallen(name: string, since: number): boolean {
    return (fellAt.get(name) ?? -Infinity) > since;
  }

  /** Returns true if no source can be read any more. */
  function fell(name: string): boolean {
    fellAt.set(name, clock.monotonic());
    const isAllDark = originOf.size > 1 && originOf.keys().every(isDark);
    if (isAllDark) darkAt = clock.monotonic();
    return isAllDark;
  }

  return {
    /** Failures of the other sources at this source's origin. */
    view(name: string): OriginView {
      const since = clock.monotonic() - FALLS_TOGETHER_MS;
      // Every step of every source calls this, so only sources that have stepped since are evaluated.
      for (const other of stale) look(other);
      const others = [...(down.get(originOf.get(name) ?? '') ?? [])].filter((other) => other !== name);
      return { down: others.length, fell: darkAt > since || others.some((other) => hasFallen(other, since)) };
    },
    /** The open outage of another source that this one joins if it becomes unreachable now. */
    outage(name: string) {
      const since = clock.monotonic() - FALLS_TOGETHER_MS;
      for (const other of stale) look(other);
      const origin = originOf.get(name);
      const open = [...outages].flatMap(([other, outage]) => {
        const isNear = originOf.get(other) === origin || darkAt > since;
        return other === name || !isNear ? [] : [{ ...outage, fellNow: darkAt > since || hasFallen(other, since) }];
      });
      const { blind = {} } = watched.named(name)?.state.snapshot.health ?? {};
      return chooseOutageToJoin(open, new Set(Object.values(blind).flatMap(({ code }) => code ?? [])));
    },
    /** The write of a source's state begins: other sources that step meanwhile join the outage it opened. */
    promised(name: string, state: Pick<Stands, 'alerts'>) {
      // The state shows that a source became unreachable only after its step is published.
      if (!originOf.has(name) || outages.has(name) || openOutage(state.alerts) === null) return;
      note(name, state);
      fell(name);
    },
    /**
     * Called with all transitions of a step, even none: if the source became unreachable, unreadable ones beside it step
     * at once.
     */
    entered(name: string, entered: readonly { transition: Transition }[]) {
      if (originOf.has(name)) stale.add(name);
      if (!entered.some(({ transition }) => transition.kind === 'source.unreachable')) return;
      const isAllDark = fell(name);
      for (const other of isAllDark ? originOf.keys() : (byOrigin.get(originOf.get(name) ?? '') ?? [])) {
        const neighbour = other === name ? undefined : watched.named(other);
        const health = neighbour?.state.snapshot.health;
        if (health?.unreachable === false && isBlind(health)) neighbour?.wake();
      }
    },
  };
}
