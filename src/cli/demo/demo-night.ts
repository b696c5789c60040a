/** Runs the demonstration: embedded providers that play a story, and the real daemon that watches them. */
import { join } from 'node:path';
import { createLimiters, prepare, type AssembledDaemon } from '../../daemon/setup/assemble.ts';
import type { Clock } from '../../daemon/common/clock.ts';
import type { Daemon } from '../../daemon/loop/daemon.ts';
import { openDocumentsOf } from '../../daemon/common/documents.ts';
import { MINUTE, SECOND } from '../../core/text/duration.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { createSqliteStore } from '../../history/sqlite.ts';
import { openLog } from '../../log/open-log.ts';
import { createLimiter, type Limiter } from '../../provider/limiter.ts';
import type { Provider } from '../../simulator/embedded-provider.ts';
import { loadScenario } from '../../simulator/scenario/run-scenario.ts';
import { realDisk } from '../../store/disk.ts';
import { openFiles } from '../../store/files.ts';
import { lockStateDirectory } from '../../store/lock.ts';
import { wrapCommits } from '../../store/store.ts';
import { createNightClock, createTimers, chooseNightZone, type NightClock } from './demo-clock.ts';
import { createDemoPage } from './demo-page.ts';
import { loadDemoConfig, createDemoReceivers, type DemoPlace } from './demo-setup.ts';
import { createPlatformClock } from '../platform.ts';
import { startProviderOrExplain } from '../provider.ts';
import { openHistory } from '../run/open-history.ts';

/** A minute shows three quarters of an hour. */
const PACE = 45;
/** The story ends at about the current time, so that other commands show matching durations. */
const LENGTH_MS = PACE * MINUTE;
/** After a longer pause before the story, its clock stays behind the machine's. */
const LONGEST_CATCH_UP_MS = 30 * MINUTE;
/**
 * Sweeps of many accounts are spread over a minute, and their results are reported together at its end. Steps of the
 * story come before the first sweep, so that every run has the same messages.
 */
const BEFORE_SWEEPS_MS = 1.5 * SECOND;
/** Interval of checks for waiting messages. */
const LOOK_MS = 30 * SECOND;
/** Later messages are not waited for. */
const LONGEST_AFTERMATH_MS = 15 * MINUTE;

export interface DemoNight extends AsyncDisposable {
  /** IANA name of the zone for its times. */
  timezone: string;
  /** Linewatch's page, without a slash at the end. */
  url: string;
  /** The provider's own status page. */
  statusUrl: string;
  /** Resolves when a browser requests the page. */
  looked: Promise<void>;
  /** Names of the accounts. */
  accounts: readonly string[];
  /** Starts the watch and resolves when its first messages are sent; then the clock stops. */
  begin(): Promise<void>;
  /** Resolves at the end of the story with its messages; then the clock runs at normal speed. */
  tell(): Promise<void>;
  status(): SystemStatus;
}

interface NightOptions extends Pick<DemoPlace, 'platform' | 'story' | 'folder'> {
  /** 2 runs it twice as fast. */
  speed: number;
  /** Port of the provider; default: a free one. */
  port: number | undefined;
}

/** Does nothing before `begin`. Releases its resources if it rejects. */
export async function openNight({ platform, story, speed, port, folder }: NightOptions): Promise<DemoNight> {
  await using closing = new AsyncDisposableStack();
  const stop = new AbortController();
  const pace = PACE * speed;
  const sweeping = new Set<string>();
  let assembled: AssembledDaemon | null = null;
  function daemon(): Daemon {
    if (assembled === null) throw new Error('the demonstration has not begun');
    return assembled.daemon;
  }
  const machine = createPlatformClock(platform);
  const start = Math.floor((machine.now() - LENGTH_MS) / MINUTE) * MINUTE;
  const work = createWorkCounter();
  const isBusy = (): boolean =>
    sweeping.size > 0 || work.underWay() > 0 || (assembled !== null && isTelling(assembled.daemon, clock.now()));
  const clock: NightClock = createNightClock({ start, machine, isBusy });

  const providers = await openProviders({ platform, story, port, clock, closing });
  const stateDir = join(folder, 'state');
  const lock = await lockStateDirectory({ directory: stateDir, pid: platform.pid, user: platform.user });
  closing.defer(() => lock.release());
  const config = await loadDemoConfig({ folder, story, providers, platform, timezone: chooseNightZone(start) });
  const store = openFiles({ directory: stateDir, disk: realDisk, access: 'write', now: clock.now });
  closing.defer(() => store.close());
  const log = await openLog(platform.err, { level: 'error', format: 'auto', redact: (text) => text }, clock);
  const history = openHistory(createSqliteStore(stateDir, clock.now), {
    present: { config, assembled: null },
    // The history writes when the disk is free, which is on the machine's clock.
    clock: { ...clock, monotonic: machine.monotonic },
    log,
  });
  closing.defer(() => history.close());
  const page = createDemoPage({ config, platform, clock, log, history, daemon });
  assembled = await prepare({
    config,
    receivers: createDemoReceivers({ config, platform, folder, now: clock.now, daemon }),
    documents: openDocumentsOf(wrapCommits(store, work.run), (finding) =>
      log.warn('state', { detail: finding.message }),
    ),
    // A second of the demonstration is shorter than one of the machine.
    limiters: createLimiters((requestsPerSecond) =>
      countRequests(createLimiter({ requestsPerSecond, windowMs: SECOND / pace }), work),
    ),
    clock,
    random: () => 0.5,
    log,
    userAgent: `linewatch/${platform.version}`,
    observer: {
      ...page.observer,
      sweepBegan: (source) => void sweeping.add(source),
      sweepEnded(source) {
        sweeping.delete(source);
        page.observer.sweepEnded(source);
      },
    },
    digest: null,
    history,
    onRequest: page.requested,
  }).start();
  closing.defer(assembled.close);
  closing.defer(() => page.close());
  const url = await page.open();
  const { tell, begin, end } = telling({ daemon: daemon(), providers, clock, machine, pace, stop: stop.signal });
  const open = closing.move();
  return {
    timezone: config.timezone,
    url,
    statusUrl: providers[0]?.statusUrl ?? '',
    looked: page.looked,
    accounts: config.accounts.map(({ name }) => name),
    status: page.status,
    begin,
    tell,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await end();
      await open.disposeAsync();
    },
  };
}

