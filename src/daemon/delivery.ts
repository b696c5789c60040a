/**
 * One receiver's deliveries: what is promised and not settled goes out, in order within each alert, one sending at a
 * time. What fails for now is parked and repeated with growing rests for as long as it takes, an alert at a time or,
 * for mail, a recipient; what is refused for good is set aside on disk for the operator. Each receiver has a loop of
 * its own: none waits for another.
 */
import type { Message } from '../outbox/message.ts';
import { createParking } from '../outbox/parking.ts';
import { bundleOf, nextDue, nextSending, topic, type Sending } from '../outbox/queue.ts';
import type { Outcome, Receiver } from '../receivers/receiver.ts';
import { waitFor, type Clock } from './clock.ts';
import { troubleOf, type ReceiverState } from './receiver-state.ts';
import { settle, waitingFor, type Settled, type Waiting } from './recipients.ts';
import type { Document } from './source-watch.ts';

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
  /** Counts from 1 since the receiver last took something. */
  failures: number;
  retryInMs: number | null;
  /** Since when it does not take everything, this included; null while it does. */
  troubledSince: number | null;
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
  /** Offers what is kept of it to the disk again. */
  save(): Promise<void>;
  /** Settles what will never be sent. */
  giveUp(ids: readonly string[]): Promise<void>;
  /** Sends until `stop` is aborted; a sending under way is cut short only by `abandon`. */
  run(stop: AbortSignal, abandon: AbortSignal): Promise<void>;
}

/** What one recipient is behind with, and what nobody has yet, is sent by the same rules. */
interface Next {
  sending: Sending;
  /** The one recipient it is for; null for all who are not behind. */
  to: string | null;
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { receiver, document, clock } = deps;
  const recipients = receiver.recipients ?? [];
  const parking = createParking(deps.random);
  let state = ofRecipients(document.value, recipients);
  const settled = new Set(state.settled);
  /** What is left of the promises, made anew only when they or what became of them have changed. */
  let left: { of: readonly Message[]; unsettled: readonly Message[]; waiting: Waiting } | null = null;
  /** The promises for which what was settled has been looked through. */
  let tidied: readonly Message[] | null = null;
  let fresh = new AbortController();
  let lastStart = -Infinity;
  /** What was promised until then waited while the receiver failed. */
  let failedUntil = -Infinity;

  function lists(): NonNullable<typeof left> {
    const of = deps.promised();
    if (left?.of === of) return left;
    const unsettled = of.filter(({ id }) => !settled.has(id));
    left = { of, unsettled, waiting: waitingFor(unsettled, state) };
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
    parking.hurry();
    wake();
  }

  /** Takes effect in memory at once, so that a refusing disk does not make us send twice. */
  async function commit(next: Omit<ReceiverState, 'settled'>, delivered: readonly string[] = []): Promise<void> {
    for (const id of delivered) settled.add(id);
    const of = deps.promised();
    const changed = delivered.length > 0 || of !== tidied;
    if (of !== tidied) for (const id of settled) if (!deps.isPromised(id)) settled.delete(id);
    tidied = of;
    if (changed || next.refused !== state.refused || next.owed !== state.owed) left = null;
    state = {
      ...next,
      settled: changed ? [...settled] : state.settled,
      bundles: next.bundles.filter((bundle) => bundle.of.some(isOpen)),
      refused: next.refused.filter(({ id }) => isOpen(id)),
      owed: Object.fromEntries(
        Object.entries(next.owed).flatMap(([recipient, ids]) => {
          const open = ids.filter(isOpen);
          return open.length === 0 ? [] : [[recipient, open]];
        }),
      ),
      stuck: next.stuck,
    };
    if (state.stuck !== null && !isStuck()) state = { ...state, stuck: null };
    try {
      await document.commit(state);
    } catch (error) {
      deps.unsaved(error);
      return;
    }
    deps.saved();
  }

  /** Something waits that failed before; what was dropped or given up meanwhile does not. */
  function isStuck(): boolean {
    const { all, behind } = lists().waiting;
    const waiting = new Set([...all.map(topic), ...[...behind.keys()].map(place)]);
    parking.keep((key) => waiting.has(key));
    return !parking.isEmpty() || behind.size > 0;
  }

