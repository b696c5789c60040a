/** The provider's page being watched. */
import { emptyState, step, type Context, type SourceState, type Stepped } from '../cycle.ts';
import type { Observation } from '../status-page/compare.ts';
import type { Looker } from './looker.ts';
import { createSweeper } from './sweep.ts';
import { createWatch, type Watch, type WatchDeps } from './watch.ts';

export type { Document } from './watch.ts';

type PageWatchDeps = WatchDeps<SourceState, Observation, Stepped>;

export interface SourceWatchDeps extends Omit<
  PageWatchDeps,
  'state' | 'sweeper' | 'restMs' | 'tick' | 'step' | 'readInFull'
> {
  baseUrl: string;
  looker: Looker;
  /** Everything of the context but time and sweep. */
  context(): Omit<Context, 'now' | 'sweep'>;
}

export type SourceWatch = Watch<SourceState>;

export function createSourceWatch(deps: SourceWatchDeps): SourceWatch {
  const { clock, document, looker } = deps;
  let paceOf = (usualMs: number): number => usualMs;
  return createWatch<SourceState, Observation, Stepped>({
    ...deps,
    state: stateAt(document.value, deps.baseUrl),
    sweeper: (state, take) => {
      const sweeper = createSweeper({
        looker,
        now: clock.now,
        monotonic: clock.monotonic,
        snapshot: () => state().snapshot,
        step: take,
      });
      paceOf = sweeper.intervalMs;
      return sweeper;
    },
    intervalMs: (state) => paceOf(deps.intervalMs(state)),
    restMs: () => looker.restMs(),
    tick: { kind: 'tick' },
    step: (state, observation, { now, sweep }) => step(state, observation, { ...deps.context(), now, sweep }),
    readInFull: (observation) =>
      observation.kind === 'end' && Object.values(observation.parts).every((miss) => miss === null),
  });
}

/**
 * Another address under the same name is another source: what was known of the old one says nothing of it. What was
 * promised stays promised, and numbers given stay given.
 */
export function stateAt(known: SourceState, baseUrl: string): SourceState {
  if (known.baseUrl === baseUrl) return known;
  return { ...emptyState(baseUrl), outbox: known.outbox, lastNumber: known.lastNumber };
}
