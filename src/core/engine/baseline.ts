/** The summary of a first sweep, told once, whatever the kind of source. */
import { identify, type DraftOf, type Source, type Transition } from '../transition/transition.ts';

/** As much of a snapshot as knows whether its summary was told. */
interface Summarised {
  counters: Readonly<Record<string, number>>;
  baselineTold: boolean;
}

/** What is told, and the snapshot that knows so. */
export function tellBaseline<S extends Summarised>(
  source: Source,
  snapshot: S,
  draft: DraftOf<'source.baseline'>,
  now: number,
): { transition: Transition; snapshot: S } | null {
  const { transitions, counters } = identify(source, snapshot.counters, [draft], now);
  const [transition] = transitions;
  return transition === undefined ? null : { transition, snapshot: { ...snapshot, counters, baselineTold: true } };
}