  /** What may go out now: what never failed before what did. */
  function next(): Next | null {
    const at = clock.monotonic();
    const { shared, behind } = lists().waiting;
    const canShare = recipients.length === 0 || recipients.some((recipient) => !behind.has(recipient));
    const ofShared = (isTurn: (key: string) => boolean): Next | null =>
      canShare ? chosen(shared, null, isTurn) : null;
    if (parking.isOpen(at)) {
      const found = ofShared((key) => !parking.isParked(key));
      if (found !== null) return found;
      for (const [recipient, queue] of behind) {
        const own = parking.isParked(place(recipient)) ? null : chosen(queue, recipient, () => true);
        if (own !== null) return own;
      }
    }
    const due = parking.due(at);
    if (due.length === 0) return null;
    // What is silenced is left out at once: thousands of alerts may be parked.
    const open = new Set(shared.flatMap((message) => (deps.isHeld(message) ? [] : [topic(message)])));
    for (const key of due) {
      const [recipient, queue] = [...behind].find(([each]) => place(each) === key) ?? [];
      const isOne = recipient !== undefined && queue !== undefined;
      if (!isOne && !open.has(key)) continue;
      const found = isOne ? chosen(queue, recipient, () => true) : ofShared((each) => each === key);
      if (found !== null) return found;
    }
    return null;
  }

  function chosen(queue: readonly Message[], to: string | null, isTurn: (key: string) => boolean): Next | null {
    const sending = nextSending(queue, {
      audience: receiver.audience,
      batch: receiver.batch,
      alerts: parking.most(),
      folds: receiver.ringsUntilTheEnd !== true,
      now: clock.now(),
      bundles: state.bundles.filter((bundle) => (bundle.to ?? null) === to),
      sources: deps.sources,
      isHeld: deps.isHeld,
      wasHeld: deps.wasHeld,
      isTurn: (message) => isTurn(topic(message)),
      isBacklog: (message) => to !== null || isBacklog(message),
    });
    if (sending === null) return null;
    const messages = sending.messages.map((message) =>
      outlived(message) ? { ...message, receiverFailed: true } : message,
    );
    return { sending: { ...sending, messages }, to };
  }

  function isBacklog(message: Message): boolean {
    return outlived(message) || parking.isParked(topic(message)) || clock.now() - message.dueAt > BACKLOG_AFTER_MS;
  }

  /** It was promised before the receiver worked again. */
  function outlived({ promisedAt }: Message): boolean {
    return state.failing !== null || promisedAt <= failedUntil;
  }

  async function send({ sending, to }: Next, abandon: AbortSignal): Promise<void> {
    // What is in flight when the process is killed must go out again as it was, whatever has joined it meanwhile.
    const bundle = receiver.audience === 'people' ? bundleOf(sending) : null;
    if (bundle !== null && !state.bundles.some(({ id, to: other = null }) => id === bundle.id && other === to)) {
      await commit({ ...state, bundles: [...state.bundles, to === null ? bundle : { ...bundle, to }] });
    }
    const { behind } = lists().waiting;
    const sentTo = to === null ? recipients.filter((recipient) => !behind.has(recipient)) : [to];
    const started = clock.monotonic();
    lastStart = started;
    const isAll = sentTo.length === recipients.length;
    const outcome = await receiver.send(sending.messages.map(withSilences), abandon, isAll ? undefined : sentTo);
    const ended = clock.monotonic();
    const now = clock.now();
    const later = to === null ? [...behind.keys()] : null;
    const result = settle(state, { ids: sending.settles, sentTo, behind: later, outcome, at: now });
    // Cut short by ourselves: that says nothing of the receiver, and the next start sends it again as it is.
    if (abandon.aborted && outcome.kind === 'transient' && !result.taken) return;
    const retryInMs = park({ sending, to }, outcome, result, ended);
    if (result.taken && state.failing !== null) failedUntil = now;
    const failures = result.taken ? 0 : (state.failing?.failures ?? 0) + 1;
    // Nobody has it: by the next try there may be newer news of the same alert, and that is what people want.
    const bundles = state.bundles.filter(({ id, to: other = null }) => id !== bundle?.id || other !== to);
    const next = { ...state, ...result, bundles: outcome.kind === 'permanent' ? state.bundles : bundles };
    await commit({ ...next, ...troubleAfter(outcome, result, { to, failures, now }) }, result.settled);
    const { name } = receiver;
    const troubledSince = troubleOf(state)?.since ?? null;
    const durationMs = ended - started;
    const { messages } = sending;
    deps.attempted({ receiver: name, messages, outcome, failures, retryInMs, troubledSince, durationMs });
  }

