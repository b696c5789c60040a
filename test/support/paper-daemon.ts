/**
 * The real daemon in virtual time, without HTTP and without a disk: a world that answers on paper, documents in
 * memory, receivers that record. Everything in it is a promise or a virtual sleep, so weeks pass in seconds; and the
 * process can be "killed" at any await of its dealings with the outside, after which nothing it began goes on.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Route } from '../../src/core/alert/route.ts';
import type { Clock } from '../../src/daemon/common/clock.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';
import { createDaemon, type Daemon } from '../../src/daemon/loop/daemon.ts';
import type { DaemonOptions } from '../../src/daemon/loop/options.ts';
import type { Attempt } from '../../src/daemon/delivery/delivery.ts';
import type { PageReader } from '../../src/pages/page-reader.ts';
import type { Document, Documents } from '../../src/daemon/common/documents.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import type { Outcome, Receiver } from '../../src/receivers/receiver.ts';
import { CLEAR, paperReader, type PaperSource, type Weather } from '../laws/paper-reader.ts';
import { everyone, surprisesOf } from './running-daemon.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const START = Date.parse('2026-03-02T09:00:00.000Z');

/** One call of `send`, as the receiver saw it. */
export interface Received {
  at: number;
  messages: readonly Message[];
  only: readonly string[] | undefined;
  outcome: Outcome;
}

/** Reaction of a receiver to a call; default: it takes everything. `hang` waits until it is aborted. */
export type Conduct = (messages: readonly Message[], at: number, only?: readonly string[]) => Outcome | 'hang';

export interface PaperReceiver {
  name: string;
  audience: 'people' | 'programs';
  /** Recipients of its messages, if there are several. */
  recipients?: readonly string[];
  /** It rings for each alert until it gets the resolve. */
  ringsUntilTheEnd?: boolean;
  keepAlive?: NonNullable<Receiver['keepAlive']>;
  conduct: Conduct;
  calls: Received[];
  /** Messages that it took, in order. */
  taken: Message[];
  /** Messages of each recipient, in order. */
  inboxes: Record<string, Message[]>;
}

export function paperReceiver(
  name: string,
  audience: PaperReceiver['audience'],
  conduct: Conduct = () => DELIVERED,
): PaperReceiver {
  return { name, audience, conduct, calls: [], taken: [], inboxes: {} };
}

export const DELIVERED: Outcome = { kind: 'delivered', detail: 'taken' };

export function transient(reason: string, retryAfterMs: number | null = null): Outcome {
  return { kind: 'transient', code: 'other', reason, retryAfterMs };
}

/** Documents as texts, which outlive every process. */
export interface PaperDisk {
  texts: Map<string, string>;
}

export function paperDisk(): PaperDisk {
  return { texts: new Map() };
}

/** Called before and after everything that touches the outside; a promise that never resolves stops the process there. */
export type Pass = (where: string) => Promise<void> | void;

export interface PaperDaemonOptions {
  source: PaperSource;
  receivers: readonly PaperReceiver[];
  clock: ManualClock;
  disk?: PaperDisk;
  documents?: Documents;
  pass?: Pass;
  /** True while something goes on that takes real time, such as a digest on another thread. */
  isBusy?: () => boolean;
  route?: Partial<Route>;
  intervalMs?: number;
  random?: () => number;
  /** Changes answers on their way, called for every request; default: none. */
  weather?: () => Weather;
  /** Base addresses of pages, by name, where they are not the usual one. */
  addresses?: Readonly<Record<string, string>>;
  /** More pages, by name, beside `provider`. */
  others?: Readonly<Record<string, PaperSource>>;
  /** Those of them that are pages of other vendors. */
  vendors?: readonly string[];
  /** Puts itself between the daemon and a page. */
  wrapReader?: (source: string, reader: PageReader) => PageReader;
  options?: Partial<DaemonOptions>;
}

