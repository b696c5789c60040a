/**
 * The daemon: every source being swept, every receiver being served, from one state directory, until it is
 * told to stop. Everything it needs is handed in, so that tests and the demo run the same one.
 */
import type { AccountState } from '../account-cycle.ts';
import { elsewhereOf } from '../alert/elsewhere.ts';
import { facts } from '../alert/facts.ts';
import type { Facts, Route } from '../alert/route.ts';
import { emptyState, nextWord, type Context, type SourceState, type Stepped } from '../cycle.ts';
import type { ComponentFilter } from '../alert/watch.ts';
import { silencedBy } from '../alert/silence.ts';
import { composeDigest, nextDigest, type DigestSettings } from '../digest.ts';
import { emptyOwnState, ITSELF, type OwnState } from '../itself.ts';
import type { Log } from '../log/log.ts';
import { beyondBounds, type Bounds } from '../outbox/bound.ts';
import { messagesOf, withoutSettled, type Entry } from '../outbox/entry.ts';
import type { Message } from '../outbox/message.ts';
import type { Receiver } from '../receivers/receiver.ts';
import type { MaintenanceSettings } from '../status-page/maintenance.ts';
import { openNotices } from '../status-page/snapshot.ts';
import { isAcute } from '../status-page/notice-life.ts';
import type { AccountWatch, WatchedAccount } from './account-watch.ts';
import { createAccountWatches } from './account-watches.ts';
import type { Clock } from './clock.ts';
import { createDelivery, emptyReceiverState, type Attempt, type Delivery, type ReceiverState } from './delivery.ts';
import { createItselfWatch, type ItselfWatch, type ItselfWatchDeps } from './itself-watch.ts';
import type { Looker } from './looker.ts';
import { overrideOf, type SeverityOverride } from '../alert/override.ts';
import { createPromises } from './promises.ts';
import { createRouting } from './routing.ts';
import { createSourceWatch, type Document, type SourceWatch } from './source-watch.ts';

export interface WatchedPage {
  name: string;
  baseUrl: string;
  looker: Looker;
  intervalMs: number;
  intervalDuringIncidentMs: number;
  unreachableAfterMs: number;
  maintenance: MaintenanceSettings;
  components: ComponentFilter;
  labels: Readonly<Record<string, string>>;
}

/** Where documents come from; the store behind it is the wiring's business. */
export interface Documents {
  itself(empty: OwnState): Promise<Document<OwnState>>;
  source(name: string, empty: SourceState): Promise<Document<SourceState>>;
  /** Needed where accounts are watched; shares the names of sources. */
  account?(name: string, empty: AccountState): Promise<Document<AccountState>>;
  receiver(name: string, empty: ReceiverState): Promise<Document<ReceiverState>>;
  /** The names of all sources that have a document. */
  sources(): Promise<string[]>;
  /** Removes the document of a source. */
  forget(source: string): Promise<void>;
}

export interface DaemonOptions {
  pages: readonly WatchedPage[];
  accounts?: readonly WatchedAccount[];
  receivers: readonly Receiver[];
  route: Route;
  overrides: readonly SeverityOverride[];
  digest: DigestSettings | null;
  documents: Documents;
  clock: Clock;
  random(): number;
  log: Log;
  /** How much may wait, and how long; default: 100 MB, and 30 days for what has ended. */
  bounds?: Bounds;
  /** What happens, for tests, the demo and metrics; the log hears of it anyway. */
  observer?: Partial<Observer>;
}

export interface Observer {
  stepped(source: string, out: Stepped): void;
  /** What was told or recorded, of a source or of Linewatch itself. */
  entered(source: string, entered: Stepped['entered']): void;
  sweepEnded(source: string): void;
  attempted(attempt: Attempt): void;
}

export interface Daemon {
  readonly sources: readonly SourceWatch[];
  readonly accounts: readonly AccountWatch[];
  readonly deliveries: readonly Delivery[];
  readonly itself: ItselfWatch;
  /** What waits for receivers that are no longer configured. */
  unclaimed(): { receiver: string; waiting: readonly Message[] }[];
  /** The documents the disk refuses at present. */
  unsaved(): string[];
  /** Resolves when everything has stopped; a sending under way gets `graceMs` before it is cut short. */
  run(stop: AbortSignal, graceMs?: () => number): Promise<void>;
}

const REMOVED_RECEIVER_WAITS_MS = 7 * 24 * 3_600_000;
/** After a stop, a sending under way gets this long before it is cut short and left for the next start. */
const GRACE_MS = 9_000;
/** A receiver that fails this long, though not for good, is announced on the others. */
const FAILING_IS_NEWS_AFTER_MS = 5 * 60_000;
/** While an unplanned notice is open, and this long after its last update, sweeps come faster. */
const INCIDENT_LINGERS_MS = 2 * 3_600_000;

