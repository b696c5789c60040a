/**
 * Deliveries to all receivers. A failing receiver is reported to the others. Messages for a receiver removed from the
 * configuration wait a week for its return, and the operator may drop them earlier. The drop is stored in the document
 * of that receiver, so that neither a restart nor its return reverts it.
 */
import type { Named } from '../../core/transition/collections.ts';
import type { ReceiverNews, ReceiverTrouble } from '../../core/engine/receiver-trouble.ts';
import { type Entry, type Message, listMessages } from '../../core/outbox/message.ts';
import { DAY, MINUTE } from '../../core/text/duration.ts';
import { formatList, toOneLine } from '../../core/text/plain.ts';
import { findDeliveryTrouble } from '../../core/view/standing/receiver-standing.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import type { History } from '../../history/history-writer.ts';
import type { Log } from '../../log/log.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Clock } from '../common/clock.ts';
import { createLoopClock, type Progress } from '../common/progress.ts';
import { type Attempt, createDelivery, type Delivery, type DeliveryDeps } from './delivery.ts';
import { type Document, type Documents, createReceiverState, type ReceiverState } from '../common/documents.ts';
import type { Muting, PendingMessages, SharedStart } from './pending.ts';
import {
  toDeliveryLoopName,
  type LoopFailures,
  type UnsavedDocuments,
  withoutLoopFailures,
} from '../common/supervisor.ts';

/** A receiver with transient failures for this long is reported to the others. */
const FAILING_IS_NEWS_AFTER_MS = 5 * MINUTE;
/** The first consecutive failures are logged as warnings, and then each hundredth; the others at level debug. */
const SAID_OF_ONE_OUTAGE = 20;
const SAID_EVERY = 100;
/** Messages are kept this long in case the receiver returns to the configuration. */
const REMOVED_RECEIVER_WAITS_MS = 7 * DAY;
/** Number of messages that a log line names. */
const NAMED_MESSAGES = 2;

/** Ids of enqueued messages that need not be sent any more. */
export function listSettledIds(
  { outbox }: { outbox: readonly Entry[] },
  { isSettled }: Pick<Deliveries, 'isSettled'>,
): ReadonlySet<string> {
  const promised = outbox.flatMap(listMessages);
  return new Set(promised.flatMap((message) => (isSettled(message) ? [message.id] : [])));
}

/** Options of a daemon that its deliveries need. */
export interface DeliveryOptions {
  pages: readonly Named[];
  accounts?: readonly Named[];
  /** Sources that other daemons of the installation watch. */
  shard?: { others: readonly Named[] };
  receivers: readonly Receiver[];
  documents: Documents;
  /** Receives records of all changes; default: no history. */
  history?: History;
  clock: Clock;
  /** Watches the progress of loops; default: none. */
  progress?: Progress | null;
  random(): number;
  log: Log;
  observer?: { attempted?(attempt: Attempt): void };
}

