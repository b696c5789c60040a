/** The current status: of a running daemon, computed for each call, or of the last committed state. */
import { readDisplayName, findVendor, type Config } from '../../config/config.ts';
import type { MembersView, Picture } from '../../core/view/picture.ts';
import {
  findAlertInPicture,
  type AlertInPicture,
  type PictureFacts,
  buildPicture,
} from '../../core/view/picture-of.ts';
import type { KnownSource } from '../../core/view/standing/source-standings.ts';
import type { KnownReceiver } from '../../core/view/story/story.ts';
import { createAccountState, type AccountState } from '../../core/engine/account-kind.ts';
import { createOwnState, ITSELF } from '../../core/engine/itself.ts';
import { createPageState, type SourceState } from '../../core/engine/page-kind.ts';
import type { Message } from '../../core/outbox/message.ts';
import { PREVIEWED, type SilenceAsk } from '../../core/alert/silence.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/store.ts';
import { resolveHours } from '../common/expected-hours.ts';
import { resetMovedAccount } from '../loop/account-source.ts';
import type { Clock } from '../common/clock.ts';
import type { Daemon } from '../loop/daemon.ts';
import { openDocumentsOf, createReceiverState, type ReceiverState } from '../common/documents.ts';
import { resetMovedPage } from '../loop/page-source.ts';
import { selectWaiting } from '../delivery/delivery-ledger.ts';
import { createPending } from '../delivery/pending.ts';
import { createRemovedReceivers, type RemovedReceiver } from '../delivery/deliveries.ts';

/** State of other members may be this old. */
const SHOWN_FOR_MS = 2_000;
/** A viewer waits this long for a new reading, and then gets the previous one. */
const WAITED_FOR_MS = 1_000;

export interface StatusSources {
  config: Pick<Config, 'instance' | 'timezone' | 'statusPages' | 'accounts'>;
  daemon: Daemon;
  /** Time of a source's last complete reading, and milliseconds since then or since the start. */
  reading(
    source: Pick<KnownSource, 'name' | 'state' | 'lastReadAt'>,
  ): Pick<KnownSource, 'lastReadAt' | 'unreadMs' | 'unsweptMs'>;
  clock: Pick<Clock, 'now'>;
  startedAt: number;
  log: Log;
  /** Members that share the database; default: none. */
  members?: MembersView | null;
}

export function drawPicture(drawn: StatusSources): Picture {
  return buildPicture(collectShardFacts(drawn));
}

/** Facts about sources, with the full stored state of receivers. */
export interface ShardFacts extends PictureFacts {
  receivers: readonly ReceiverFacts[];
}

export interface ReceiverFacts extends KnownReceiver {
  state: ReceiverState;
  waiting: readonly Message[];
  /** Refused ones included. */
  unsettled: readonly Message[];
}

export interface StatusReader {
  /** The current status; `only` limits it to these sources and Linewatch itself, null for all. */
  picture(only?: ReadonlySet<string> | null): Picture;
  alert(number: number, only?: ReadonlySet<string> | null): AlertInPicture;
  /** The status as it would be with one more silence, whose id is `PREVIEWED`. */
  withSilence(ask: SilenceAsk): Picture;
  /** Resolves soon: then the state of other members is at most two seconds old, if it could be read. */
  recent(): Promise<void>;
}

/** The status of a running daemon, computed at each call. */
export function createDaemonDrawing(drawn: () => StatusSources): StatusReader {
  return createDrawing(() => collectShardFacts(drawn()));
}

/**
 * `facts` is called at each read, and again for an alert. `recent`: default for an installation without other members.
 */
export function createDrawing(
  facts: () => PictureFacts,
  recent = (): Promise<void> => Promise.resolve(),
): StatusReader {
  return {
    picture: (only = null) => buildPicture(only === null ? facts() : factsAbout(only, facts())),
    alert: (number, only = null) => findAlertInPicture(only === null ? facts() : factsAbout(only, facts()), number),
    withSilence(ask) {
      const known = facts();
      const silence = { ...ask, id: PREVIEWED, createdAt: known.now, expiredAt: null };
      return buildPicture({ ...known, own: { ...known.own, silences: [...known.own.silences, silence] } });
    },
    recent,
  };
}

