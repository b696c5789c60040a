/**
 * The daemon: every source being swept, every receiver being served, from one state directory, until it is
 * told to stop. Everything it needs is handed in, so that tests and the demo run the same one.
 */
import { elsewhereOf, type Elsewhere } from '../alert/elsewhere.ts';
import type { Alert } from '../alert/record.ts';
import { emptyState, nextWord, type Context, type SourceState, type Stepped } from '../cycle.ts';
import { nextTimeOfDay, type TimeOfDay } from '../text/hours.ts';
import { composeDigest } from '../digest.ts';
import { emptyOwnState, ITSELF, type Happening } from '../itself.ts';
import type { Entry } from '../outbox/entry.ts';
import type { Receivers } from '../outbox/promise.ts';
import type { Message } from '../outbox/message.ts';
import { accountStateAt, type AccountWatch } from './account-watch.ts';
import { createAccountWatches } from './account-watches.ts';
import { catchUp } from './catch-up.ts';
import { createCondition } from './condition.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createItselfWatch, type ItselfWatch, type ItselfWatchDeps } from './itself-watch.ts';
import { keepWithinBounds } from './keep-within-bounds.ts';
import { intervalOf } from './page-interval.ts';
import { overrideOf } from '../alert/override.ts';
import type { DaemonOptions, WatchedPage } from './options.ts';
import { createOrigins } from './origins.ts';
import type { Matchable } from '../config/matchers.ts';
import { createMuting } from './muting.ts';
import { createPromises } from './promises.ts';
import { emptyReceiverState } from './receiver-state.ts';
import { createRemovedReceivers, type RemovedReceivers } from './removed-receivers.ts';
import { createRouting } from './routing.ts';
import { createSharedStart } from './shared-start.ts';
import { createSourceWatch, stateAt, type Document, type SourceWatch } from './source-watch.ts';
import { logStep, type LoggedStep } from './step-log.ts';
import { createSurprises, keepGoing, withoutSurprises } from './surprise.ts';
import { createUnwatched } from './unwatched.ts';

export interface Daemon {
  readonly sources: readonly SourceWatch[];
  readonly accounts: readonly AccountWatch[];
  readonly deliveries: readonly Delivery[];
  readonly itself: ItselfWatch;
  /** What a silence can ask about. */
  readonly matchable: Matchable;
  /** What waits for receivers that are no longer configured. */
  readonly removed: RemovedReceivers;
  /** The documents the disk refuses at present. */
  unsaved(): string[];
  /** Why the last sweep over this source failed as nobody foresaw; null where it did not. */
  surprise(source: string): string | null;
  /** Resolves when everything has stopped; a sending under way gets `graceMs` before it is cut short. */
  run(stop: AbortSignal, graceMs?: () => number): Promise<void>;
}

/** What nobody foresaw is told under these names. */
const OWN_LOOP = 'the watch over itself';
const watchOver = (source: string): string => `the watch over ${source}`;
/** How the document of a receiver is called beside those of sources. */
const receiverDocument = (receiver: string): string => `receiver ${receiver}`;
const deliveriesTo = (receiver: string): string => `the deliveries to ${receiver}`;

/** After a stop, a sending under way gets this long before it is cut short and left for the next start. */
export const GRACE_MS = 8_000;

