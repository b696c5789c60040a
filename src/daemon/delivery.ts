/**
 * One receiver's deliveries: what is promised and not settled goes out in order, one sending at a time. A
 * sending that fails for now is repeated with growing rests for as long as it takes; one that is refused for
 * good is set aside on disk for the operator. Each receiver has a loop of its own: none waits for another.
 */
import { backoffMs } from '../outbox/backoff.ts';
import type { Message } from '../outbox/message.ts';
import { bundleOf, nextDue, nextSending, type Bundle, type Sending } from '../outbox/queue.ts';
import type { Outcome, Receiver, RefusedFor } from '../receivers/receiver.ts';
import { waitFor, type Clock } from './clock.ts';
import { together } from './recipients.ts';
import type { Document } from './source-watch.ts';

/** A message the receiver refused for good. */
export interface Refusal {
  id: string;
  reason: string;
  at: number;
}

/** What is kept of one receiver. */
export interface ReceiverState {
  /** Delivered or dropped, and still promised in some committed outbox. */
  settled: string[];
  refused: Refusal[];
  /** For people: what is being sent, and what only some of its recipients have. */
  bundles: Bundle[];
  /** Recipients still to be reached, by the bundle's id. */
  remaining: Record<string, string[]>;
  /** Recipients who refuse it for good while others are still tried, by the bundle's id; absent in older documents. */
  refusedFor?: Record<string, RefusedFor>;
  /** Since when it fails, and why; null while it works. */
  failing: { since: number; reason: string; failures: number } | null;
}

export function emptyReceiverState(): ReceiverState {
  return { settled: [], refused: [], bundles: [], remaining: {}, failing: null };
}

/** What has waited longer than this is a backlog, and people get it coalesced. */
const BACKLOG_AFTER_MS = 5_000;

export interface DeliveryDeps {
  receiver: Receiver;
  document: Document<ReceiverState>;
  clock: Clock;
  random(): number;
  /** Every message promised to this receiver whose promise is on disk (or could not be put there), oldest first. */
  promised(): readonly Message[];
  /** True while a committed outbox still holds the message: then its settlement must be remembered. */
  isPromised(id: string): boolean;
  /** Every source that is watched. */
  sources: readonly string[];
  /** Muted by a silence for now, or by one that has ended. */
  isHeld(message: Message): boolean;
  wasHeld(message: Message): boolean;
  /** The silences for a part of it. */
  silenced(message: Message): NonNullable<Message['silenced']>;
  attempted(attempt: Attempt): void;
  /** The disk refused what is kept of this receiver, or takes it (again). */
  unsaved(error: unknown): void;
  saved(): void;
}

export interface Attempt {
  receiver: string;
  messages: readonly Message[];
  outcome: Outcome;
  /** Counts from 1 since the receiver last worked. */
  failures: number;
  retryInMs: number | null;
  durationMs: number;
}

export interface Delivery {
  readonly receiver: Receiver;
  readonly state: ReceiverState;
  isSettled(id: string): boolean;
  /** Messages not settled and not refused, oldest first. */
  waiting(): readonly Message[];
  /** Those refused as well. */
  unsettled(): readonly Message[];
  /** There may be something new to send; a rest after a failure goes on. */
  wake(): void;
  /** Takes a refused message up again, or everything that was refused, and tries what waits at once. */
  retry(id: string | null): Promise<number>;
  /** Gives a message up, whether it waits or was refused; without an id everything that was refused. */
  drop(id: string | null): Promise<number>;
  /** Settles what will never be sent. */
  giveUp(ids: readonly string[]): Promise<void>;
  /** Sends until `stop` is aborted; a sending under way is cut short only by `abandon`. */
  run(stop: AbortSignal, abandon: AbortSignal): Promise<void>;
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { receiver, document, clock } = deps;
  let state = document.value;
  const settled = new Set(state.settled);
  let refused = new Set(state.refused.map(({ id }) => id));
  /** What is left of the promises, made anew only when they or what became of them have changed. */
  let left: { of: readonly Message[]; unsettled: readonly Message[]; waiting: readonly Message[] } | null = null;
  /** The promises for which what was settled has been looked through. */
  let tidied: readonly Message[] | null = null;
  let fresh = new AbortController();
  let nudge = new AbortController();
  let lastStart = -Infinity;
  /** What was promised until then waited while the receiver failed. */
  let failedUntil = -Infinity;

  function lists(): NonNullable<typeof left> {
    const of = deps.promised();
    if (left?.of === of) return left;
    const open = of.filter(({ id }) => !settled.has(id));
    left = { of, unsettled: open, waiting: refused.size === 0 ? open : open.filter(({ id }) => !refused.has(id)) };
    return left;
  }

  function isOpen(id: string): boolean {
    return deps.isPromised(id) && !settled.has(id);
  }

  function wake(): void {
    fresh.abort();
    fresh = new AbortController();
  }

  /** The operator wants it tried at once: cuts a rest short. */
  function hurry(): void {
    nudge.abort();
    nudge = new AbortController();
    wake();
  }

  /** Takes effect in memory at once, so that a refusing disk does not make us send twice. */
  async function commit(next: Omit<ReceiverState, 'settled'>, delivered: readonly string[] = []): Promise<void> {
    for (const id of delivered) settled.add(id);
    const of = deps.promised();
    const changed = delivered.length > 0 || of !== tidied;
    if (of !== tidied) for (const id of settled) if (!deps.isPromised(id)) settled.delete(id);
    tidied = of;
    const refusals = next.refused.filter(({ id }) => isOpen(id));
    if (changed || next.refused !== state.refused) left = null;
    refused = new Set(refusals.map(({ id }) => id));
    const bundles = next.bundles.filter(({ of }) => of.some(isOpen));
    const known = new Set(bundles.map(({ id }) => id));
    state = {
      ...next,
      settled: changed ? [...settled] : state.settled,
      bundles,
      refused: refusals,
      remaining: Object.fromEntries(Object.entries(next.remaining).filter(([id]) => known.has(id))),
      refusedFor: Object.fromEntries(Object.entries(next.refusedFor ?? {}).filter(([id]) => known.has(id))),
    };
    try {
      await document.commit(state);
    } catch (error) {
      deps.unsaved(error);
      return;
    }
    deps.saved();
  }

