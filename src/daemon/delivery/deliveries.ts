/**
 * All receivers being served. One that does not take what it is sent is announced on the others. What was promised to
 * receivers that are no longer configured waits a week for their return, and the operator may give it up before; that is
 * remembered where the receiver itself is, so that neither a restart nor its return undoes it.
 */
import type { ReceiverNews, ReceiverTrouble } from '../../core/engine/receiver-trouble.ts';
import { type Entry, type Message, messagesOf } from '../../core/outbox/message.ts';
import { DAY, MINUTE } from '../../core/text/duration.ts';
import { formatList, toOneLine } from '../../core/text/plain.ts';
import { troubleOf } from '../../core/view/standing/receiver-standing.ts';
import { span } from '../../core/wording/time.ts';
import type { History } from '../../history/history-writer.ts';
import type { Log } from '../../log/log.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Clock } from '../common/clock.ts';
import { clockOf, type Progress } from '../common/progress.ts';
import { type Attempt, createDelivery, type Delivery, type DeliveryDeps } from './delivery.ts';
import { type Document, type Documents, emptyReceiverState, type ReceiverState } from '../common/documents.ts';
import type { Muting, PendingMessages, SharedStart } from './pending.ts';
import { deliveriesTo, type Surprises, type Unsaved, withoutSurprises } from '../common/trouble.ts';

/** A receiver that fails this long, though not for good, is announced on the others. */
const FAILING_IS_NEWS_AFTER_MS = 5 * MINUTE;
/** Of the failures in a row the first are warnings, and later one of so many; the others are for debugging. */
const SAID_OF_ONE_OUTAGE = 20;
const SAID_EVERY = 100;
/** They may return: what was promised to them is kept for so long. */
const REMOVED_RECEIVER_WAITS_MS = 7 * DAY;
/** What the log names of several messages. */
const NAMED_MESSAGES = 2;

/** Ids of the promised messages that need not be sent any more. */
export function settledOf(
  { outbox }: { outbox: readonly Entry[] },
  { isSettled }: Pick<Deliveries, 'isSettled'>,
): ReadonlySet<string> {
  const promised = outbox.flatMap(messagesOf);
  return new Set(promised.flatMap((message) => (isSettled(message) ? [message.id] : [])));
}

interface Named {
  readonly name: string;
}

/** Options of a daemon that its deliveries need. */
export interface DeliveryOptions {
  pages: readonly Named[];
  accounts?: readonly Named[];
  /** Sources that other daemons of the installation watch. */
  among?: { others: readonly Named[] };
  receivers: readonly Receiver[];
  documents: Documents;
  history?: History;
  clock: Clock;
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
  unsaved: Unsaved;
  failing: Failing;
  /** Where another daemon tells it. */
  found: FoundTroubles | null;
  surprises: Surprises;
}

export interface Deliveries {
  /** By receiver. */
  readonly all: ReadonlyMap<string, Delivery>;
  readonly removed: RemovedReceivers;
  isSettled(message: Message): boolean;
  /** Settles what will never be sent. */
  giveUp(receiver: string, ids: readonly string[]): Promise<void>;
  /** These are being promised, to whom each of them says; nothing of them may be sent yet. */
  foresee(promised: readonly Message[]): void;
  /** There may be something new to send. */
  wake(): void;
  /** Takes up what is on disk of a receiver. */
  serve(receiver: Receiver): Promise<void>;
}

