/**
 * Delivery to one receiver: sends open messages, in order within each alert, one sending at a time. Transient failures
 * are retried with growing back-off without limit, for an alert at a time or, for mail, a recipient. Permanently
 * refused messages are kept on disk for the operator. Each receiver has its own loop and waits for no other.
 */
import { toDeliveryRecords, mergeUnrecorded } from '../../core/history/record.ts';
import { isSummary, type Message, createSending, findTopic } from '../../core/outbox/message.ts';
import { updateConversations, withConversation } from '../../core/outbox/conversation.ts';
import type { Proof } from '../../core/outbox/proof.ts';
import { createBudget } from '../../core/outbox/budget.ts';
import { createRetrySchedule, type RetrySchedule } from '../../core/outbox/retry-schedule.ts';
import { isRepetition, updateSentCounts } from '../../core/outbox/sent-counts.ts';
import { updateThreadSubjects } from '../../core/outbox/thread-subject.ts';
import { type Bundle, createBundle, findNextDue } from '../../core/outbox/queue.ts';
import { readProof, type DeliveryFailure, type Outcome, type Receiver } from '../../receivers/receiver.ts';
import { computeSleep, type Clock } from '../common/clock.ts';
import { createChoice, place, type NextSending } from './delivery-choice.ts';
import {
  createDeliveryLedger,
  type DeliveryLedger,
  settle,
  type LedgerDeps,
  type SettledSending,
  type WaitingMessages,
} from './delivery-ledger.ts';
import type { Muting } from './pending.ts';
import { findDeliveryTrouble } from '../../core/view/standing/receiver-standing.ts';
import type { AlertFacts } from '../../core/correlation/alert-facts.ts';
import type { SeenAlert } from '../../core/alert/shared-alert.ts';
import type { SourceOutage } from '../../core/alert/source-outage.ts';
import type { ReceiverState } from '../common/documents.ts';

export interface DeliveryDeps extends Omit<LedgerDeps, 'name' | 'recipients' | 'isStuck'> {
  receiver: Receiver;
  clock: Clock;
  random(): number;
  /** Names of all watched sources. */
  sources: readonly string[];
  /** Effect of the current silences on waiting messages. */
  muting: Pick<Muting, 'isSilenced' | 'heldMs' | 'parts'>;
  /** The current alert of a message, as its receiver may know it. */
  seen(message: Message): SeenAlert;
  /** Facts of that alert for programs; null for a message without an alert. */
  facts(message: Message): AlertFacts | null;
  /** All unreadable sources in its alert that its receiver covers; null for fewer than two. */
  outage(message: Message): SourceOutage | null;
  /** Called after each attempt once its result is settled. */
  attempted(attempt: Attempt): void;
}

export interface Attempt {
  receiver: string;
  messages: readonly Message[];
  outcome: Outcome;
  /** Null if it was refused. */
  proof: Proof | null;
  /** Consecutive failures, from 1, since the receiver last accepted something. */
  failures: number;
  retryInMs: number | null;
  /** Start of the current failure, full or partial, this attempt included; null without one. */
  troubledSince: number | null;
  durationMs: number;
}

export interface Delivery {
  readonly receiver: Receiver;
  readonly state: ReceiverState;
  /** Delivered, dropped or given up. */
  isSettled(id: string): boolean;
  /** Messages not settled and not refused, oldest first. */
  waiting(): readonly Message[];
  /** Those not settled, refused ones included. */
  unsettled(): readonly Message[];
  /**
   * Prepares for messages that are being enqueued; sends none of them yet. If one of them will be sent right after the
   * commit, its bundle is written to disk at the same time.
   */
  prepare(promised: readonly Message[]): void;
  /** There may be new messages to send; a back-off continues. */
  wake(): void;
  /** Retries one refused message, or all of them, and all waiting ones, at once. */
  retry(id: string | null): Promise<number>;
  /** Drops a message, waiting or refused; without an id all refused ones. */
  drop(id: string | null): Promise<number>;
  /** When it is tried again after a failure, in epoch milliseconds; null while it takes everything, and before the first try. */
  nextTryAt(): number | null;
  /** Deletes the values kept of these alerts, by their ids. */
  forget(alerts: readonly string[]): Promise<void>;
  /** Settles messages that will never be sent. */
  giveUp(ids: readonly string[]): Promise<void>;
  /** Sends until `stop` is aborted; only `abandon` interrupts a sending. */
  run(stop: AbortSignal, abandon: AbortSignal): Promise<void>;
}

