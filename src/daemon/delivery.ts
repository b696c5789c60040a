/**
 * One receiver's deliveries: what is promised and not settled goes out in order, one sending at a time. A
 * sending that fails for now is repeated with growing rests for as long as it takes; one that is refused for
 * good is set aside on disk for the operator. Each receiver has a loop of its own: none waits for another.
 */
import { backoffMs } from '../outbox/backoff.ts';
import type { Message } from '../outbox/message.ts';
import { bundleOf, nextDue, nextSending, type Bundle, type Sending } from '../outbox/queue.ts';
import type { Outcome, Receiver } from '../receivers/receiver.ts';
import type { Clock } from './clock.ts';
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
  bundles: Bundle[];
  /** Recipients still to be reached, by message id. */
  remaining: Record<string, string[]>;
  /** Since when it fails, and why; null while it works. */
  failing: { since: number; reason: string; failures: number } | null;
}

export function emptyReceiverState(): ReceiverState {
  return { settled: [], refused: [], bundles: [], remaining: {}, failing: null };
}

/** What has waited longer than this is a backlog, and people get it coalesced. */
const BACKLOG_AFTER_MS = 60_000;

export interface DeliveryDeps {
  receiver: Receiver;
  document: Document<ReceiverState>;
  clock: Clock;
  random(): number;
  /** Every message promised to this receiver whose promise is on disk (or could not be put there), oldest first. */
  promised(): Message[];
  /** True while a committed outbox still holds the message: then its settlement must be remembered. */
  isPromised(id: string): boolean;
  /** Muted by a silence for now, or by one that has ended. */
  isHeld(message: Message): boolean;
  wasHeld(message: Message): boolean;
  attempted(attempt: Attempt): void;
  unsaved(error: unknown): void;
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
  waiting(): Message[];
  /** Those refused as well. */
  unsettled(): Message[];
  /** There may be something new to send; a rest after a failure goes on. */
  wake(): void;
  /** Takes a refused message up again, or everything that was refused, and tries what waits at once. */
  retry(id: string | null): Promise<number>;
  /** Gives a message up, whether it waits or was refused; without an id everything that was refused. */
  drop(id: string | null): Promise<number>;
  /** Sends until `stop` is aborted; a sending under way is cut short only by `abandon`. */
  run(stop: AbortSignal, abandon: AbortSignal): Promise<void>;
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { receiver, document, clock } = deps;
  let state = document.value;
  let settled = new Set(state.settled);
  let fresh = new AbortController();
  let nudge = new AbortController();
  let lastStart = -Infinity;

  function unsettled(): Message[] {
    return deps.promised().filter(({ id }) => !settled.has(id));
  }

  function waiting(): Message[] {
    const refused = new Set(state.refused.map(({ id }) => id));
    return unsettled().filter(({ id }) => !refused.has(id));
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

  async function commit(next: ReceiverState): Promise<void> {
    const known = next.settled.filter(deps.isPromised);
    const live = new Set(waiting().map(({ id }) => id));
    state = {
      ...next,
      settled: known,
      bundles: next.bundles.filter(({ of }) => of.some((id) => live.has(id) && !next.settled.includes(id))),
      refused: next.refused.filter(({ id }) => deps.isPromised(id)),
      remaining: Object.fromEntries(Object.entries(next.remaining).filter(([id]) => live.has(id))),
    };
    try {
      await document.commit(state);
    } catch (error) {
      deps.unsaved(error);
    }
  }

  /** Remembers in memory at once, so that a refusing disk does not make us send twice. */
  async function settle(ids: readonly string[]): Promise<void> {
    for (const id of ids) settled.add(id);
    await commit({ ...state, settled: [...state.settled, ...ids], failing: null });
    settled = new Set(state.settled.concat([...settled].filter(deps.isPromised)));
  }

  /** Resolves to the rest the receiver needs before the next try, in milliseconds. */
  async function send(sending: Sending, abandon: AbortSignal): Promise<number> {
    const bundle = bundleOf(sending);
    if (bundle !== null && !state.bundles.some(({ id }) => id === bundle.id)) {
      await commit({ ...state, bundles: [...state.bundles, bundle] });
    }
    const [first] = sending.messages;
    const only = first === undefined ? undefined : state.remaining[first.id];
    const started = clock.monotonic();
    lastStart = started;
    const outcome = await receiver.send(sending.messages, abandon, only);
    const durationMs = clock.monotonic() - started;
    const failures = outcome.kind === 'delivered' ? 0 : (state.failing?.failures ?? 0) + 1;
    const retryInMs = outcome.kind === 'transient' ? backoffMs(failures, outcome.retryAfterMs, deps.random()) : null;
    deps.attempted({ receiver: receiver.name, messages: sending.messages, outcome, failures, retryInMs, durationMs });
    if (outcome.kind === 'delivered') {
      await settle(sending.settles);
      return 0;
    }
    const failing = { since: state.failing?.since ?? clock.now(), reason: outcome.reason, failures };
    if (outcome.kind === 'permanent') {
      const refused = sending.settles.map((id) => ({ id, reason: outcome.reason, at: clock.now() }));
      await commit({ ...state, failing, refused: [...state.refused, ...refused] });
      return 0;
    }
    const remaining =
      first !== undefined && outcome.remaining !== undefined
        ? { ...state.remaining, [first.id]: [...outcome.remaining] }
        : state.remaining;
    await commit({ ...state, failing, remaining });
    return retryInMs ?? 0;
  }

  async function run(stop: AbortSignal, abandon: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const signal = AbortSignal.any([stop, fresh.signal]);
      const pending = waiting();
      const sending = nextSending(pending, {
        audience: receiver.audience,
        batch: receiver.batch,
        now: clock.now(),
        backlog: state.failing !== null || isLate(pending[0]),
        bundles: state.bundles,
        isHeld: deps.isHeld,
        wasHeld: deps.wasHeld,
      });
      if (sending === null) {
        const due = nextDue(pending, clock.now());
        await clock.sleep(due === null ? Infinity : due - clock.now(), signal);
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

  function isLate(message: Message | undefined): boolean {
    return message !== undefined && clock.now() - message.dueAt > BACKLOG_AFTER_MS;
  }

  return {
    receiver,
    get state() {
      return state;
    },
    isSettled: (id) => settled.has(id),
    waiting,
    unsettled,
    wake,
    async retry(id) {
      const taken = state.refused.filter((refusal) => id === null || refusal.id === id);
      await commit({ ...state, refused: state.refused.filter((refusal) => !taken.includes(refusal)) });
      hurry();
      return id === null ? waiting().length : waiting().filter((message) => message.id === id).length;
    },
    async drop(id) {
      const given = state.refused.map((refusal) => refusal.id);
      const dropped = id === null ? given : unsettled().flatMap((message) => (message.id === id ? [id] : []));
      for (const one of dropped) settled.add(one);
      await commit({
        ...state,
        settled: [...state.settled, ...dropped],
        refused: state.refused.filter((refusal) => !dropped.includes(refusal.id)),
      });
      return dropped.length;
    },
    run,
  };
}