/** Excluded sources are absent from titles of shared alerts as well. */
function factsAbout(sources: ReadonlySet<string>, facts: PictureFacts): PictureFacts {
  return { ...facts, sources: facts.sources.filter(({ name }) => sources.has(name)) };
}

/** State after the last steps, with the facts that only the process has: times of readings, and failures. */
export function collectShardFacts({
  config,
  daemon,
  reading,
  clock,
  startedAt,
  log,
  members = null,
}: StatusSources): ShardFacts {
  const { instance, timezone } = config;
  const { own, receivers } = collectKeptState(daemon);
  const people = daemon.toPeople();
  const sources = [...daemon.sources, ...daemon.accounts].map((source): KnownSource => ({
    name: source.name,
    state: source.state,
    ...reading(source),
    surprise: daemon.surprise(source.name),
    ...configuredFacts(config, source.name),
    ...callsOf(daemon, source.name),
  }));
  return {
    instance,
    timezone,
    now: clock.now(),
    startedAt,
    sources,
    own,
    receivers,
    toPeople: () => people,
    unsaved: daemon.unsaved(),
    members,
    failed: (source, error) => log.error('A source cannot be shown', { source, error }),
  };
}

function callsOf({ calls }: Daemon, source: string): Pick<KnownSource, 'calls'> {
  const loop = calls.get(source);
  return loop === undefined ? {} : { calls: loop.view() };
}

type ConfiguredFacts = Pick<
  KnownSource,
  'labels' | 'called' | 'sites' | 'sitePages' | 'statusPages' | 'vendor' | 'hours' | 'unreadAfterMs'
>;

/** Memoised by configuration, which is immutable: each look at the status asks for all sources. */
const configured = new WeakMap<StatusSources['config'], Map<string, ConfiguredFacts>>();

/** Configured facts about a source, independent of the member that watches it. */
function configuredFacts(config: StatusSources['config'], source: string): ConfiguredFacts {
  const known = configured.get(config) ?? new Map<string, ConfiguredFacts>();
  configured.set(config, known);
  const facts = known.get(source) ?? describeConfigured(config, source);
  known.set(source, facts);
  return facts;
}

function describeConfigured(config: StatusSources['config'], source: string): ConfiguredFacts {
  const page = config.statusPages.find(({ name }) => name === source);
  const account = config.accounts.find(({ name }) => name === source);
  return {
    labels: account?.labels ?? {},
    ...(account !== undefined && { called: readDisplayName(account) }),
    sites: account?.sites ?? {},
    sitePages: listSitePages(account),
    ...(account !== undefined && { statusPages: account.statusPages }),
    ...findVendor(config, source),
    hours: new Map(account?.toggles.expect.map((expected) => [expected.toggle, resolveHours(expected)])),
    unreadAfterMs: computeUnreadAfterMs(page, account),
  };
}

/** Addresses of one name are one site. */
function listSitePages(account: StatusSources['config']['accounts'][number] | undefined): Map<string, string[]> {
  const pages = new Map<string, string[]>();
  for (const [address, names] of Object.entries(account?.sitePages ?? {})) {
    const site = account?.sites[address];
    if (site !== undefined) pages.set(site, [...new Set([...(pages.get(site) ?? []), ...names])]);
  }
  return pages;
}

/** State of receivers and of Linewatch itself. */
export function collectKeptState({ itself, deliveries, removed }: Daemon): Pick<ShardFacts, 'own' | 'receivers'> {
  return {
    own: itself.state,
    receivers: [
      ...deliveries.map((delivery) => ({
        name: delivery.receiver.name,
        type: delivery.receiver.type,
        isRemoved: false,
        state: delivery.state,
        waiting: delivery.waiting(),
        nextTryAt: delivery.nextTryAt(),
        unsettled: delivery.unsettled(),
      })),
      ...removed.all().map(asRemoved),
    ],
  };
}

function asRemoved(removed: RemovedReceiver): ReceiverFacts {
  return { ...removed, type: 'receiver', isRemoved: true, unsettled: removed.waiting };
}

/** If the sweep interval exceeds the threshold, a source counts as unread after two intervals. */
function computeUnreadAfterMs(
  page: Config['statusPages'][number] | undefined,
  account: Config['accounts'][number] | undefined,
): number {
  if (page !== undefined) return Math.max(page.unreachableAfter, 2 * page.interval);
  if (account === undefined) return 0;
  return Math.max(account.unreachableAfter, 2 * Math.max(account.registrations.interval, account.toggles.interval));
}

