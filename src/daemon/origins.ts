/**
 * Sources behind one origin: when it dies, what is blind there is told at once, whatever its own threshold. So is
 * everything when nothing at all can be read.
 */
import { isBlind, type Health, type OriginView } from '../core/observation/health.ts';
import type { Transition } from '../core/transition/transition.ts';
import type { Clock } from './clock.ts';
import { MINUTE } from '../core/text/duration.ts';

/** A source that was found unreachable this recently takes those along that are blind behind the same origin. */
const FALLS_TOGETHER_MS = MINUTE;

/** As much of a watch as its neighbours need. */
interface Neighbour {
  readonly state: { snapshot: { health: Health } };
  nudge(): void;
}

export interface Origins {
  /** How the others behind the origin of this source fare. */
  view(name: string): OriginView;
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
  /** When one of them was last found unreachable and none could be read. */
  let darkAt = -Infinity;

  function look(name: string): void {
    const source = watched.named(name);
    if (source === undefined) return;
    stale.delete(name);
    const here = down.get(originOf.get(name) ?? '');
    if (source.state.snapshot.health.unreachable) here?.add(name);
    else here?.delete(name);
  }

  /** It was not read at least twice in a row: one failure beside the end of another source is a chance. */
  function isDark(name: string): boolean {
    const { blind, unreachable } = watched.named(name)?.state.snapshot.health ?? { blind: {}, unreachable: false };
    return unreachable || Object.values(blind).some(({ ms, refused }) => refused !== true && ms > 0);
  }

  return {
    view(name) {
      const since = clock.monotonic() - FALLS_TOGETHER_MS;
      // Every step of every source asks: only those that have stepped since are looked at.
      for (const other of stale) look(other);
      const others = [...(down.get(originOf.get(name) ?? '') ?? [])].filter((other) => other !== name);
      const fell = darkAt > since || others.some((other) => (fellAt.get(other) ?? -Infinity) > since);
      return { down: others.length, fell };
    },
    entered(name, entered) {
      if (originOf.has(name)) stale.add(name);
      if (!entered.some(({ transition }) => transition.kind === 'source.unreachable')) return;
      fellAt.set(name, clock.monotonic());
      const isAllDark = originOf.size > 1 && originOf.keys().every(isDark);
      if (isAllDark) darkAt = clock.monotonic();
      for (const other of isAllDark ? originOf.keys() : (byOrigin.get(originOf.get(name) ?? '') ?? [])) {
        const neighbour = other === name ? undefined : watched.named(other);
        const health = neighbour?.state.snapshot.health;
        if (health?.unreachable === false && isBlind(health)) neighbour?.nudge();
      }
    },
  };
}
