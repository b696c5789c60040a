/**
 * The daemon: sweeps every source and serves every receiver, from one state directory, until it is stopped. All
 * collaborators are arguments, so that tests and the demo run the same daemon.
 */
import { createCallsOf, eraseUnwatchedCalls } from './configured-calls.ts';
import type { CallsLoop } from '../calls/calls-loop.ts';
import { createLongWork } from '../calls/long-work.ts';
import type { ToPeople } from '../../core/correlation/notify-decision.ts';
import type { Matchable } from '../../config/matcher-mistakes.ts';
import type { Alert } from '../../core/alert/alert.ts';
import type { ReceiverTrouble } from '../../core/engine/receiver-trouble.ts';
import { createAccountState } from '../../core/engine/account-kind.ts';
import { createOwnState } from '../../core/engine/self-source.ts';
import { createPageState } from '../../core/engine/page-kind.ts';
import { isConfigured } from '../../core/outbox/routing.ts';
import { resetMovedAccount, createAccountSource } from './account-source.ts';
import type { RemovedReceivers } from '../delivery/deliveries.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { DaemonOptions } from './options.ts';
import { runKeepAlive } from './keep-alive.ts';
import type { OwnLoop } from './own-loop.ts';
import { createPageSource, resetMovedPage } from './page-source.ts';
import { runReceipts } from './receipts.ts';
import { runNoticeImport } from './notice-import.ts';
import { createShared, type SharedDeps } from './shared.ts';
import type { AccountSource, PageSource } from './sources.ts';
import {
  nameCallsLoop,
  toDeliveryLoopName,
  keepGoing,
  OWN_LOOP,
  toImportLoopName,
  watchOver,
} from '../common/supervisor.ts';
import { createYielding } from '../common/yielding.ts';
import { createRemovedSources } from './removed-sources.ts';

/** The start waits this long for calendars of rotas. */
const CALENDARS_WITHIN_MS = 5_000;

export interface Daemon {
  readonly sources: readonly PageSource[];
  readonly accounts: readonly AccountSource[];
  /** Undefined for a source that is not watched. */
  named(source: string): PageSource | AccountSource | undefined;
  readonly deliveries: readonly Delivery[];
  readonly own: OwnLoop;
  /** Values that matchers of a silence can refer to. */
  readonly matchable: Matchable;
  /** Messages for receivers that are no longer configured. */
  readonly removed: RemovedReceivers;
  toPeople(): ToPeople;
  /** Failures of receivers, for a caller that runs several daemons and reports once for all. */
  receiverTroubles(): readonly ReceiverTrouble[];
  /** By name of account; only accounts whose calls are watched. */
  readonly calls: ReadonlyMap<string, CallsLoop>;
  /** Names of documents that the disk refuses now. */
  unsaved(): string[];
  /** Reason of the unexpected failure of this source's last sweep; null without one. */
  loopFailure(source: string): string | null;
  /** Runs one turn of every source's loop and delivers nothing. Rejects as `SourceLoop.turn` does. */
  turn(signal: AbortSignal): Promise<void>;
  /** Resolves when everything has stopped; a running sending gets `graceMs` before it is interrupted. */
  run(stop: AbortSignal, graceMs?: () => number): Promise<void>;
}

/**
 * After a stop, a running sending gets this long before it is interrupted and left to the next start, and documents that
 * were refused are saved again for this long.
 */
export const GRACE_MS = 8_000;

/** Grace of sendings on a reload, and while another member waits to lead: the successor retries a hanging receiver. */
export const SHORT_GRACE_MS = 1_000;

/**
 * Reads all documents and ends sources that are no longer watched; sends no request and no message before `turn` or
 * `run`. Rejects as the documents do.
 */
export async function createDaemon(options: DaemonOptions): Promise<Daemon> {
  const shared = createShared(options, await options.documents.own(createOwnState(options.shard?.part)));
  await takeUp(shared);
  const { sources, deliveries, own, muting, toPeople, unsaved, loopFailures } = shared;
  return {
    sources: [...sources.pages.values()],
    accounts: [...sources.accounts.values()],
    named: sources.named,
    deliveries: [...deliveries.all.values()],
    own,
    matchable: muting.matchable,
    removed: deliveries.removed,
    toPeople,
    receiverTroubles: shared.found,
    unsaved: unsaved.documents,
    calls: shared.calls,
    loopFailure: (source) => loopFailures.why(watchOver(source)),
    turn: async (signal) => void (await Promise.all(sources.all().map((source) => source.turn(signal)))),
    run: (stop, graceMs = () => GRACE_MS) => run(shared, stop, graceMs),
  };
}

