/** A status page of the provider or another vendor, as a kind of source. */
import {
  createPageState,
  PAGE,
  type Context,
  type SourceState,
  type PageStepResult,
} from '../../core/engine/page-kind.ts';
import { performStep } from '../../core/engine/step.ts';
import type { Observation } from '../../core/page/compare.ts';
import { isAcute } from '../../core/page/notice.ts';
import { openNotices } from '../../core/page/snapshot.ts';
import { isGivenUp } from '../../core/page/unlisted.ts';
import { findMaximum } from '../../core/transition/collections.ts';
import { pickVendor } from '../../core/transition/transition.ts';
import { HOUR } from '../../core/text/duration.ts';
import { keepUnrecorded } from '../recording/history-feed.ts';
import type { Document } from '../common/documents.ts';
import type { WatchedPage } from './options.ts';
import { createPageSweeper } from './page-sweep.ts';
import { selectLoopDeps, collectSurroundings, createTickContext, type SharedDeps } from './shared.ts';
import { createSourceLoop } from './source-loop.ts';
import type { PageSource } from './sources.ts';

/** While an unplanned notice is open, and this long after its last update, sweeps are more frequent. */
const INCIDENT_LINGERS_MS = 2 * HOUR;

/** Loads the document; one of another page starts afresh. Sends no request before `turn` or `run`. */
export function createPageSource(page: WatchedPage, document: Document<SourceState>, shared: SharedDeps): PageSource {
  const { name, reader, maintenance } = page;
  const { clock, observer = {} } = shared.options;
  return createSourceLoop<SourceState, Observation, PageStepResult>({
    ...selectLoopDeps(name, shared),
    name,
    document,
    state: resetMovedPage(document.value, page),
    sweeper: (snapshot, take) =>
      createPageSweeper({ reader, now: clock.now, monotonic: clock.monotonic, snapshot, step: take }),
    usualMs: page.intervalMs,
    intervalMs: (state) => intervalOf(page, state, clock.now()),
    restMs: () => reader.restMs(),
    nextTick: (state) => PAGE.nextTick(state, { maintenance, ...createTickContext(page, shared) }),
    step: (state, observation, { now, sweep }) =>
      performStep(PAGE, state, observation, { ...contextOf(page, state, shared), now, sweep }),
    around: (state) => collectSurroundings(page, state, shared),
    heard: (out) => observer.stepped?.(name, out),
  });
}

/** The context of a step without time and sweep. */
function contextOf(page: WatchedPage, state: SourceState, shared: SharedDeps): Omit<Context, 'now' | 'sweep'> {
  const { name, baseUrl, maintenance, components, unreachableAfterMs, missingAfterMs } = page;
  const around = collectSurroundings(page, state, shared);
  return {
    ...around,
    source: { name, baseUrl, ...pickVendor(page) },
    health: { baseUrl, unreachableAfterMs, joins: around.origin.fell },
    maintenance,
    components,
    record: shared.records.of(name),
    ...(missingAfterMs !== undefined && { missingAfterMs }),
  };
}

/** Interval of sweeps: shorter during an incident. */
function intervalOf(page: WatchedPage, { snapshot }: SourceState, now: number): number {
  const hot = openNotices(snapshot).some((notice) => {
    if (isGivenUp(notice)) return false;
    const lastWord = findMaximum([notice.firstSeenAt, ...notice.updates.map((update) => update.createdAt ?? 0)]);
    return isAcute(notice.type, notice.state) || (notice.wasAcute && now - lastWord < INCIDENT_LINGERS_MS);
  });
  return hot ? Math.min(page.intervalDuringIncidentMs, page.intervalMs) : page.intervalMs;
}

/**
 * Another address under the same name is another source, as is another page at the same address once a person has
 * confirmed it: the old snapshot does not apply. Enqueued messages remain, and used alert numbers stay used.
 */
export function resetMovedPage(
  known: SourceState,
  { baseUrl, acceptNewPage = false }: Pick<WatchedPage, 'baseUrl' | 'acceptNewPage'>,
): SourceState {
  const isAccepted = acceptNewPage && (known.snapshot.document?.other ?? null) !== null;
  if (known.baseUrl === baseUrl && !isAccepted) return known;
  return { ...createPageState(baseUrl), outbox: known.outbox, lastNumber: known.lastNumber, ...keepUnrecorded(known) };
}