export interface DeliveriesDeps {
  options: DeliveryOptions;
  pending: PendingMessages;
  sharedStart: Pick<SharedStart, 'tellable'>;
  muting: Muting;
  sources: Pick<DeliveryDeps, 'seen' | 'facts' | 'outage'>;
  unsaved: UnsavedDocuments;
  failing: FailureWatch;
  /** Not null if another daemon reports failures of receivers. */
  found: FoundTroubles | null;
  loopFailures: LoopFailures;
}

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Empty at first: `serve` adds a receiver with its stored state. */
export function createDeliveries(deps: DeliveriesDeps) {
  const { options, pending, sharedStart, muting, unsaved, failing, loopFailures } = deps;
  const { clock, random, log, observer = {} } = options;
  const all = new Map<string, Delivery>();
  const configured = new Set(options.receivers.map(({ name }) => name));
  const removed = createRemovedReceivers({
    pending,
    isConfigured: (name) => configured.has(name),
    document: options.documents.receiver,
    now: clock.now,
    unsaved: (receiver, error) =>
      log.error('messages given up for a removed receiver were not saved', { receiver, error }),
  });

  function attempted(attempt: Attempt): void {
    try {
      failing.attempted(attempt);
      observer.attempted?.(attempt);
    } catch (error) {
      // A sent message is settled even if a listener fails, or it would be sent again.
      loopFailures.failed(toDeliveryLoopName(attempt.receiver), error);
    }
  }

  /** Loads the stored state of a receiver and starts to serve it. */
  async function serve(receiver: Receiver): Promise<void> {
    const { name, audience } = receiver;
    const document = await options.documents.receiver(name, createReceiverState());
    const delivery = createDelivery({
      receiver: withoutLoopFailures(receiver, toDeliveryLoopName(name), loopFailures),
      document,
      clock: createLoopClock(toDeliveryLoopName(name), options),
      random,
      promised: () => (audience === 'people' ? sharedStart.tellable(pending.to(name)) : pending.to(name)),
      isPromised: pending.holds,
      sources: [...options.pages, ...(options.accounts ?? []), ...(options.shard?.others ?? [])].map(
        ({ name: of }) => of,
      ),
      muting,
      seen: deps.sources.seen,
      facts: deps.sources.facts,
      outage: deps.sources.outage,
      unsaved,
      history: options.history,
      attempted,
    });
    all.set(name, delivery);
    deps.found?.takeUp(name, delivery.state, clock.now());
  }

  return {
    /** By receiver. */
    all: all as ReadonlyMap<string, Delivery>,
    removed,
    isSettled: (message: Message) => all.get(message.receiver)?.isSettled(message.id) ?? removed.isSettled(message),
    /** Settles messages that will never be sent. */
    giveUp: (receiver: string, ids: readonly string[]) =>
      all.get(receiver)?.giveUp(ids) ?? removed.giveUp(receiver, ids),
    /** Prepares for messages that are being enqueued, before their commit; sends none of them yet. */
    prepare(promised: readonly Message[]) {
      for (const [name, messages] of Map.groupBy(promised, ({ receiver }) => receiver)) {
        all.get(name)?.prepare(messages);
      }
    },
    /** There may be new messages to send. */
    wake() {
      for (const delivery of all.values()) delivery.wake();
    },
    serve,
  };
}

/** Failures of receivers, known and reported. */
export interface Troubles {
  isKnown(receiver: string): boolean;
  happened(news: ReceiverNews): void;
}

export interface FailureWatchDeps {
  log: Log;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  troubles: Troubles;
}

export type FailureWatch = ReturnType<typeof createFailing>;

/** Reports a permanent failure at once, and transient failures after five minutes. */
export function createFailing({ log, clock, troubles }: FailureWatchDeps) {
  /** Start of each receiver's failure, on the wall clock and on the monotonic one. */
  const began = new Map<string, { since: number; at: number }>();

  /** Called after each attempt. */
  function attempted(attempt: Attempt): void {
    const { receiver, messages, outcome, durationMs } = attempt;
    const fields = { receiver, messages: messages.map(({ id }) => id), durationMs: Math.round(durationMs) };
    const what = (): string => sayMessages(messages);
    if (outcome.kind === 'delivered') {
      log.info('delivered', { ...fields, detail: outcome.detail }, () => `Told ${receiver}: ${what()}`);
    } else if (outcome.kind === 'transient') {
      const retryInMs = Math.round(attempt.retryInMs ?? 0);
      const say = (): string =>
        `Could not tell ${receiver} for now: ${outcome.reason}; again in ${formatElapsed(retryInMs)}: ${what()}`;
      // A receiver retried every few seconds logs the same failure for hours.
      const { failures } = attempt;
      const level = failures <= SAID_OF_ONE_OUTAGE || failures % SAID_EVERY === 0 ? 'warn' : 'debug';
      log[level]('delivery failed for now', { ...fields, reason: outcome.reason, retryInMs }, say);
    } else {
      const say = (): string => `${receiver} refuses for good: ${outcome.reason}; it stays on disk: ${what()}`;
      log.error('delivery refused for good; it stays on disk', { ...fields, reason: outcome.reason }, say);
    }
    mind(attempt);
  }

  /** Reports a failing receiver to the others, once, and its recovery. */
  function mind({ receiver, outcome, troubledSince }: Attempt): void {
    const known = troubles.isKnown(receiver);
    if (troubledSince === null) began.delete(receiver);
    if (outcome.kind === 'delivered') {
      if (known && troubledSince === null) troubles.happened({ kind: 'receiver recovered', receiver });
      return;
    }
    const since = troubledSince ?? clock.now();
    const isNever = outcome.kind === 'permanent' || outcome.refused !== undefined;
    const isNews = failsForMs(receiver, since) >= FAILING_IS_NEWS_AFTER_MS || isNever;
    if (isNews && !known) troubles.happened({ kind: 'receiver failed', receiver, since, reason: outcome.reason });
  }

  /** The monotonic clock is immune to clock changes; only the wall clock covers the time before this process. */
  function failsForMs(receiver: string, since: number): number {
    const known = began.get(receiver);
    const at = known?.since === since ? known.at : clock.monotonic() - Math.max(0, clock.now() - since);
    began.set(receiver, { since, at });
    return clock.monotonic() - at;
  }

  return { attempted };
}