export interface PaperDaemon {
  daemon: Daemon;
  attempts: Attempt[];
  /** Lets time pass, every sleeper being woken at its own time and everything it does being done before the next. */
  pass(ms: number): Promise<void>;
  /** Resolves when everything that can happen without time passing has happened. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPaperDaemon(given: PaperDaemonOptions): Promise<PaperDaemon> {
  const { clock } = given;
  const pass: Pass = given.pass ?? (() => undefined);
  const stop = new AbortController();
  const attempts: Attempt[] = [];
  const intervalMs = given.intervalMs ?? 30 * SECOND;
  const sources = { provider: given.source, ...given.others };
  const wrap = given.wrapReader ?? ((_name: string, reader: PageReader): PageReader => reader);
  const surprises = surprisesOf();
  const daemon = await createDaemon({
    pages: Object.entries(sources).map(([name, source]) => ({
      name,
      baseUrl: given.addresses?.[name] ?? `https://${name}.example.test/`,
      reader: wrap(name, passing(paperReader(source, given.weather ?? (() => CLEAR)), pass)),
      intervalMs,
      intervalDuringIncidentMs: intervalMs,
      unreachableAfterMs: 3 * MINUTE,
      maintenance: { reminders: [], graceMs: HOUR },
      components: { include: [], exclude: [] },
      labels: {},
      ...(given.vendors?.includes(name) === true && { vendor: true as const }),
    })),
    receivers: given.receivers.map((receiver) => asReceiver(receiver, clock, pass)),
    route: { ...everyone(given.receivers.map(({ name }) => name)), ...given.route },
    overrides: [],
    digest: null,
    documents: given.documents ?? documentsOn(given.disk ?? paperDisk(), pass),
    clock,
    random: given.random ?? (() => 0.5),
    log: surprises.log,
    observer: { attempted: (attempt) => void attempts.push(attempt) },
    ...given.options,
  });
  const running = daemon.run(stop.signal);

  async function settle(): Promise<void> {
    // A turn of the event loop lets every promise that can go on do so; a second one those that used a turn themselves.
    do {
      await turn();
      await turn();
    } while (given.isBusy?.() === true);
  }

  return {
    daemon,
    attempts,
    settle,
    async pass(ms) {
      const end = clock.now() + ms;
      await settle();
      for (;;) {
        const next = clock.next();
        const left = end - clock.now();
        if (next === null || next > left) break;
        clock.advance(Math.max(0, next));
        await settle();
      }
      clock.advance(Math.max(0, end - clock.now()));
      await settle();
      surprises.rethrow();
    },
    async stop() {
      stop.abort();
      await running;
      surprises.rethrow();
    },
  };
}

function passing(reader: PageReader, pass: Pass): PageReader {
  async function asked<T>(what: string, answer: () => Promise<T>): Promise<T> {
    await pass(`asking for ${what}`);
    const seen = await answer();
    await pass(`answered ${what}`);
    return seen;
  }
  return {
    page: (signal) => asked('page', () => reader.page(signal)),
    components: (signal) => asked('components', () => reader.components(signal)),
    notices: (timeline, signal) => asked(timeline, () => reader.notices(timeline, signal)),
    notice: (id, signal) => asked(`notice ${id}`, () => reader.notice(id, signal)),
    restMs: reader.restMs,
  };
}

function asReceiver(receiver: PaperReceiver, clock: Clock, pass: Pass): Receiver {
  const { name, audience, recipients, ringsUntilTheEnd = false, keepAlive } = receiver;
  return {
    name,
    type: 'paper',
    audience,
    batch: audience === 'people' ? 1 : 100,
    ringsUntilTheEnd,
    ...(recipients === undefined ? {} : { recipients }),
    ...(keepAlive !== undefined && { keepAlive }),
    async send(messages, signal, only) {
      await pass(`sending to ${name}`);
      const chosen = receiver.conduct(messages, clock.now(), only);
      if (chosen === 'hang') await clock.sleep(15 * SECOND, signal);
      const outcome = chosen === 'hang' ? transient('no answer in time') : chosen;
      // As over a wire: fields that JSON drops never arrive.
      const copies = JSON.parse(JSON.stringify(messages)) as Message[];
      receiver.calls.push({ at: clock.now(), messages: copies, only, outcome });
      if (outcome.kind === 'delivered') receiver.taken.push(...copies);
      const sentTo = only ?? recipients ?? [];
      const lacking = outcome.kind === 'delivered' ? [] : (outcome.remaining ?? sentTo);
      for (const recipient of sentTo) {
        if (!lacking.includes(recipient)) (receiver.inboxes[recipient] ??= []).push(...copies);
      }
      await pass(`sent to ${name}`);
      return outcome;
    },
  };
}

function documentsOn(disk: PaperDisk, pass: Pass): Documents {
  function open<T>(key: string, empty: T): Promise<Document<T>> {
    const text = disk.texts.get(key);
    let value = text === undefined ? empty : (JSON.parse(text) as T);
    return Promise.resolve({
      get value() {
        return value;
      },
      async commit(next: T) {
        await pass(`saving ${key}`);
        disk.texts.set(key, JSON.stringify(next));
        value = next;
        await pass(`saved ${key}`);
      },
    });
  }
  return {
    own: (empty) => open('linewatch', empty),
    source: (name, empty) => open(`source ${name}`, empty),
    account: (name, empty) => open(`source ${name}`, empty),
    receiver: (name, empty) => open(`receiver ${name}`, empty),
    sources: () =>
      Promise.resolve([...disk.texts.keys()].flatMap((key) => (key.startsWith('source ') ? [key.slice(7)] : []))),
    forget: (name) => {
      disk.texts.delete(`source ${name}`);
      return Promise.resolve();
    },
  };
}

export { manualClock as virtualClock };