/** Sends nothing before `run`, which may be called again after it rejected. */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { receiver, clock } = deps;
  const { name, recipients = [], minIntervalMs = 0, windows = [] } = receiver;
  const budget = createBudget(minIntervalMs, windows);
  const parking = createRetrySchedule(deps.random, receiver.audience === 'programs');
  const ledger = createDeliveryLedger({ ...deps, name, recipients, isStuck });
  const { commit } = ledger;
  let fresh = new AbortController();
  /** Messages enqueued until then waited while the receiver failed. */
  let [failedUntil, nextTryAt]: [number, number | null] = [-Infinity, null];
  const next = createChoice({ ...deps, ledger, parking, budget, failedUntil: () => failedUntil });

  function wake(): void {
    fresh.abort();
    fresh = new AbortController();
  }

  function prepare(promised: readonly Message[]): void {
    const [message] = promised;
    if (message === undefined || promised.length > 1 || receiver.audience !== 'people' || isSummary(message)) return;
    const isBusy = ledger.waiting().all.length > 0 || budget.pauseMs(clock.monotonic()) > 0;
    if (isBusy || message.dueAt > clock.now() || deps.muting.isSilenced(message, clock.now())) return;
    const bundle = createBundle(createSending(promised, promised));
    if (bundle !== null) ledger.prepare(bundle);
  }

  /** True if a message that failed before still waits; dropped ones do not count. */
  function isStuck({ all, behind }: WaitingMessages): boolean {
    const waiting = new Set([...all.map(findTopic), ...[...behind.keys()].map(place)]);
    parking.keep((key) => waiting.has(key));
    return !parking.isEmpty() || behind.size > 0;
  }

  async function send({ sending, to, leads = false }: NextSending, abandon: AbortSignal): Promise<void> {
    const bundle = receiver.audience === 'people' ? createBundle(sending) : null;
    const going = sending.messages.map(asItGoesOut(deps, ledger));
    if (to === null && going.every((message) => isRepetition(message, ledger.state.said))) {
      return commit(withoutBundle(ledger.state, bundle), sending.settles);
    }
    // After a kill, a sending in flight is repeated unchanged, whatever was enqueued meanwhile.
    if (bundle !== null) await ledger.remember(to === null ? bundle : { ...bundle, to });
    const { behind } = ledger.waiting();
    const sentTo = to === null ? recipients.filter((recipient) => !behind.has(recipient)) : [to];
    const started = clock.monotonic();
    budget.spend(started);
    const isAll = sentTo.length === recipients.length;
    const outcome = await receiver.send(going, abandon, isAll ? undefined : sentTo);
    const ended = clock.monotonic();
    const now = clock.now();
    const later = to === null ? [...behind.keys()] : null;
    const result = settle(ledger.state, { ids: sending.settles, sentTo, behind: later, outcome, at: now });
    // Interrupted by us: no evidence about the receiver. The next start repeats the sending unchanged.
    if (abandon.aborted && outcome.kind === 'transient' && !result.taken) return;
    const retryInMs = park(parking, receiver.audience, { sending, to, leads }, outcome, result, ended);
    nextTryAt = retryInMs === null ? null : now + retryInMs;
    if (result.taken && ledger.state.failing !== null) failedUntil = now;
    const failures = result.taken ? 0 : (ledger.state.failing?.failures ?? 0) + 1;
    // No recipient has it, so the next try may combine it with newer changes of the same alert.
    const bundles = ledger.state.bundles.filter(({ id, to: other = null }) => id !== bundle?.id || other !== to);
    const next = { ...ledger.state, ...result, bundles: outcome.kind === 'permanent' ? ledger.state.bundles : bundles };
    const proof = outcome.kind === 'delivered' ? readProof(receiver, outcome) : null;
    const standing = standingAfter(ledger.state, outcome, result, { to, failures, now, proof });
    const went = { at: now, receiver: name, outcome, failures, recipients: sentTo };
    const threads = result.taken ? threadsOf(going, ledger, receiver, outcome) : {};
    const unrecorded = unrecordedOf(ledger.state, sending.messages, went, deps.history);
    await commit({ ...next, ...standing, ...threads, ...unrecorded }, result.settled);
    const troubledSince = findDeliveryTrouble(ledger.state)?.since ?? null;
    const [{ messages }, durationMs] = [sending, ended - started];
    deps.attempted({ receiver: name, messages, outcome, proof, failures, retryInMs, troubledSince, durationMs });
  }

  async function run(stop: AbortSignal, abandon: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const signal = AbortSignal.any([stop, fresh.signal]);
      const moment = { now: clock.now(), at: clock.monotonic() };
      parking.urge(isCriticalWaiting(deps, ledger.waiting().all, moment.now));
      const found = next(moment);
      if (found === null) {
        const { now, at } = moment;
        const wait = computeSleep(findNextDue(ledger.waiting().shared, now), now);
        await clock.sleep(Math.min(wait, (parking.nextAt(at) ?? Infinity) - at), signal);
        continue;
      }
      const pause = budget.pauseMs(moment.at);
      if (pause > 0) await clock.sleep(pause, stop);
      else await send(found, abandon);
    }
  }

  return {
    receiver,
    get state() {
      return ledger.state;
    },
    isSettled: ledger.isSettled,
    waiting: () => ledger.waiting().all,
    nextTryAt: () => nextTryAt,
    unsettled: ledger.unsettled,
    prepare,
    wake,
    async retry(id) {
      const taken = ledger.state.refused.filter((refusal) => id === null || refusal.id === id);
      await commit({ ...ledger.state, refused: ledger.state.refused.filter((refusal) => !taken.includes(refusal)) });
      // Ends the back-off.
      parking.retryNow();
      wake();
      const waiting = ledger.waiting().all;
      return id === null ? waiting.length : waiting.filter((message) => message.id === id).length;
    },
    forget: (alerts) => commit(withoutConversations(ledger.state, alerts)),
    giveUp: (ids) => commit(ledger.state, ids),
    async drop(id) {
      const given = ledger.state.refused.map((refusal) => refusal.id);
      const dropped = id === null ? given : ledger.unsettled().flatMap((message) => (message.id === id ? [id] : []));
      await commit(ledger.state, dropped);
      return dropped.length;
    },
    run,
  };
}