  /** Leaves alone who did not take it. Resolves to the rest until the next try, in milliseconds; null where none is needed. */
  function park({ sending, to }: Next, outcome: Outcome, { taken, lacking }: Settled, at: number): number | null {
    const keys = to === null ? sending.topics : [place(to)];
    if (taken) parking.delivered(keys);
    if (outcome.kind !== 'transient') return null;
    if (lacking.length > 0) return parking.lacked(lacking.map(place), at);
    // Which of several alerts a program does not take, it does not say.
    const isMixed = receiver.audience === 'programs' && sending.topics.length > 1;
    return isMixed ? parking.split(at, outcome.retryAfterMs) : parking.failed(keys, at, outcome.retryAfterMs);
  }

  function troubleAfter(
    outcome: Outcome,
    { taken, lacking }: Settled,
    { to, failures, now }: { to: string | null; failures: number; now: number },
  ): Pick<ReceiverState, 'failing' | 'stuck'> {
    if (outcome.kind === 'delivered') return { failing: null, stuck: state.stuck };
    const { reason } = outcome;
    const ofOne = lacking.length > 0 || (to !== null && outcome.kind === 'permanent');
    const failing = ofOne ? state.failing : { since: state.failing?.since ?? now, reason, failures };
    const stuck = outcome.kind === 'transient' ? { since: state.stuck?.since ?? now, reason } : state.stuck;
    return { failing: taken ? null : failing, stuck };
  }

  /** What is silenced of it is said as it stands when it goes out. */
  function withSilences(message: Message): Message {
    const silenced = receiver.audience === 'people' ? deps.silenced(message) : [];
    return silenced.length === 0 ? message : { ...message, silenced };
  }

  async function run(stop: AbortSignal, abandon: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const signal = AbortSignal.any([stop, fresh.signal]);
      const found = next();
      if (found === null) {
        const at = clock.monotonic();
        const wait = waitFor(nextDue(lists().waiting.shared, clock.now()), clock.now());
        await clock.sleep(Math.min(wait, (parking.nextAt(at) ?? Infinity) - at), signal);
        continue;
      }
      const pause = (receiver.minIntervalMs ?? 0) - (clock.monotonic() - lastStart);
      if (pause > 0) await clock.sleep(pause, stop);
      else await send(found, abandon);
    }
  }

  return {
    receiver,
    get state() {
      return state;
    },
    isSettled: (id) => settled.has(id),
    waiting: () => lists().waiting.all,
    unsettled: () => lists().unsettled,
    wake,
    async retry(id) {
      const taken = state.refused.filter((refusal) => id === null || refusal.id === id);
      await commit({ ...state, refused: state.refused.filter((refusal) => !taken.includes(refusal)) });
      hurry();
      const waiting = lists().waiting.all;
      return id === null ? waiting.length : waiting.filter((message) => message.id === id).length;
    },
    save: () => commit(state),
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

/** How a recipient is known where alerts are parked as well. */
function place(recipient: string): string {
  return `to ${recipient}`;
}

/** Nobody waits for a recipient who is not configured any more. */
function ofRecipients(state: ReceiverState, recipients: readonly string[]): ReceiverState {
  const owed = Object.entries(state.owed);
  const kept = owed.filter(([recipient]) => recipients.includes(recipient));
  if (kept.length === owed.length) return state;
  const still = new Set(kept.flatMap(([, ids]) => ids));
  const settled = owed.flatMap(([, ids]) => ids.filter((id) => !still.has(id)));
  return { ...state, owed: Object.fromEntries(kept), settled: [...new Set([...state.settled, ...settled])] };
}