  /** Resolves to the rest the receiver needs before the next try, in milliseconds. */
  async function send(sending: Sending, abandon: AbortSignal): Promise<number> {
    // What is in flight when the process is killed must go out again as it was, whatever has joined it meanwhile.
    const bundle = receiver.audience === 'people' ? bundleOf(sending) : null;
    if (bundle !== null && !state.bundles.some(({ id }) => id === bundle.id)) {
      await commit({ ...state, bundles: [...state.bundles, bundle] });
    }
    const only = bundle === null ? undefined : state.remaining[bundle.id];
    const started = clock.monotonic();
    lastStart = started;
    const earlier = bundle === null ? undefined : state.refusedFor?.[bundle.id];
    const outcome = together(await receiver.send(sending.messages.map(withSilences), abandon, only), only, earlier);
    const durationMs = clock.monotonic() - started;
    const remaining = outcome.kind === 'delivered' ? undefined : (outcome.remaining ?? only);
    const isPartial = outcome.kind === 'transient' && outcome.remaining !== undefined;
    // Cut short by ourselves: that says nothing of the receiver, and the next start sends it again as it is.
    if (abandon.aborted && outcome.kind === 'transient' && !isPartial) return 0;
    const failures = outcome.kind === 'delivered' ? 0 : (state.failing?.failures ?? 0) + 1;
    const retryInMs = outcome.kind === 'transient' ? backoffMs(failures, outcome.retryAfterMs, deps.random()) : null;
    deps.attempted({ receiver: receiver.name, messages: sending.messages, outcome, failures, retryInMs, durationMs });
    if (outcome.kind === 'delivered') {
      if (state.failing !== null) failedUntil = clock.now();
      await commit({ ...state, failing: null }, sending.settles);
      return 0;
    }
    const failing = { since: state.failing?.since ?? clock.now(), reason: outcome.reason, failures };
    const next = { ...state, failing };
    if (bundle !== null && remaining !== undefined) {
      next.remaining = { ...state.remaining, [bundle.id]: [...remaining] };
      const { [bundle.id]: _told, ...others } = state.refusedFor ?? {};
      const refused = outcome.kind === 'transient' ? outcome.refused : undefined;
      next.refusedFor = refused === undefined ? others : { ...others, [bundle.id]: refused };
    } else if (bundle !== null) {
      // Nobody has it: by the next try there may be newer news of the same alert, and that is what people want.
      next.bundles = state.bundles.filter(({ id }) => id !== bundle.id);
    }
    if (outcome.kind === 'permanent') {
      const refusals = sending.settles.map((id) => ({ id, reason: outcome.reason, at: clock.now() }));
      next.refused = [...state.refused, ...refusals];
    }
    await commit(next);
    return retryInMs ?? 0;
  }

  /** What is silenced of it is said as it stands when it goes out. */
  function withSilences(message: Message): Message {
    const silenced = receiver.audience === 'people' ? deps.silenced(message) : [];
    return silenced.length === 0 ? message : { ...message, silenced };
  }

  async function run(stop: AbortSignal, abandon: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const signal = AbortSignal.any([stop, fresh.signal]);
      const pending = lists().waiting;
      const sending = nextSending(pending, {
        audience: receiver.audience,
        batch: receiver.batch,
        now: clock.now(),
        backlog: state.failing !== null || isBacklog(pending[0]),
        bundles: state.bundles,
        sources: deps.sources,
        isHeld: deps.isHeld,
        wasHeld: deps.wasHeld,
      });
      if (sending === null) {
        await clock.sleep(waitFor(nextDue(pending, clock.now()), clock.now()), signal);
        continue;
      }
      const pause = (receiver.minIntervalMs ?? 0) - (clock.monotonic() - lastStart);
      if (pause > 0) {
        await clock.sleep(pause, stop);
        continue;
      }
      const restMs = await send(sending, abandon);
      if (restMs > 0) await clock.sleep(restMs, AbortSignal.any([stop, nudge.signal]));
    }
  }

  function isBacklog(oldest: Message | undefined): boolean {
    if (oldest === undefined) return false;
    return oldest.promisedAt <= failedUntil || clock.now() - oldest.dueAt > BACKLOG_AFTER_MS;
  }

  return {
    receiver,
    get state() {
      return state;
    },
    isSettled: (id) => settled.has(id),
    waiting: () => lists().waiting,
    unsettled: () => lists().unsettled,
    wake,
    async retry(id) {
      const taken = state.refused.filter((refusal) => id === null || refusal.id === id);
      await commit({ ...state, refused: state.refused.filter((refusal) => !taken.includes(refusal)) });
      hurry();
      const { waiting } = lists();
      return id === null ? waiting.length : waiting.filter((message) => message.id === id).length;
    },
    giveUp: (ids) => commit(state, ids),
    async drop(id) {
      const given = state.refused.map((refusal) => refusal.id);
      const dropped = id === null ? given : lists().unsettled.flatMap((message) => (message.id === id ? [id] : []));
      await commit(state, dropped);
      return dropped.length;
    },
    run,
  };
}
