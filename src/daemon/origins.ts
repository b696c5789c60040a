/** Sources behind one origin: when it dies, what is blind there is told at once, whatever its own threshold. */
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
  view(name: string): OriginView;
  /** What was entered for a source: if it fell, those that are blind beside it step at once. */
  entered(name: string, entered: readonly { transition: Transition }[]): void;
}

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

  /** One after the other and no list of them: every step of every source asks. */
  function* beside(name: string): Generator<{ other: string; neighbour: Neighbour }> {
    for (const other of byOrigin.get(originOf.get(name) ?? '') ?? []) {
      const neighbour = other === name ? undefined : watched.named(other);
      if (neighbour !== undefined) yield { other, neighbour };
    }
  }

  return {
    view(name) {
      const since = clock.monotonic() - FALLS_TOGETHER_MS;
      const view = { down: 0, fell: false };
      for (const { other, neighbour } of beside(name)) {
        if (!neighbour.state.snapshot.health.unreachable) continue;
        view.down += 1;
        view.fell ||= (fellAt.get(other) ?? -Infinity) > since;
      }
      return view;
    },
    entered(name, entered) {
      if (!entered.some(({ transition }) => transition.kind === 'source.unreachable')) return;
      fellAt.set(name, clock.monotonic());
      for (const { neighbour } of beside(name)) {
        const { health } = neighbour.state.snapshot;
        if (!health.unreachable && isBlind(health)) neighbour.nudge();
      }
    },
  };
}
