/** The current status: of a running daemon, computed for each call. */
import { readDisplayName, findVendor, type Config } from '../../config/config.ts';
import type { MembersView, SystemStatus } from '../../core/view/system-status.ts';
import { findAlertInStatus, type AlertInStatus, type StatusFacts, buildStatus } from '../../core/view/build-status.ts';
import type { KnownSource } from '../../core/view/standing/source-standings.ts';
import type { KnownReceiver } from '../../core/view/story/story.ts';
import type { Message } from '../../core/outbox/message.ts';
import { PREVIEWED, type SilenceAsk } from '../../core/alert/silence.ts';
import type { Log } from '../../log/log.ts';
import { resolveHours } from '../common/expected-hours.ts';
import type { Clock } from '../common/clock.ts';
import type { Daemon } from '../loop/daemon.ts';
import type { ReceiverState } from '../common/documents.ts';
import type { RemovedReceiver } from '../delivery/deliveries.ts';

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

export function readStatus(sources: StatusSources): SystemStatus {
  return buildStatus(collectShardFacts(sources));
}

/** Facts about sources, with the full stored state of receivers. */
export interface ShardFacts extends StatusFacts {
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
  status(only?: ReadonlySet<string> | null): SystemStatus;
  alert(number: number, only?: ReadonlySet<string> | null): AlertInStatus;
  /** The status as it would be with one more silence, whose id is `PREVIEWED`. */
  withSilence(ask: SilenceAsk): SystemStatus;
  /** Resolves soon: then the state of other members is at most two seconds old, if it could be read. */
  recent(): Promise<void>;
}

/** The status of a running daemon, computed at each call. */
export function createDaemonStatusReader(sources: () => StatusSources): StatusReader {
  return createStatusReader(() => collectShardFacts(sources()));
}

/**
 * `facts` is called at each read, and again for an alert. `recent`: default for an installation without other members.
 */
export function createStatusReader(
  facts: () => StatusFacts,
  recent = (): Promise<void> => Promise.resolve(),
): StatusReader {
  return {
    status: (only = null) => buildStatus(only === null ? facts() : factsAbout(only, facts())),
    alert: (number, only = null) => findAlertInStatus(only === null ? facts() : factsAbout(only, facts()), number),
    withSilence(ask) {
      const known = facts();
      const silence = { ...ask, id: PREVIEWED, createdAt: known.now, expiredAt: null };
      return buildStatus({ ...known, own: { ...known.own, silences: [...known.own.silences, silence] } });
    },
    recent,
  };
}

/** Excluded sources are absent from titles of shared alerts as well. */
function factsAbout(sources: ReadonlySet<string>, facts: StatusFacts): StatusFacts {
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
    loopFailure: daemon.loopFailure(source.name),
    ...collectConfiguredFacts(config, source.name),
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
export function collectConfiguredFacts(config: StatusSources['config'], source: string): ConfiguredFacts {
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
export function collectKeptState({ own, deliveries, removed }: Daemon): Pick<ShardFacts, 'own' | 'receivers'> {
  return {
    own: own.state,
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
      ...removed.all().map(toRemovedFacts),
    ],
  };
}

export function toRemovedFacts(removed: RemovedReceiver): ReceiverFacts {
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

/** `take` reads the stored state. */
export function createReading(
  take: () => Promise<void>,
  { clock, log }: { clock: Pick<Clock, 'monotonic' | 'sleep'>; log: Pick<Log, 'warn'> },
) {
  let at = -Infinity;
  let reading: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function readOnce(): Promise<void> {
    try {
      await take();
      at = clock.monotonic();
    } catch (error) {
      log.warn('The state in the database cannot be read', { error });
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
    /** Reads the current state. Never rejects: a failure is logged. */
    read,
    /**
     * Called at each display: reads again if the last reading is older than two seconds. Resolves when it is done, or
     * after a second. Never rejects.
     */
    async recent(): Promise<void> {
      if (clock.monotonic() - at <= SHOWN_FOR_MS) return;
      const isDone = new AbortController();
      await Promise.race([(reading ??= readOnce()), clock.sleep(WAITED_FOR_MS, isDone.signal)]);
      isDone.abort();
    },
  };
}