/** Loads documents of every source and receiver, and of those that are no longer configured. */
async function takeUp(shared: SharedDeps): Promise<void> {
  const { options, sources, parts, deliveries, own, unsaved } = shared;
  const { documents } = options;
  const longWork = createLongWork();
  const yieldWhenLong = createYielding(options.clock);
  const unwatched = createRemovedSources({ ...shared, ...options });
  const watched = [...options.pages, ...(options.accounts ?? [])];
  await documents.readAhead?.({
    sources: watched.map(({ name }) => name),
    receivers: options.receivers.map(({ name }) => name),
  });
  for (const page of options.pages) {
    const document = await documents.source(page.name, createPageState(page.baseUrl));
    const known = document.value;
    const after = resetMovedPage(known, page);
    unwatched.takeUp(page.name, document, after, after !== known);
    const source = createPageSource(page, document, shared);
    sources.pages.set(page.name, source);
    parts.stepped(page.name, source.state.alerts);
    await yieldWhenLong();
  }
  for (const account of options.accounts ?? []) {
    const document = await documents.account(account.name, createAccountState(account.baseUrl));
    unwatched.takeUp(account.name, document, resetMovedAccount(document.value, account.baseUrl));
    const source = createAccountSource(account, document, shared);
    sources.accounts.set(account.name, source);
    parts.stepped(account.name, source.state.alerts);
    const loop = createCallsOf(account, source, options, { longWork, unsaved });
    if (loop !== null) shared.calls.set(account.name, loop);
    await yieldWhenLong();
  }
  for (const receiver of options.receivers) await deliveries.serve(receiver);
  await deliveries.removed.takeUp();
  const { receivers, prove } = options;
  await own.happened({
    kind: 'receivers',
    configured: receivers.map(({ name }) => name),
    ...(prove !== undefined && { proving: prove }),
  });
  await unwatched.end((name) => sources.named(name) !== undefined || isOfOthers(name, options.shard));
  await eraseUnwatchedCalls(documents, (name) => shared.calls.has(name) || isOfOthers(name, options.shard));
}

/** Only the first shard ends sources that are no longer watched, for all shards. */
function isOfOthers(source: string, shard: DaemonOptions['shard']): boolean {
  return shard !== undefined && (shard.part !== null || shard.others.some(({ name }) => name === source));
}

async function run(shared: SharedDeps, stop: AbortSignal, graceMs: () => number): Promise<void> {
  const { options, sources, deliveries, own, routing, rotas, unsaved, loopFailures, sharedStart } = shared;
  const { clock } = options;
  const [abandon, unsavable, ended] = [new AbortController(), new AbortController(), new AbortController()];
  stop.addEventListener('abort', () => {
    const sendingMs = graceMs();
    void clock.sleep(sendingMs, ended.signal).then(() => abandon.abort());
    void clock.sleep(sendingMs === 0 ? 0 : GRACE_MS, ended.signal).then(() => unsavable.abort());
  });
  // No one is on duty before the calendars are read; a slow one delays the start only briefly.
  if (rotas.all.size > 0) await rotas.refresh(AbortSignal.any([stop, AbortSignal.timeout(CALENDARS_WITHIN_MS)]));
  // A receiver that returns gets the current state before old messages for it alone are sent.
  const itself = { name: OWN_LOOP, state: own.state, tick: () => own.happened({ kind: 'tick' }) };
  await catchUp(
    [...sources.all(), itself],
    (receiver) => isConfigured(routing, receiver),
    (name, error) => loopFailures.failed(name === OWN_LOOP ? name : watchOver(name), error),
  );
  const going = { loopFailures, clock, stop };
  await Promise.all([
    keepGoing(OWN_LOOP, () => own.run(stop), going),
    sharedStart.run(stop),
    keepGoing(OWN_LOOP, () => rotas.run(stop), going),
    keepGoing(OWN_LOOP, () => unsaved.run(stop), going),
    runSources(shared, stop),
    ...callRuns(shared, stop),
    ...noticeImportRuns(shared, stop).map(([name, run]) => keepGoing(toImportLoopName(name), run, going)),
    ...keepAliveRuns(shared, stop, abandon.signal),
    ...receiptRuns(shared, stop),
    ...[...deliveries.all].map(([name, delivery]) =>
      keepGoing(toDeliveryLoopName(name), () => delivery.run(stop, abandon.signal), going),
    ),
  ]);
  await unsaved.saveRest(unsavable.signal);
  ended.abort();
}