/** Work of the machine, during which the clock of the demonstration stops. */
interface WorkCounter {
  run<T>(work: () => Promise<T>): Promise<T>;
  underWay(): number;
}

function createWorkCounter(): WorkCounter {
  let underWay = 0;
  return {
    underWay: () => underWay,
    async run(work) {
      underWay += 1;
      return await work().finally(() => (underWay -= 1));
    },
  };
}

/** Requests are under way from their queue to their answer: not only sweeps send them. */
function countRequests(limiter: Limiter, { run }: WorkCounter): Limiter {
  return { run: (attempt, passage) => run(() => limiter.run(attempt, passage)), waiting: limiter.waiting };
}

interface ProvidersDeps extends Pick<NightOptions, 'platform' | 'story' | 'port'> {
  clock: NightClock;
  closing: AsyncDisposableStack;
}

/** One for each page, after the initial steps of their stories. */
async function openProviders({ platform, story, port, clock, closing }: ProvidersDeps): Promise<Provider[]> {
  const providers: Provider[] = [];
  for (const [index, { as, scenario: file }] of story.pages.entries()) {
    const scenario = loadScenario(join(platform.packageDirectory, 'config/scenarios', file));
    const provider = await startProviderOrExplain({
      port: index === 0 ? port : 0,
      as,
      scenario,
      startStory: false,
      clock,
      timers: createTimers(clock),
    });
    closing.defer(() => provider.close());
    for (const { at } of scenario.steps) if (at === 0) provider.story?.advance();
    providers.push(provider);
  }
  return providers;
}

interface TellingDeps {
  daemon: Daemon;
  providers: readonly Provider[];
  clock: NightClock;
  machine: Pick<Clock, 'now'>;
  pace: number;
  stop: AbortSignal;
}

function telling({ daemon, providers, clock, machine, pace, stop }: TellingDeps): Pick<DemoNight, 'begin' | 'tell'> & {
  end(): Promise<void>;
} {
  const over = new AbortController();
  let begun = 0;
  let watching: Promise<unknown> = Promise.resolve();
  let passing: Promise<void> = Promise.resolve();

  /** Resolves when no message waits and the last change has been read. */
  async function untilTold(): Promise<void> {
    const until = clock.monotonic() + LONGEST_AFTERMATH_MS;
    do await clock.sleep(LOOK_MS, stop);
    while (!isAllTold(daemon) && !stop.aborted && clock.monotonic() < until);
  }

  function goOn(at: number): void {
    if (!stop.aborted) clock.setPace(at);
  }

  return {
    async begin() {
      begun = clock.monotonic();
      watching = daemon.run(stop);
      passing = clock.run(over.signal);
      goOn(pace);
      await untilTold();
      goOn(0);
    },
    async tell() {
      goOn(pace);
      await clock.sleep(MINUTE - ((clock.monotonic() - begun) % MINUTE) - BEFORE_SWEEPS_MS, stop);
      for (const { story } of providers) story?.start();
      await Promise.all(providers.flatMap(({ story }) => story?.done ?? []));
      await untilTold();
      await clock.sleep(Math.min(machine.now() - clock.now(), LONGEST_CATCH_UP_MS), stop);
      goOn(1);
    },
    async end() {
      // Work in progress may need the clock to advance.
      clock.setPace(pace);
      await watching;
      over.abort();
      await passing;
    },
  };
}

/** True if a message is due. */
function isTelling({ deliveries }: Pick<Daemon, 'deliveries'>, now: number): boolean {
  return deliveries.some((delivery) => delivery.waiting().some(({ dueAt }) => dueAt <= now));
}

/** True if no message waits, and no observed change has to persist before it counts. */
function isAllTold({ accounts, deliveries }: Pick<Daemon, 'accounts' | 'deliveries'>): boolean {
  return (
    deliveries.every((delivery) => delivery.waiting().length === 0) &&
    accounts.every(({ state: { snapshot } }) => {
      const isAwaited = (snapshot.phones ?? []).some(({ missing, lost }) => missing !== null && lost === null);
      return !isAwaited && !snapshot.expectations.some(({ wrong, told }) => wrong !== null && told === null);
    })
  );
}