/** Empty at first: `serve` adds a receiver, and takes up what its document holds. */
export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { options, pending, sharedStart, muting, unsaved, failing, surprises } = deps;
  const { clock, random, log, observer = {} } = options;
  const all = new Map<string, Delivery>();
  const configured = new Set(options.receivers.map(({ name }) => name));
  const removed = createRemovedReceivers({
    pending,
    isConfigured: (name) => configured.has(name),
    document: options.documents.receiver,
    now: clock.now,
    unsaved: (receiver, error) =>
      log.error('what was given up for a removed receiver was not saved', { receiver, error }),
  });

  function attempted(attempt: Attempt): void {
    try {
      failing.attempted(attempt);
      observer.attempted?.(attempt);
    } catch (error) {
      // What has been sent must be settled whoever fails to hear of it, or it would be sent again.
      surprises.struck(deliveriesTo(attempt.receiver), error);
    }
  }

  async function serve(receiver: Receiver): Promise<void> {
    const { name, audience } = receiver;
    const document = await options.documents.receiver(name, emptyReceiverState());
    const delivery = createDelivery({
      receiver: withoutSurprises(receiver, deliveriesTo(name), surprises),
      document,
      clock: clockOf(deliveriesTo(name), options),
      random,
      promised: () => (audience === 'people' ? sharedStart.tellable(pending.to(name)) : pending.to(name)),
      isPromised: pending.holds,
      sources: [...options.pages, ...(options.accounts ?? []), ...(options.among?.others ?? [])].map(
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
    all,
    removed,
    isSettled: (message) => all.get(message.receiver)?.isSettled(message.id) ?? removed.isSettled(message),
    giveUp: (receiver, ids) => all.get(receiver)?.giveUp(ids) ?? removed.giveUp(receiver, ids),
    foresee(promised) {
      for (const [name, messages] of Map.groupBy(promised, ({ receiver }) => receiver)) {
        all.get(name)?.foresee(messages);
      }
    },
    wake() {
      for (const delivery of all.values()) delivery.wake();
    },
    serve,
  };
}

/** What is known, and told, of receivers that do not take what they are sent. */
export interface Troubles {
  isKnown(receiver: string): boolean;
  happened(news: ReceiverNews): void;
}

export interface FailingDeps {
  log: Log;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  troubles: Troubles;
}

export interface Failing {
  /** To be called after each attempt. */
  attempted(attempt: Attempt): void;
}

/** Tells of a receiver that refuses for good at once, and of one that fails for now after five minutes. */
export function createFailing({ log, clock, troubles }: FailingDeps): Failing {
  /** Since when each receiver fails, by the wall clock and by the monotonic one. */
  const began = new Map<string, { since: number; at: number }>();

  function attempted(attempt: Attempt): void {
    const { receiver, messages, outcome, durationMs } = attempt;
    const fields = { receiver, messages: messages.map(({ id }) => id), durationMs: Math.round(durationMs) };
    const what = (): string => sayMessages(messages);
    if (outcome.kind === 'delivered') {
      log.info('delivered', { ...fields, detail: outcome.detail }, () => `Told ${receiver}: ${what()}`);
    } else if (outcome.kind === 'transient') {
      const retryInMs = Math.round(attempt.retryInMs ?? 0);
      const say = (): string =>
        `Could not tell ${receiver} for now: ${outcome.reason}; again in ${span(retryInMs)}: ${what()}`;
      // One that is tried every few seconds says the same for hours.
      const { failures } = attempt;
      const level = failures <= SAID_OF_ONE_OUTAGE || failures % SAID_EVERY === 0 ? 'warn' : 'debug';
      log[level]('delivery failed for now', { ...fields, reason: outcome.reason, retryInMs }, say);
    } else {
      const say = (): string => `${receiver} refuses for good: ${outcome.reason}; it stays on disk: ${what()}`;
      log.error('delivery refused for good; it stays on disk', { ...fields, reason: outcome.reason }, say);
    }
    mind(attempt);
  }

  /** A receiver that does not take what it is sent is announced on the others, once, and so is its recovery. */
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

  /** A clock that is set moves no threshold; how long it failed before this process began only the wall clock knows. */
  function failsForMs(receiver: string, since: number): number {
    const known = began.get(receiver);
    const at = known?.since === since ? known.at : clock.monotonic() - Math.max(0, clock.now() - since);
    began.set(receiver, { since, at });
    return clock.monotonic() - at;
  }

  return { attempted };
}

/** Found here, and told by another daemon for all. */
export interface FoundTroubles extends Troubles {
  all(): readonly ReceiverTrouble[];
  /** What was known of a receiver when this daemon began. */
  takeUp(receiver: string, state: ReceiverState, now: number): void;
}

/** Keeps the troubles of receivers in memory only: `takeUp` finds them again after a restart. */
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
      const trouble = troubleOf(state);
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

export interface RemovedReceivers {
  /** Those for whom something waits. */
  all(): RemovedReceiver[];
  isSettled(message: Message): boolean;
  /** To be called at the start, and when promises of a source came up that nobody watches any more. */
  takeUp(): Promise<void>;
  /** Will never be sent, whether they return or not. */
  giveUp(receiver: string, ids: readonly string[]): Promise<void>;
}

export interface RemovedReceiversDeps {
  pending: PendingMessages;
  isConfigured(receiver: string): boolean;
  document(receiver: string, empty: ReceiverState): Promise<Document<ReceiverState>>;
  /** Epoch milliseconds. */
  now(): number;
  /** The disk refuses; what was given up is remembered until the end of the process. */
  unsaved(receiver: string, error: unknown): void;
}

/** Reads nothing by itself: before `takeUp` nothing counts as settled but for its age. */
export function createRemovedReceivers(deps: RemovedReceiversDeps): RemovedReceivers {
  const documents = new Map<string, Document<ReceiverState>>();
  const settled = new Set<string>();

  async function documentOf(receiver: string): Promise<Document<ReceiverState>> {
    const known = documents.get(receiver);
    if (known !== undefined) return known;
    const document = await deps.document(receiver, emptyReceiverState());
    documents.set(receiver, document);
    for (const id of document.value.settled) settled.add(id);
    return document;
  }

  function isSettled({ id, promisedAt }: Message): boolean {
    return settled.has(id) || deps.now() - promisedAt > REMOVED_RECEIVER_WAITS_MS;
  }

  const names = (): string[] => deps.pending.receivers().filter((name) => !deps.isConfigured(name));

  async function takeUp(): Promise<void> {
    for (const name of names()) await documentOf(name);
  }

  return {
    isSettled,
    takeUp,
    all: () =>
      names().flatMap((name) => {
        const waiting = deps.pending.to(name).filter((message) => !isSettled(message));
        const state = documents.get(name)?.value ?? emptyReceiverState();
        return waiting.length === 0 ? [] : [{ name, state, waiting }];
      }),
    async giveUp(receiver, ids) {
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