/** True if a critical message for people waits without a silence. */
function isCriticalWaiting({ receiver, muting }: DeliveryDeps, waiting: readonly Message[], now: number): boolean {
  if (receiver.audience !== 'people') return false;
  return waiting.some(
    (message) => message.alert.severity === 'critical' && message.dueAt <= now && !muting.isSilenced(message, now),
  );
}

/** Applies current silences and the current state of the alert at the time of sending. */
function asItGoesOut(
  { receiver, muting, seen, facts, clock }: DeliveryDeps,
  { state }: DeliveryLedger,
): (message: Message) => Message {
  return (message) => {
    if (receiver.audience !== 'people') {
      const known = facts(message);
      return known === null ? message : { ...message, facts: known };
    }
    const silenced = muting.parts(message, clock.now());
    const going = { ...message, ...(silenced.length > 0 && { silenced }), seen: seen(message) };
    return withConversation(going, state.conversations);
  };
}

function withoutBundle(state: ReceiverState, bundle: Bundle | null): ReceiverState {
  return { ...state, bundles: state.bundles.filter(({ id }) => id !== bundle?.id) };
}

function withoutConversations(state: ReceiverState, alerts: readonly string[]): ReceiverState {
  const conversations = state.conversations?.filter(({ alert }) => !alerts.includes(alert));
  return { ...state, ...(conversations !== undefined && { conversations }) };
}