export interface KeptReading {
  /** Reads the current state. Never rejects: a failure is logged. */
  read(): Promise<void>;
  /**
   * Called at each display: reads again if the last reading is older than two seconds. Resolves when it is done, or
   * after a second. Never rejects.
   */
  recent(): Promise<void>;
}

/** `take` reads the stored state. */
export function createReading(
  take: () => Promise<void>,
  { clock, log }: { clock: Pick<Clock, 'monotonic' | 'sleep'>; log: Pick<Log, 'warn'> },
): KeptReading {
  let at = -Infinity;
  let reading: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function readOnce(): Promise<void> {
    try {
      await take();
      at = clock.monotonic();
    } catch (error) {
      log.warn('What is kept in the database cannot be shown', { error });
    } finally {
      reading = null;
    }
  }

  /** A running read may miss later changes; later callers share the next one. */
  function read(): Promise<void> {
    if (reading === null) return (reading = readOnce());
    next ??= reading.then(() => {
      next = null;
      return (reading = readOnce());
    });
    return next;
  }

  return {
    read,
    async recent() {
      if (clock.monotonic() - at <= SHOWN_FOR_MS) return;
      const isDone = new AbortController();
      await Promise.race([(reading ??= readOnce()), clock.sleep(WAITED_FOR_MS, isDone.signal)]);
      isDone.abort();
    },
  };
}

/**
 * The status from stored state, without a daemon: how well sources are read is unknown. `now` in epoch milliseconds.
 */
export async function readLastDrawing(config: Config, store: Store, now: number): Promise<StatusReader> {
  const facts = await readLastFacts(config, store, now);
  return createDrawing(() => facts);
}

/** `promises` selects the sources whose messages belong to this store; default: all of them. */
export async function readLastFacts(
  config: Config,
  store: Store,
  now: number,
  promises: (source: string) => boolean = () => true,
): Promise<ShardFacts> {
  const pending = createPending();
  const documents = openDocumentsOf(store, () => undefined);
  await documents.readAhead?.({
    sources: [...config.statusPages, ...config.accounts].map(({ name }) => name),
    receivers: config.receivers.map(({ name }) => name),
  });
  const own = await documents.itself(createOwnState());
  pending.replace(ITSELF, own.value, true);
  const sources: KnownSource[] = [];
  function known(name: string, state: SourceState | AccountState): void {
    const { observedAt } = state;
    const unread = { lastReadAt: observedAt, unreadMs: now - (observedAt ?? now), unreadAfterMs: Infinity };
    sources.push({ name, state, ...configuredFacts(config, name), ...unread, surprise: null });
  }
  for (const { name, baseUrl } of config.statusPages) {
    const { value } = await documents.source(name, createPageState(baseUrl));
    known(name, resetMovedPage(value, { baseUrl }));
  }
  for (const { name, baseUrl } of config.accounts) {
    const { value } = await documents.account(name, createAccountState(baseUrl));
    known(name, resetMovedAccount(value, baseUrl));
  }
  // Messages of a source are delivered even after it is removed from the configuration.
  for (const name of (await documents.sources()).filter(promises)) {
    const { value } = await documents.source(name, createPageState());
    pending.replace(name, value, true);
  }
  const receivers = [];
  for (const { name, type } of config.receivers) {
    const { value: state } = await documents.receiver(name, createReceiverState());
    const settled = new Set(state.settled);
    const unsettled = pending.to(name).filter(({ id }) => !settled.has(id));
    receivers.push({ name, type, isRemoved: false, state, waiting: selectWaiting(unsettled, state).all, unsettled });
  }
  const removed = createRemovedReceivers({
    pending,
    isConfigured: (name) => config.receivers.some((other) => other.name === name),
    document: documents.receiver,
    now: () => now,
    unsaved: () => undefined,
  });
  await removed.takeUp();
  return {
    instance: config.instance,
    timezone: config.timezone,
    now,
    startedAt: null,
    sources,
    own: own.value,
    receivers: [...receivers, ...removed.all().map(asRemoved)],
    unsaved: [],
    failed(_source, error) {
      throw error;
    },
  };
}