export async function createDaemon(options: DaemonOptions): Promise<Daemon> {
  const { clock, log, observer = {} } = options;
  const promises = createPromises(dueAt);
  const deliveries = new Map<string, Delivery>();
  const audiences = new Map(options.receivers.map((receiver) => [receiver.name, receiver.audience]));
  const ringing = new Set(options.receivers.flatMap((each) => (each.ringsUntilTheEnd === true ? [each.name] : [])));
  const receivers: Receivers = { rings: (name) => ringing.has(name), isThere: (name) => audiences.has(name) };
  const byDocument = new Map<string, Delivery>();
  const watched = options.accounts ?? [];
  const sourceNames = [...options.pages, ...watched].map(({ name }) => name);
  const sharedStart = createSharedStart(sourceNames, { clock, wake: wakeAll });
  const routing = createRouting(options.route, audiences);
  const surprises = createSurprises({
    log,
    clock,
    random: options.random,
    tell: (what, reason) => tell({ kind: 'state', what, reason }),
  });
  const condition = createCondition({
    log,
    clock,
    itself: () => itself,
    tell,
    save: async (name) => {
      // A source that sweeps, and Linewatch itself, commit by themselves whatever was refused.
      (watches.get(name) ?? accounts.get(name))?.nudge();
      await byDocument.get(name)?.save();
    },
  });
  const labelsOf = new Map([...options.pages, ...watched].map(({ name, labels }) => [name, labels]));
  const muting = createMuting(labelsOf, () => itself.state.silences);
  const origins = createOrigins(
    [...options.pages, ...watched],
    (name) => watches.get(name) ?? accounts.get(name),
    clock,
  );
  let nextNumber = 1;

  function digestOf(settings: TimeOfDay): ItselfWatchDeps['digest'] {
    return {
      next: (after) => nextTimeOfDay(settings, after),
      compose: (now) => {
        const sources = everyWatch().map(({ name, state, lastReadAt }) => ({ name, alerts: state.alerts, lastReadAt }));
        const waiting = [...deliveries.values()].reduce((sum, delivery) => sum + delivery.unsettled().length, 0);
        return composeDigest({ sources, own: itself.state.alerts, waiting }, settings.timezone, now);
      },
    };
  }

  function tell(happening: Happening): void {
    itself.happened(happening).catch((error: unknown) => surprises.struck(OWN_LOOP, error));
  }

  /** What waits is dated by the route of today: hours that were taken out of it hold nothing back. */
  function dueAt({ alert, changes, receiver, dueAt: then }: Message): number {
    const route = routing(labelsOf.get(alert.source) ?? {});
    const addressed = route(alert, changes, [receiver]).find((each) => each.receiver === receiver);
    return addressed?.audience === 'people' ? addressed.dueBy(then) : then;
  }

  function promisedTo(receiver: string): readonly Message[] {
    const all = promises.to(receiver);
    return audiences.get(receiver) === 'people' ? sharedStart.tellable(all) : all;
  }

  function wakeAll(): void {
    for (const delivery of deliveries.values()) delivery.wake();
  }

  function stepped(name: string, out: Stepped, saved: boolean): void {
    recorded(name, out, saved);
    if (out.entered.length > 0) {
      for (const { name: account, page } of watched) if (page === name) accounts.get(account)?.nudge();
    }
    observer.stepped?.(name, out);
  }

  /** What every step means for numbers, promises and the log, whoever took it. */
  function recorded(
    name: string,
    out: Pick<Stepped, 'entered' | 'meaningful'> & LoggedStep & { state: { outbox: Entry[] } },
    saved: boolean,
  ): void {
    if (saved) condition.savedAgain(name);
    if (out.meaningful || !saved) promises.replace(name, out.state, saved);
    logStep(log, name, out);
    origins.entered(name, out.entered);
    if (out.entered.length > 0) observer.entered?.(name, out.entered);
    if (out.entered.length > 0 || out.meaningful) wakeAll();
  }

  function context(page: WatchedPage): Omit<Context, 'now' | 'sweep'> {
    const origin = origins.view(page.name);
    return {
      source: { name: page.name, baseUrl: page.baseUrl },
      health: { baseUrl: page.baseUrl, unreachableAfterMs: page.unreachableAfterMs, joins: origin.fell },
      origin,
      maintenance: page.maintenance,
      components: page.components,
      nextNumber,
      route: routing(page.labels),
      receivers,
      elsewhere: (alert) => elsewhere(alert, page.name),
      override: overrideOf(options.overrides, page.labels),
      isSettled,
    };
  }

  function everyWatch(): (SourceWatch | AccountWatch)[] {
    return [...watches.values(), ...accounts.values()];
  }

  /** The part that others than this source take in an alert. */
  function elsewhere(alert: string, source: string): Elsewhere {
    const others = everyWatch().filter(({ name }) => name !== source);
    return elsewhereOf(
      alert,
      others.map(({ state }) => state.alerts),
    );
  }

  function sweepEnded(name: string): void {
    bound();
    surprises.cameThrough(watchOver(name));
    roundOver(name);
  }

  /** Whether it came through or not: nobody waits for it any longer. */
  function roundOver(name: string): void {
    sharedStart.ended(name);
    observer.sweepEnded?.(name);
  }

  function tickFailed(name: string, error: unknown): void {
    surprises.struck(watchOver(name), error);
  }

  /** Two sources may step while each other's commit is under way, and no two alerts may share a number. */
  function numbered(next: number): void {
    nextNumber = Math.max(nextNumber, next);
  }

  function isSettled(message: Message): boolean {
    return deliveries.get(message.receiver)?.isSettled(message.id) ?? removed.isSettled(message);
  }

  function bound(): void {
    keepWithinBounds({
      promises,
      bounds: options.bounds,
      log,
      now: clock.now,
      alerts: () => [...everyWatch(), itself].flatMap(({ state }): Alert[] => state.alerts),
      tell,
      isSettled,
      giveUp: (receiver, ids) => deliveries.get(receiver)?.giveUp(ids) ?? removed.giveUp(receiver, ids),
    });
  }

  const own = await options.documents.itself(emptyOwnState());
  const itself = createItselfWatch({
    document: own,
    clock,
    context: () => ({ nextNumber, route: routing({}), receivers, isSettled }),
    numbered,
    stepped: (out, saved) => {
      recorded(ITSELF, out, saved);
      surprises.cameThrough(OWN_LOOP);
      // A silence may have begun or ended.
      wakeAll();
    },
    unsaved: (error) => condition.unsaved(ITSELF, error),
    digest: options.digest === null ? null : digestOf(options.digest),
  });
  nextNumber = Math.max(nextNumber, own.value.lastNumber + 1);
  promises.replace(ITSELF, own.value, true);
  const watches = new Map<string, SourceWatch>();
  const unwatched = createUnwatched({
    documents: options.documents,
    clock,
    log,
    happened: itself.happened,
    async promised(name, { outbox, lastNumber }) {
      promises.replace(name, { outbox }, true);
      await removed.takeUp();
      // People know alerts by their numbers: the next one must not be taken for one that ends here.
      numbered(lastNumber + 1);
    },
    isSettled,
  });

  /** Takes up what is on disk of a source: its promises, the numbers it has given, and whether it was another address. */
  function takeUp<S extends Pick<SourceState, 'baseUrl' | 'lastNumber' | 'outbox'> & { alerts: readonly Alert[] }>(
    source: string,
    document: Document<S>,
    baseUrl: string,
    at: (known: S, baseUrl: string) => S,
  ): Document<S> {
    if (document.value.baseUrl !== baseUrl) unwatched.movesTo(source, document, at(document.value, baseUrl));
    numbered(document.value.lastNumber + 1);
    promises.replace(source, document.value, true);
    return document;
  }

  const ofEveryWatch = {
    clock,
    random: options.random,
    numbered,
    unsaved: condition.unsaved,
    sweepBegan: (name: string) => observer.sweepBegan?.(name),
    sweepEnded,
    tickFailed,
  };
  for (const page of options.pages) {
    const known = await options.documents.source(page.name, emptyState(page.baseUrl));
    const document = takeUp(page.name, known, page.baseUrl, stateAt);
    const watch = createSourceWatch({
      name: page.name,
      baseUrl: page.baseUrl,
      looker: page.looker,
      document,
      intervalMs: (state) => intervalOf(page, state, clock.now()),
      nextTick: (state) => nextWord(state, { maintenance: page.maintenance, route: routing(page.labels) }),
      context: () => context(page),
      stepped,
      ...ofEveryWatch,
    });
    watches.set(page.name, watch);
  }
  const accounts = await createAccountWatches({
    accounts: watched,
    async document(name, empty) {
      const document = await options.documents.account?.(name, empty);
      if (document === undefined) throw new TypeError('accounts need documents');
      return takeUp(name, document, empty.baseUrl, accountStateAt);
    },
    page: (name) => watches.get(name),
    origin: origins.view,
    context: ({ name, labels }) => ({
      nextNumber,
      route: routing(labels),
      receivers,
      elsewhere: (alert) => elsewhere(alert, name),
      override: overrideOf(options.overrides, labels),
      isSettled,
    }),
    stepped: recorded,
    ...ofEveryWatch,
  });
  for (const receiver of options.receivers) {
    const document = await options.documents.receiver(receiver.name, emptyReceiverState());
    const delivery = createDelivery({
      receiver: withoutSurprises(receiver, deliveriesTo(receiver.name), surprises),
      document,
      clock,
      random: options.random,
      promised: () => promisedTo(receiver.name),
      isPromised: promises.holds,
      sources: sourceNames,
      isHeld: (message) => muting.isSilenced(message, clock.now()),
      wasHeld: (message) => muting.isSilenced(message, message.promisedAt),
      silenced: (message) => muting.parts(message, clock.now()),
      attempted: (attempt) => {
        try {
          condition.attempted(attempt);
          observer.attempted?.(attempt);
        } catch (error) {
          // What has been sent must be settled whoever fails to hear of it, or it would be sent again.
          surprises.struck(deliveriesTo(receiver.name), error);
        }
      },
      unsaved: (error) => condition.unsaved(receiverDocument(receiver.name), error),
      saved: () => condition.savedAgain(receiverDocument(receiver.name)),
    });
    deliveries.set(receiver.name, delivery);
    byDocument.set(receiverDocument(receiver.name), delivery);
  }

  const removed = await createRemovedReceivers({
    promises,
    isConfigured: (name) => deliveries.has(name),
    document: options.documents.receiver,
    now: clock.now,
    unsaved: (receiver, error) =>
      log.error('what was given up for a removed receiver was not saved', { receiver, error }),
  });

  await unwatched.end((name) => watches.has(name) || accounts.has(name));

  async function run(stop: AbortSignal, graceMs = (): number => GRACE_MS): Promise<void> {
    const abandon = new AbortController();
    const ended = new AbortController();
    stop.addEventListener('abort', () => {
      void clock.sleep(graceMs(), ended.signal).then(() => abandon.abort());
    });
    // Whoever was away hears how everything stands before what waited for his return goes out alone.
    const own = { name: OWN_LOOP, state: itself.state, tick: () => itself.happened({ kind: 'tick' }) };
    await catchUp([...everyWatch(), own], receivers.isThere, (name, error) =>
      surprises.struck(name === OWN_LOOP ? name : watchOver(name), error),
    );
    const going = { surprises, clock, stop };
    await Promise.all([
      keepGoing(OWN_LOOP, () => itself.run(stop), going),
      sharedStart.run(stop),
      keepGoing(OWN_LOOP, () => condition.run(stop), going),
      ...everyWatch().map(({ name, run: watch }) =>
        keepGoing(watchOver(name), () => watch(stop), { ...going, struck: () => roundOver(name) }),
      ),
      ...[...deliveries].map(([name, delivery]) =>
        keepGoing(deliveriesTo(name), () => delivery.run(stop, abandon.signal), going),
      ),
    ]);
    ended.abort();
  }

  return {
    sources: [...watches.values()],
    accounts: [...accounts.values()],
    deliveries: [...deliveries.values()],
    itself,
    matchable: muting.matchable,
    removed,
    unsaved: condition.refused,
    surprise: (source) => surprises.why(watchOver(source)),
    run,
  };
}