/** State of threads to keep. A failed try opened none, so the next one may use another title. */
function threadsOf(
  sent: readonly Message[],
  ledger: DeliveryLedger,
  { audience }: Receiver,
  outcome: Outcome,
): Pick<ReceiverState, 'subjects' | 'said' | 'conversations'> {
  if (audience !== 'people') return {};
  const { state } = ledger;
  const subjects = updateThreadSubjects(state.subjects ?? [], sent, ledger.unsettled());
  const said = updateSentCounts(state.said ?? [], sent);
  const keep = outcome.kind === 'delivered' ? outcome.keep : undefined;
  const conversations = updateConversations(state.conversations ?? [], sent, keep);
  return {
    ...(subjects.length > 0 && { subjects }),
    ...((state.said !== undefined || said.length > 0) && { said }),
    ...((state.conversations !== undefined || conversations.length > 0) && { conversations }),
  };
}

/** An attempt with its result. */
interface Went extends Pick<Attempt, 'receiver' | 'outcome' | 'failures'> {
  at: number;
  recipients: readonly string[];
}

/** Records not yet in the history. Of consecutive failures only the first is recorded. */
function unrecordedOf(
  state: ReceiverState,
  messages: readonly Message[],
  { at, receiver, outcome, failures, recipients }: Went,
  history: DeliveryDeps['history'],
): Pick<ReceiverState, 'unrecorded'> {
  if (history === undefined) return {};
  const detail = outcome.kind === 'delivered' ? outcome.detail : outcome.reason;
  const repeats = outcome.kind === 'transient' && failures > 1;
  const added = repeats ? [] : toDeliveryRecords(messages, { at, receiver, outcome: outcome.kind, detail, recipients });
  return { unrecorded: mergeUnrecorded(state.unrecorded, added, ({ id }) => history.isRecorded(id)) };
}

/** Failures without an answer of the server. One that is slow to answer has been reached. */
const UNREACHED: readonly DeliveryFailure[] = ['connection', 'name'];

/**
 * Schedules retries for the recipients that failed. Resolves to the milliseconds until the next try; null if none is
 * needed.
 */
function park(
  parking: RetrySchedule,
  audience: Receiver['audience'],
  { sending, to, leads = false }: NextSending,
  outcome: Outcome,
  { taken, lacking }: SettledSending,
  at: number,
): number | null {
  const keys = to === null ? sending.topics : [place(to)];
  if (taken) parking.delivered(keys);
  if (outcome.kind !== 'transient') return null;
  parking.reach(!UNREACHED.includes(outcome.code));
  if (lacking.length > 0) return parking.lacked(lacking.map(place), at);
  // A program that refuses several alerts at once does not say which of them it refuses.
  const isMixed = audience === 'programs' && sending.topics.length > 1;
  if (isMixed) return parking.split(at, outcome.retryAfterMs);
  return parking.failed(keys, at, outcome.retryAfterMs, leads);
}

/** Failure of the whole receiver, partial failure, and last delivery. */
function standingAfter(
  state: ReceiverState,
  outcome: Outcome,
  { taken, lacking }: SettledSending,
  { to, failures, now, proof }: { to: string | null; failures: number; now: number; proof: Proof | null },
): Pick<ReceiverState, 'failing' | 'stuck' | 'last'> {
  const last = proof === null ? {} : { last: { proof, at: now } };
  if (outcome.kind === 'delivered') return { failing: null, stuck: state.stuck, ...last };
  const { reason } = outcome;
  const ofOne = lacking.length > 0 || (to !== null && outcome.kind === 'permanent');
  const failing = ofOne ? state.failing : { since: state.failing?.since ?? now, reason, failures };
  const stuck = outcome.kind === 'transient' ? { since: state.stuck?.since ?? now, reason } : state.stuck;
  return { failing: taken ? null : failing, stuck };
}