/** Starts the loops in pieces: thousands of first requests at once would hold up the renewal of a lease. */
async function runSources({ options, sources, loopFailures, rounds }: SharedDeps, stop: AbortSignal): Promise<void> {
  const { clock } = options;
  const yieldWhenLong = createYielding(clock);
  const loops: Promise<void>[] = [];
  for (const source of sources.all()) {
    const onFailure = (): void => rounds.over(source.name);
    loops.push(keepGoing(watchOver(source.name), () => source.run(stop), { loopFailures, clock, stop, onFailure }));
    const pause = yieldWhenLong();
    if (pause !== null) await pause;
  }
  await Promise.all(loops);
}

function callRuns({ options, calls, loopFailures }: SharedDeps, stop: AbortSignal): Promise<void>[] {
  const going = { loopFailures, clock: options.clock, stop };
  return [...calls].map(([name, loop]) => keepGoing(nameCallsLoop(name), () => loop.run(stop), going));
}

function listAlerts({ sources, own }: SharedDeps): Alert[] {
  return [...sources.all(), own].flatMap(({ state }): readonly Alert[] => state.alerts);
}

/** Without requests of people there is no way to acknowledge an alert. */
function receiptRuns(shared: SharedDeps, stop: AbortSignal): Promise<void>[] {
  const { options, deliveries, loopFailures } = shared;
  const { clock, log, acknowledge } = options;
  if (acknowledge === undefined) return [];
  return [...deliveries.all.values()].flatMap((delivery) => {
    const { receiver } = delivery;
    if (receiver.receipts === undefined) return [];
    const deps = { receiver, delivery, alerts: () => listAlerts(shared), acknowledge, clock, log };
    return [keepGoing(toDeliveryLoopName(receiver.name), () => runReceipts(deps, stop), { loopFailures, clock, stop })];
  });
}

function keepAliveRuns(shared: SharedDeps, stop: AbortSignal, abandon: AbortSignal): Promise<void>[] {
  const { options, sources, muting, deliveries, loopFailures } = shared;
  const { clock, log } = options;
  const alerts = (): Alert[] => listAlerts(shared);
  return [...deliveries.all.values()].flatMap(({ receiver }) => {
    if (receiver.keepAlive === undefined) return [];
    const deps = { receiver, alerts, isSilenced: muting.isSilenced, seen: sources.seen, clock, log };
    return [
      keepGoing(toDeliveryLoopName(receiver.name), () => runKeepAlive(deps, stop, abandon), {
        loopFailures,
        clock,
        stop,
      }),
    ];
  });
}

/** Past notices are read only if a history stores them. */
function noticeImportRuns(
  { options, sources, records }: SharedDeps,
  stop: AbortSignal,
): [string, () => Promise<void>][] {
  const { history, noticeImport, clock, log } = options;
  if (history === undefined || noticeImport === undefined) return [];
  const deps = { options: noticeImport, history, clock, log, records };
  return options.pages.flatMap((page): [string, () => Promise<void>][] => {
    const source = sources.pages.get(page.name);
    return source === undefined ? [] : [[page.name, () => runNoticeImport(page, source, deps, stop)]];
  });
}

interface Teller {
  readonly name: string;
  readonly state: { readonly alerts: readonly Alert[] };
  tick(): Promise<void>;
}

/**
 * Handles receivers that were unconfigured for a time and are back: each source that has notified them of an alert
 * steps at once, and so notifies them of its current state.
 */
async function catchUp(
  sources: readonly Teller[],
  isConfigured: (receiver: string) => boolean,
  failed: (source: string, error: unknown) => void,
): Promise<void> {
  const returns = sources.filter(({ state }) => hasReturned(state.alerts, isConfigured));
  await Promise.all(returns.map(({ name, tick }) => tick().catch((error: unknown) => failed(name, error))));
}

/** True if a receiver was notified of an alert, missed a change while unconfigured, and is back. */
function hasReturned(alerts: readonly Alert[], isConfigured: (receiver: string) => boolean): boolean {
  return alerts.some(({ told }) => told.some(({ receiver, missed }) => missed === true && isConfigured(receiver)));
}