/** Failures found here, and reported by another daemon for all. */
export interface FoundTroubles extends Troubles {
  all(): readonly ReceiverTrouble[];
  /** State of a receiver at the start of this daemon. */
  takeUp(receiver: string, state: ReceiverState, now: number): void;
}

/** Keeps failures of receivers in memory only: `takeUp` restores them after a restart. */
export function createFoundTroubles(): FoundTroubles {
  const known = new Map<string, ReceiverTrouble>();
  return {
    isKnown: (receiver) => known.has(receiver),
    happened(news) {
      if (news.kind === 'receiver recovered') return void known.delete(news.receiver);
      const { receiver, since, reason } = news;
      known.set(receiver, { receiver, since, reason });
    },
    all: () => [...known.values()],
    takeUp(receiver, state, now) {
      const trouble = findDeliveryTrouble(state);
      if (trouble === null) return;
      const { since, reason } = trouble;
      const isNews = now - since >= FAILING_IS_NEWS_AFTER_MS || state.refused.some(({ at }) => at >= since);
      if (isNews) known.set(receiver, { receiver, since, reason });
    },
  };
}

export interface RemovedReceiver {
  name: string;
  state: ReceiverState;
  /** Oldest first. */
  waiting: readonly Message[];
}

export type RemovedReceivers = ReturnType<typeof createRemovedReceivers>;

export interface RemovedReceiversDeps {
  pending: PendingMessages;
  isConfigured(receiver: string): boolean;
  document(receiver: string, empty: ReceiverState): Promise<Document<ReceiverState>>;
  /** Epoch milliseconds. */
  now(): number;
  /** The disk refused to save; the drop lasts until the end of the process. */
  unsaved(receiver: string, error: unknown): void;
}

/** Loads nothing by itself: before `takeUp` only age settles a message. */
export function createRemovedReceivers(deps: RemovedReceiversDeps) {
  const documents = new Map<string, Document<ReceiverState>>();
  const settled = new Set<string>();

  async function documentOf(receiver: string): Promise<Document<ReceiverState>> {
    const known = documents.get(receiver);
    if (known !== undefined) return known;
    const document = await deps.document(receiver, createReceiverState());
    documents.set(receiver, document);
    for (const id of document.value.settled) settled.add(id);
    return document;
  }

  function isSettled({ id, promisedAt }: Message): boolean {
    return settled.has(id) || deps.now() - promisedAt > REMOVED_RECEIVER_WAITS_MS;
  }

  const names = (): string[] => deps.pending.receivers().filter((name) => !deps.isConfigured(name));

  /** Called at the start, and when the messages of a removed source were loaded. */
  async function takeUp(): Promise<void> {
    for (const name of names()) await documentOf(name);
  }

  return {
    isSettled,
    takeUp,
    /** Removed receivers with waiting messages. */
    all: (): RemovedReceiver[] =>
      names().flatMap((name) => {
        const waiting = deps.pending.to(name).filter((message) => !isSettled(message));
        const state = documents.get(name)?.value ?? createReceiverState();
        return waiting.length === 0 ? [] : [{ name, state, waiting }];
      }),
    /** These will never be sent, even if the receiver returns. */
    async giveUp(receiver: string, ids: readonly string[]) {
      for (const id of ids) settled.add(id);
      try {
        const document = await documentOf(receiver);
        const kept = document.value.settled.filter((id) => deps.pending.holds(id));
        const refused = document.value.refused.filter(({ id }) => !ids.includes(id));
        await document.commit({ ...document.value, refused, settled: [...new Set([...kept, ...ids])] });
      } catch (error) {
        deps.unsaved(receiver, error);
      }
    },
  };
}

/** `#2 Inbound calls failing, #3 Works and 4 more`. */
function sayMessages(messages: readonly Message[]): string {
  const named = messages.map(
    ({ alert }) => `${alert.number === null ? '' : `#${alert.number} `}${toOneLine(alert.title)}`,
  );
  return formatList([...new Set(named)], NAMED_MESSAGES);
}
