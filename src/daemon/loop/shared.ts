/**
 * Data and collaborators that all loops of a daemon share: waiting messages, receivers, and the state of other sources.
 * Assembled once; each loop takes what it needs.
 */
import { type ToPeople, explainWaiting } from '../../core/correlation/notify-decision.ts';
import type { OpenOutage } from '../../core/alert/source-outage.ts';
import type { Context } from '../../core/engine/page-kind.ts';
import type { KeptState } from '../../core/engine/step.ts';
import { SELF_NAME, type OwnState, type SelfEvent } from '../../core/engine/self-source.ts';
import { isReportedFailing, type ReceiverTrouble } from '../../core/engine/receiver-trouble.ts';
import type { OriginView } from '../../core/observation/health.ts';
import { type IsMuted, withoutMuted } from '../../core/outbox/muted.ts';
import { computeDueTime, type Routing } from '../../core/outbox/routing.ts';
import { groupDigestReaders } from '../../core/view/daily-digest.ts';
import { describeOwnEvent, type OwnEvent } from '../../core/wording/own-events.ts';
import { createAlertNumbers } from '../common/alert-numbers.ts';
import {
  createDeliveries,
  createFailing,
  createFoundTroubles,
  listSettledIds,
  type Troubles,
} from '../delivery/deliveries.ts';
import { createAlertParts } from './alert-parts.ts';
import { createHistoryFeed, listRecorded } from '../recording/history-feed.ts';
import { type Document, isSaved } from '../common/documents.ts';
import { measureApart } from '../common/clock.ts';
import { createMuting, createPending, createSharedStart } from '../delivery/pending.ts';
import { createNeighbourhood } from './neighbours.ts';
import type { DaemonOptions, WatchedAccount } from './options.ts';
import type { CallsLoop } from '../calls/calls-loop.ts';
import { createNoticeRecords } from './notice-import.ts';
import { createOrigins } from './origins.ts';
import { createOwnLoop, type OwnLoop, type OwnLoopDeps } from './own-loop.ts';
import { createPublication } from './stepping.ts';
import { createSweepRounds } from './rounds.ts';
import { createLoopClock } from '../common/progress.ts';
import type { LoopDeps } from './source-loop.ts';
import { createRotas, type Rotas } from '../rotas/rotas.ts';
import { createSources } from './sources.ts';
import { createLoopFailures, createUnsaved, OWN_LOOP, watchOver } from '../common/supervisor.ts';

/**
 * `routing` is for alerts of Linewatch itself; those of a source add its labels. `rotas`: people on duty. `calls`: by name,
 * of the accounts whose calls are watched.
 */
export type SharedDeps = Readonly<ReturnType<typeof createShared>>;

const NOBODY = { receivers: [], timezone: 'UTC' };

/** `ownDocument` is the document of Linewatch itself; sources and receivers are added later. */
export function createShared(options: DaemonOptions, ownDocument: Document<OwnState>) {
  const { clock, log, random, observer = {}, accounts = [] } = options;
  const watched = [...options.pages, ...accounts];
  const labels = new Map([...watched, ...(options.shard?.others ?? [])].map(({ name, labels }) => [name, labels]));
  const [numbers, parts] = [createAlertNumbers(options.reserveNumbers), createAlertParts()];
  const sources = createSources(accounts, parts.byId);
  const neighbours = createNeighbourhood(accounts, sources.accounts);
  const rotas = createRotas(options, (event) => tell(event));
  const routing = createRouting(options, rotas, labels);
  const pending = createPending(
    (message) => computeDueTime({ ...routing, labels: labels.get(message.alert.source) ?? {} }, message),
    () => measureApart(clock),
  );
  const report = (event: OwnEvent): void => tell({ kind: 'state', ...describeOwnEvent(event) });
  const loopFailures = createLoopFailures({ log, clock, random, tell: report });
  const [{ answersAgain }, isToldElsewhere] = [options.documents, options.shard?.isUnsavedElsewhere];
  const unsaved = createUnsaved({ log, clock, tell: report, isToldElsewhere, answersAgain });
  // Several daemons with the same receivers leave reports of failures to their owner, which reports once.
  const found = options.shard === undefined ? null : createFoundTroubles();
  const reported: Troubles = {
    isKnown: (receiver) => isReportedFailing(own.state.alerts, receiver),
    happened: tell,
  };
  const failing = createFailing({ log, clock, troubles: found ?? reported });
  const muting = createMuting(labels, () => own.state.silences);
  const sharedStart = createSharedStart(watched, { clock, wake: () => deliveries.wake() });
  const deliveries = createDeliveries({
    options,
    pending,
    sharedStart,
    muting,
    unsaved,
    failing,
    found,
    loopFailures,
    sources,
  });
  const origins = createOrigins(watched, sources, clock);
  const toPeople = (): ToPeople => waitingForPeople(options, { pending, deliveries, muting });
  const historyFeed = createHistoryFeed(options.history, clock.now, createSiteLookup(accounts));
  const publication = createPublication({
    log,
    observer,
    unsaved,
    pending,
    parts,
    toPeople,
    origins,
    neighbours,
    deliveries,
    sources,
    historyFeed,
  });
  const own: OwnLoop = createOwnLoop({
    document: ownDocument,
    clock,
    numbers,
    unsaved,
    publication,
    routing,
    parts: parts.byId,
    deliveries,
    loopFailures,
    digest: options.digest,
    readers: (shown) =>
      groupDigestReaders(
        options.route,
        shown.map(({ name, type }) => ({ name, type, labels: labels.get(name) ?? {} })),
      ),
    ...selectOwnDuties(options),
    history: options.history,
  });
  numbers.givenBefore(ownDocument.value.lastNumber + 1);
  pending.replace(SELF_NAME, ownDocument.value, isSaved(ownDocument));
  if (isSaved(ownDocument)) historyFeed.committed(SELF_NAME, ownDocument.value);
  else unsaved.knownBefore(SELF_NAME, () => own.save());
  const rounds = createSweepRounds({
    observer,
    sharedStart,
    loopFailures,
    pending,
    bounds: options.bounds,
    log,
    clock,
    sources,
    own,
    deliveries,
    tell: report,
  });

  function tell(event: SelfEvent): void {
    own.happened(event).catch((error: unknown) => loopFailures.failed(OWN_LOOP, error));
  }

  return {
    options,
    routing,
    rotas,
    parts,
    numbers,
    pending,
    sources,
    neighbours,
    deliveries,
    own,
    /** Failures of receivers, if another daemon reports them. */
    found: (): readonly ReceiverTrouble[] => found?.all() ?? [],
    origins,
    muting,
    toPeople,
    unsaved,
    loopFailures,
    sharedStart,
    rounds,
    publication,
    historyFeed,
    records: createNoticeRecords(clock.now),
    calls: new Map<string, CallsLoop>(),
  };
}

