/**
 * The real daemon with its own loops over real HTTP against the embedded provider, on a clock the test moves.
 * Receivers record what they are sent; documents live in memory unless the test brings a store.
 */
import { createDaemon, type Daemon } from '../../src/daemon/loop/daemon.ts';
import type { DaemonOptions, Observer, WatchedAccount } from '../../src/daemon/loop/options.ts';
import { createPageReader } from '../../src/pages/provider/reader.ts';
import type { Document, Documents } from '../../src/daemon/common/documents.ts';
import type { PageStepResult } from '../../src/core/engine/page-kind.ts';
import type { Log } from '../../src/log/log.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { createStatusClient, type StatusClientOptions } from '../../src/provider/status-client.ts';
import type { Outcome, Receiver } from '../../src/receivers/receiver.ts';
import { createRouteTo, type Route } from '../../src/core/alert/route.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';

export const quietLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quietLog,
};

/** Throws at once, in the test's own words, what the daemon went on in spite of: a test that foresees none is wrong. */
export function surprisesOf(): { log: Log; rethrow: () => void } {
  const met: unknown[] = [];
  return {
    log: {
      ...quietLog,
      error: (message, fields) => {
        if (message.startsWith('An unforeseen error')) met.push(fields?.['error']);
      },
    },
    rethrow() {
      if (met.length > 0) throw met[0];
    },
  };
}

export interface RecordingReceiver extends Receiver {
  sent: Message[];
  /** Outcomes of the next sends, in order; then everything is delivered. */
  outcomes: Outcome[];
}

export function recordingReceiver(name: string, audience: 'people' | 'programs'): RecordingReceiver {
  const sent: Message[] = [];
  const outcomes: Outcome[] = [];
  return {
    name,
    type: 'recording',
    audience,
    batch: audience === 'people' ? 1 : 100,
    sent,
    outcomes,
    send(messages) {
      const outcome = outcomes.shift() ?? { kind: 'delivered', detail: 'recorded' };
      if (outcome.kind === 'delivered') sent.push(...messages);
      return Promise.resolve(outcome);
    },
  };
}

export interface MemoryDocuments extends Documents {
  commits: Map<string, number>;
  /** Stored value of a document, such as `source/provider`. */
  kept(key: string): object | undefined;
}

/** `known`: what was kept before, by the same keys. */
export function memoryDocuments(known: ReadonlyMap<string, object> = new Map()): MemoryDocuments {
  const kept = new Map<string, unknown>(known);
  const commits = new Map<string, number>();
  function open<T>(key: string, empty: T): Promise<Document<T>> {
    return Promise.resolve({
      get value() {
        return (kept.get(key) as T | undefined) ?? empty;
      },
      commit: (next: T) => {
        // Through JSON, as a disk would have it: what does not survive that is a bug.
        kept.set(key, JSON.parse(JSON.stringify(next)));
        commits.set(key, (commits.get(key) ?? 0) + 1);
        return Promise.resolve();
      },
    });
  }
  return {
    commits,
    kept: (key) => kept.get(key) as object | undefined,
    own: (empty) => open('instance/linewatch', empty),
    source: (name, empty) => open(`source/${name}`, empty),
    account: (name, empty) => open(`source/${name}`, empty),
    receiver: (name, empty) => open(`receiver/${name}`, empty),
    sources: () =>
      Promise.resolve([...kept.keys()].flatMap((key) => (key.startsWith('source/') ? [key.slice(7)] : []))),
    forget: (name) => {
      kept.delete(`source/${name}`);
      return Promise.resolve();
    },
  };
}

export const everyone = (receivers: readonly string[]): Route => createRouteTo([...receivers]);

export interface RunningDaemon {
  daemon: Daemon;
  clock: ManualClock;
  people: RecordingReceiver;
  programs: RecordingReceiver;
  steps: { source: string; out: PageStepResult }[];
  /** Lets time pass until the next round is due, waits for it to end and for everything to be delivered. */
  sweep(): Promise<void>;
  /** The same, however long that takes: a source may want to be left alone. */
  round(): Promise<void>;
  /** Milliseconds until anything is due again. */
  rest(): number;
  /** The same at this wall time. */
  sweepAt(at: number): Promise<void>;
  stop(): Promise<void>;
}