export async function createDaemon(options: DaemonOptions): Promise<Daemon> {
  const { clock, log, observer = {} } = options;
  const promises = createPromises();
  const deliveries = new Map<string, Delivery>();
  const audiences = new Map(options.receivers.map((receiver) => [receiver.name, receiver.audience]));
  /** Sources whose first sweep is still under way: their summaries wait for each other. */
  const watched = options.accounts ?? [];
  const starting = new Set([...options.pages, ...watched].map(({ name }) => name));
  const sourceNames = [...starting];
  const routing = createRouting(options.route, audiences);
  const unsavedSaid = new Set<string>();
  /** Messages to receivers that are no longer configured and will not be waited for any more, by id. */
  const givenUp = new Set<string>();
  const labelsOf = new Map([...options.pages, ...watched].map(({ name, labels }) => [name, labels]));
  let nextNumber = 1;

  function digestOf(settings: DigestSettings): ItselfWatchDeps['digest'] {
    return {
      next: (after) => nextDigest(settings, after),
      compose: (now) => {
        const sources = everyWatch().map(({ name, state, lastReadAt }) => ({
          name,
          alerts: state.alerts,
          lastReadAt,
        }));
        const waiting = [...deliveries.values()].reduce((sum, delivery) => sum + delivery.unsettled().length, 0);
        return composeDigest(sources, waiting, now);
      },
    };
  }

  function factsOf({ alert, changes }: Message): Facts {
    return facts(alert, changes, labelsOf.get(alert.source) ?? {});
  }

  function isSilenced(message: Message, at: number): boolean {
    const { silences } = itself.state;
    return silences.length > 0 && silencedBy(silences, factsOf(message), at) !== null;
  }

  function promisedTo(receiver: string): readonly Message[] {
    const all = promises.to(receiver);
    if (starting.size === 0) return all;
    return all.filter(({ changes }) => changes.some(({ transition }) => transition.kind !== 'source.baseline'));
  }

  function wakeAll(): void {
    for (const delivery of deliveries.values()) delivery.wake();
  }

  function stepped(name: string, out: Stepped, saved: boolean): void {
    recorded(name, out, saved);
    if (out.entered.length > 0)
      for (const { name: account, page } of watched) if (page === name) accounts.get(account)?.nudge();
    observer.stepped?.(name, out);
  }

  /** What every step means for numbers, promises and the log, whoever took it. */
  function recorded(
    name: string,
    out: Pick<Stepped, 'entered' | 'meaningful'> & { state: { outbox: Entry[] } },
    saved: boolean,
  ): void {
    if (saved) savedAgain(name);
    if (out.meaningful || !saved) promises.replace(name, out.state, saved);
    for (const { transition, status, alert } of out.entered) {
      log.info('transition', {
        source: name,
        kind: transition.kind,
        subject: transition.subject,
        from: transition.from,
        to: transition.to,
        status,
        alert: alert?.number ?? null,
        severity: alert?.severity ?? 'info',
        muted: alert?.muted ?? false,
      });
    }
    if (out.entered.length > 0) observer.entered?.(name, out.entered);
    if (out.entered.length > 0 || out.meaningful) wakeAll();
  }

  function unsaved(name: string, error: unknown): void {
    if (unsavedSaid.has(name)) return;
    unsavedSaid.add(name);
    log.error('The state cannot be saved; alerts go out from memory and may repeat after a restart', {
      document: name,
      error,
    });
    if (unsavedSaid.size > 1) return;
    const what = 'its state cannot be saved';
    const reason = `${error instanceof Error ? error.message : 'The disk refused.'} Alerts go out from memory and may repeat after a restart.`;
    void itself.happened({ kind: 'state', what, reason });
  }

  function savedAgain(name: string): void {
    if (unsavedSaid.delete(name)) log.info('The state is saved again', { document: name });
  }

  function attempted(attempt: Attempt): void {
    const { receiver, messages, outcome, durationMs } = attempt;
    const fields = { receiver, messages: messages.map(({ id }) => id), durationMs: Math.round(durationMs) };
    if (outcome.kind === 'delivered') log.info('delivered', { ...fields, detail: outcome.detail });
    else if (outcome.kind === 'transient') {
      log.warn('delivery failed for now', {
        ...fields,
        reason: outcome.reason,
        retryInMs: Math.round(attempt.retryInMs ?? 0),
      });
    } else log.error('delivery refused for good; it stays on disk', { ...fields, reason: outcome.reason });
    observer.attempted?.(attempt);
    mind(attempt);
  }

  /** A receiver that does not take what it is sent is announced on the others, once, and so is its recovery. */
  function mind({ receiver, outcome }: Attempt): void {
    const known = itself.state.alerts.some(
      ({ status, subjects }) => status === 'open' && subjects.includes(`receiver/${receiver}`),
    );
    if (outcome.kind === 'delivered') {
      if (known) void itself.happened({ kind: 'receiver recovered', receiver });
      return;
    }
    const since = deliveries.get(receiver)?.state.failing?.since ?? clock.now();
    const isNews = outcome.kind === 'permanent' || clock.now() - since >= FAILING_IS_NEWS_AFTER_MS;
    if (isNews && !known) void itself.happened({ kind: 'receiver failed', receiver, since, reason: outcome.reason });
  }

  function context(page: WatchedPage): Omit<Context, 'now' | 'sweep'> {
    return {
      source: { name: page.name, baseUrl: page.baseUrl },
      health: { baseUrl: page.baseUrl, unreachableAfterMs: page.unreachableAfterMs },
      maintenance: page.maintenance,
      components: page.components,
      nextNumber,
      route: routing(page.labels),
      elsewhere: (alert) => elsewhere(alert, page.name),
      override: overrideOf(options.overrides, page.labels),
      isSettled,
    };
  }

  function everyWatch(): (SourceWatch | AccountWatch)[] {
    return [...watches.values(), ...accounts.values()];
  }

  /** The part that others than this source take in an alert. */
  function elsewhere(alert: string, source: string): { told: string[]; open: string[] } {
    const others = everyWatch().filter(({ name }) => name !== source);
    return elsewhereOf(
      alert,
      others.map(({ state }) => state.alerts),
    );
  }

  function sweepEnded(name: string): void {
    if (starting.delete(name) && starting.size === 0) wakeAll();
    keepWithinBounds();
    observer.sweepEnded?.(name);
  }

  /** Two sources may step while each other's commit is under way, and no two alerts may share a number. */
  function numbered(next: number): void {
    nextNumber = Math.max(nextNumber, next);
  }

  /** What was promised to a receiver that is no longer configured waits a week for its return. */
  function isSettled({ id, receiver, promisedAt }: Message): boolean {
    const delivery = deliveries.get(receiver);
    if (delivery !== undefined) return delivery.isSettled(id);
    return givenUp.has(id) || clock.now() - promisedAt > REMOVED_RECEIVER_WAITS_MS;
  }

  /** The one exception to "at least once", and a loud one. */
  function keepWithinBounds(): void {
    const waiting = withoutSettled(promises.entries(), isSettled);
    const open = new Set(
      [...everyWatch(), itself].flatMap(({ state }) =>
        state.alerts.flatMap(({ id, status }) => (status === 'open' ? [id] : [])),
      ),
    );
    const entries = beyondBounds(waiting, (alert) => open.has(alert), clock.now(), options.bounds);
    if (entries.length === 0) return;
    const messages = entries.flatMap((entry) => [...messagesOf(entry)]);
    for (const { id, receiver } of messages) if (!deliveries.has(receiver)) givenUp.add(id);
    for (const [receiver, lost] of Map.groupBy(messages, (message) => message.receiver)) {
      void deliveries.get(receiver)?.giveUp(lost.map(({ id }) => id));
      log.error('messages were given up: they waited too long or were too many', { receiver, messages: lost.length });
    }
    const what = `${messages.length} messages were given up`;
    void itself.happened({ kind: 'state', what, reason: lossOf(messages) });
  }

  const own = await options.documents.itself(emptyOwnState());
  const itself = createItselfWatch({
    document: own,
    clock,
    context: () => ({ nextNumber, route: routing({}), isSettled }),
    numbered,
    stepped: (out, saved) => {
      recorded(ITSELF, out, saved);
      // A silence may have begun or ended.
      wakeAll();
    },
    unsaved: (error) => unsaved(ITSELF, error),
    digest: options.digest === null ? null : digestOf(options.digest),
  });
  nextNumber = Math.max(nextNumber, own.value.lastNumber + 1);
  promises.replace(ITSELF, own.value, true);
  const watches = new Map<string, SourceWatch>();
  for (const page of options.pages) {
    const document = await options.documents.source(page.name, emptyState(page.baseUrl));
    nextNumber = Math.max(nextNumber, document.value.lastNumber + 1);
    const watch = createSourceWatch({
      name: page.name,
      baseUrl: page.baseUrl,
      looker: page.looker,
      document,
      clock,
      random: options.random,
      intervalMs: (state) => intervalOf(page, state, clock.now()),
      nextTick: (state) => nextWord(state, { maintenance: page.maintenance, route: routing(page.labels) }),
      context: () => context(page),
      numbered,
      stepped,
      unsaved,
      sweepEnded,
    });
    promises.replace(page.name, document.value, true);
    watches.set(page.name, watch);
  }
  const accounts = await createAccountWatches({
    accounts: watched,
    async document(name, empty) {
      const document = await options.documents.account?.(name, empty);
      if (document === undefined) throw new TypeError('accounts need documents');
      nextNumber = Math.max(nextNumber, document.value.lastNumber + 1);
      promises.replace(name, document.value, true);
      return document;
    },
    page: (name) => watches.get(name),
    context: ({ name, labels }) => ({
      nextNumber,
      route: routing(labels),
      elsewhere: (alert) => elsewhere(alert, name),
      override: overrideOf(options.overrides, labels),
      isSettled,
    }),
    clock,
    random: options.random,
    numbered,
    stepped: recorded,
    unsaved,
    sweepEnded,
  });
  for (const receiver of options.receivers) {
    const document = await options.documents.receiver(receiver.name, emptyReceiverState());
    const delivery = createDelivery({
      receiver,
      document,
      clock,
      random: options.random,
      promised: () => promisedTo(receiver.name),
      isPromised: promises.holds,
      sources: sourceNames,
      isHeld: (message) => isSilenced(message, clock.now()),
      wasHeld: (message) => isSilenced(message, message.promisedAt),
      attempted,
      unsaved: (error) => unsaved(`receiver ${receiver.name}`, error),
      saved: () => savedAgain(`receiver ${receiver.name}`),
    });
    deliveries.set(receiver.name, delivery);
  }

  const unclaimed: Daemon['unclaimed'] = () =>
    promises
      .receivers()
      .flatMap((receiver) => (deliveries.has(receiver) ? [] : [{ receiver, waiting: promises.to(receiver) }]));

  for (const name of await options.documents.sources()) {
    if (!watches.has(name) && !accounts.has(name)) await endWatch(name);
  }

  /** A source that is no longer configured: its alerts end as such; what it promised is still delivered. */
  async function endWatch(name: string): Promise<void> {
    const document = await options.documents.source(name, emptyState());
    const { alerts, outbox } = document.value;
    promises.replace(name, { outbox }, true);
    // People know alerts by their numbers: the next one must not be taken for one that ends here.
    nextNumber = Math.max(nextNumber, document.value.lastNumber + 1);
    const open = alerts.filter((alert) => alert.status === 'open');
    await itself.happened({ kind: 'unwatched', source: name, alerts: open });
    const left = withoutSettled(outbox, isSettled);
    if (left.length === 0) return options.documents.forget(name);
    if (open.length === 0) return;
    const ended = alerts.map((alert) =>
      alert.status === 'open' ? { ...alert, status: 'resolved' as const, resolvedAt: clock.now() } : alert,
    );
    await document.commit({ ...document.value, alerts: ended, outbox: left });
  }

  async function run(stop: AbortSignal, graceMs = (): number => GRACE_MS): Promise<void> {
    const abandon = new AbortController();
    const ended = new AbortController();
    stop.addEventListener('abort', () => {
      void clock.sleep(graceMs(), ended.signal).then(() => abandon.abort());
    });
    await Promise.all([
      itself.run(stop),
      ...everyWatch().map((watch) => watch.run(stop)),
      ...[...deliveries.values()].map((delivery) => delivery.run(stop, abandon.signal)),
    ]);
    ended.abort();
  }

  return {
    sources: [...watches.values()],
    accounts: [...accounts.values()],
    deliveries: [...deliveries.values()],
    itself,
    unclaimed,
    unsaved: () => [...unsavedSaid],
    run,
  };
}

function intervalOf(page: WatchedPage, { snapshot }: SourceState, now: number): number {
  const hot = openNotices(snapshot).some((notice) => {
    const lastWord = Math.max(notice.firstSeenAt, ...notice.updates.map((update) => update.createdAt ?? 0));
    return isAcute(notice.type, notice.state) || (notice.wasAcute && now - lastWord < INCIDENT_LINGERS_MS);
  });
  return hot ? Math.min(page.intervalDuringIncidentMs, page.intervalMs) : page.intervalMs;
}

/** Who was not told of what, for people. */
function lossOf(messages: readonly Message[]): string {
  const receivers = [...Map.groupBy(messages, ({ receiver }) => receiver)].map(
    ([name, lost]) => `${lost.length} for ${name}`,
  );
  const alerts = [...new Map(messages.map(({ alert }) => [alert.id, alert])).values()];
  const numbered = alerts.flatMap(({ number, title }) => (number === null ? [] : [`#${number} ${title}`]));
  const more = numbered.length > 10 ? `\nand ${numbered.length - 10} more` : '';
  return `They waited too long or were too many: ${receivers.join(', ')}.\n${numbered.slice(0, 10).join('\n')}${more}`;
}