function selectOwnDuties({
  monthly = NOBODY,
  prove = { ...NOBODY, externalUrl: null },
}: DaemonOptions): Pick<OwnLoopDeps, 'monthly' | 'prove' | 'token'> {
  // Only the people of a receiver have its link: the token cannot be guessed.
  return { monthly, prove, token: () => crypto.randomUUID().replaceAll('-', '') };
}

/** Current state of messages to people. */
function waitingForPeople(
  { clock, receivers }: DaemonOptions,
  { pending, deliveries, muting }: Pick<SharedDeps, 'pending' | 'deliveries' | 'muting'>,
): ToPeople {
  const now = clock.now();
  const people = new Set(receivers.flatMap(({ name, audience }) => (audience === 'people' ? [name] : [])));
  const waiting = [...people].map((name) => pending.to(name).filter((each) => !deliveries.isSettled(each)));
  const isMuted: IsMuted = (message, latest) => muting.isSilenced(message, now, latest);
  const open = new Set(waiting.flatMap((promised) => withoutMuted(promised, isMuted).open));
  return { now, receivers: people, waiting: explainWaiting(waiting.flat(), (message) => !open.has(message), now) };
}

/** The subset that every source loop needs. */
export function selectLoopDeps(
  source: string,
  { options, numbers, unsaved, publication, rounds }: SharedDeps,
): LoopDeps {
  const { random, history = null, pages, accounts = [] } = options;
  const sourceCount = pages.length + accounts.length;
  const clock = createLoopClock(watchOver(source), options);
  return { clock, random, sourceCount, numbers, unsaved, publication, rounds, history };
}

interface Labelled {
  name: string;
  labels: Readonly<Record<string, string>>;
}

/** Context of a source's `nextTick`. */
export function createTickContext(
  { labels }: Labelled,
  { routing, parts }: Pick<SharedDeps, 'routing' | 'parts'>,
): Ticking {
  return { routing: { ...routing, labels }, parts: parts.byId };
}

type Ticking = Required<Pick<Context, 'routing' | 'parts'>>;

type Around = Ticking &
  Pick<Context, 'nextNumber' | 'overrides' | 'settled' | 'recorded'> & {
    origin: OriginView;
    outage: OpenOutage | null;
  };

/** Surroundings of a source for its step, for every kind. */
export function collectSurroundings(source: Labelled, state: KeptState, shared: SharedDeps): Around {
  const { options, origins, numbers, deliveries } = shared;
  return {
    ...createTickContext(source, shared),
    nextNumber: numbers.next,
    origin: origins.view(source.name),
    outage: origins.outage(source.name),
    overrides: options.overrides,
    settled: listSettledIds(state, deliveries),
    ...listRecorded(state, options.history),
  };
}

function createRouting(
  { route, receivers }: DaemonOptions,
  { all }: Rotas,
  labelsBySource: ReadonlyMap<string, Labelled['labels']>,
): Routing {
  return {
    root: route,
    ...(all.size > 0 && { rotas: all }),
    labels: {},
    labelsBySource,
    receivers: new Map(
      receivers.map(({ name, audience, ringsUntilTheEnd = false }) => [name, { audience, isPager: ringsUntilTheEnd }]),
    ),
  };
}

/** The configured sites of an account, for each record of the history. */
function createSiteLookup(accounts: readonly WatchedAccount[]): (name: string) => WatchedAccount['settings']['sites'] {
  const known = new Map(accounts.map(({ name, settings }) => [name, settings]));
  return (name) => known.get(name)?.sites ?? {};
}