export interface RunningOptions {
  statusUrl: string;
  startAt: number;
  /** Clock for objects created before the daemon; default: one that stops at `startAt`. */
  clock?: ManualClock;
  documents?: Documents;
  intervalMs?: number;
  unreachableAfterMs?: number;
  maintenance?: { reminders: number[]; graceMs: number };
  options?: Partial<DaemonOptions>;
  accounts?: readonly WatchedAccount[];
  /** Limits of the client, where a test cannot wait for the usual ones. */
  http?: Pick<StatusClientOptions, 'timeouts' | 'bodyLimit' | 'limiter'>;
  components?: { include: string[]; exclude: string[] };
  /** Called with every event before its waiters continue. */
  heard?: Partial<Observer>;
  onRequest?: StatusClientOptions['onRequest'];
}

export async function runDaemon(given: RunningOptions): Promise<RunningDaemon> {
  const clock = given.clock ?? manualClock(given.startAt);
  const people = recordingReceiver('people', 'people');
  const programs = recordingReceiver('programs', 'programs');
  const steps: RunningDaemon['steps'] = [];
  const stop = new AbortController();
  let swept = Promise.withResolvers<void>();
  let attempted = Promise.withResolvers<void>();
  const client = createStatusClient({
    baseUrl: given.statusUrl,
    limiter: createLimiter({ requestsPerSecond: 5, windowMs: 1 }),
    wallClock: clock.now,
    monotonic: clock.monotonic,
    onRequest: given.onRequest,
    ...given.http,
  });
  const intervalMs = given.intervalMs ?? 100;
  const sweep = { isUnderWay: false };
  const surprises = surprisesOf();

  /** Whatever is asked, a sweep is under way. */
  function noting<PageReader extends object>(reader: PageReader): PageReader {
    const noted = Object.entries(reader).map(([name, ask]: [string, (...args: unknown[]) => unknown]) => [
      name,
      (...args: unknown[]) => {
        if (name !== 'restMs') sweep.isUnderWay = true;
        return ask(...args);
      },
    ]);
    return Object.fromEntries(noted) as PageReader;
  }

  const daemon = await createDaemon({
    pages: [
      {
        name: 'provider',
        baseUrl: given.statusUrl,
        reader: noting(createPageReader(client)),
        intervalMs,
        intervalDuringIncidentMs: intervalMs,
        maintenance: given.maintenance ?? { reminders: [], graceMs: Infinity },
        unreachableAfterMs: given.unreachableAfterMs ?? 180_000,
        components: given.components ?? { include: [], exclude: [] },
        labels: {},
      },
    ],
    accounts: (given.accounts ?? []).map((account) => ({ ...account, reader: noting(account.reader) })),
    receivers: [people, programs],
    route: everyone(['people', 'programs']),
    overrides: [],
    digest: null,
    documents: given.documents ?? memoryDocuments(),
    clock,
    random: () => 0.5,
    log: surprises.log,
    observer: {
      entered: (source, entered) => given.heard?.entered?.(source, entered),
      committed: (source) => given.heard?.committed?.(source),
      stepped: (source, out) => {
        given.heard?.stepped?.(source, out);
        steps.push({ source, out });
      },
      sweepEnded: (source) => {
        sweep.isUnderWay = false;
        given.heard?.sweepEnded?.(source);
        const done = swept;
        swept = Promise.withResolvers<void>();
        done.resolve();
      },
      attempted: (attempt) => {
        given.heard?.attempted?.(attempt);
        const done = attempted;
        attempted = Promise.withResolvers<void>();
        done.resolve();
      },
    },
    ...given.options,
  });

  async function delivered(): Promise<void> {
    while (daemon.deliveries.some((delivery) => delivery.waiting().length > 0)) {
      await attempted.promise;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const first = swept.promise;
  const running = daemon.run(stop.signal);
  let begun = false;

  async function sweepAt(at: number): Promise<void> {
    const ended = begun ? swept.promise : first;
    begun = true;
    clock.advanceTo(at);
    await ended;
    await delivered();
    // Loops that go to sleep now have done so.
    await new Promise((resolve) => setImmediate(resolve));
    surprises.rethrow();
  }

  function rest(): number {
    const next = clock.next();
    if (next === null) throw new Error('Nothing is due any more.');
    return next;
  }

  return {
    daemon,
    clock,
    people,
    programs,
    steps,
    sweepAt,
    sweep: () => sweepAt(begun ? clock.now() + intervalMs : clock.now()),
    async round() {
      if (!begun) return sweepAt(clock.now());
      const ended = swept.promise;
      while (!sweep.isUnderWay) {
        clock.advance(rest());
        await new Promise((resolve) => setImmediate(resolve));
      }
      await ended;
      await delivered();
      await new Promise((resolve) => setImmediate(resolve));
    },
    rest,
    async stop() {
      stop.abort();
      await running;
      client.close();
      surprises.rethrow();
    },
  };
}
