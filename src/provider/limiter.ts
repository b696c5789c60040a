/**
 * Rate limiter of one origin: at most N requests in any rolling second.
 *
 * Each attempt occupies one of N slots until 1005 ms after its response. Two requests of a slot therefore arrive more
 * than a second apart, and N + 1 arrivals within a second would need N + 1 slots. This holds for retries, slow
 * responses and a stalled event loop, unlike a reservoir or a minimum distance. The 5 ms allow for timers that fire
 * early.
 *
 * Also the backoff after a 429.
 */
import { formatElapsed } from '../core/wording/time.ts';
import Bottleneck from 'bottleneck';
import { readRetryAfter } from '../net/retry-after.ts';
import { ProviderError } from './errors.ts';
import type { Ask, Reply } from './transport.ts';

const URGENCIES = ['urgent', 'normal', 'background'] as const;
export type Urgency = (typeof URGENCIES)[number];

const PRIORITY: Readonly<Record<Urgency, number>> = { urgent: 1, normal: 5, background: 8 };
/** Ahead of all requests. */
const PRIORITY_OF_HELD = 0;
const SLACK_MS = 5;
/** Backoff after a 429 without Retry-After. */
const UNNAMED_WAIT_MS = 1000;
/** A cancelled request may still arrive this much later. */
const LATE_MS = 200;

export interface Passage {
  urgency?: Urgency;
  /** Cancels a queued attempt; a running one must handle the signal itself. */
  signal?: AbortSignal | undefined;
}

export interface Limiter {
  /** Runs the attempt when a slot is free and settles like it. Rejects with the signal's reason if cancelled. */
  run<T>(attempt: () => Promise<T>, passage?: Passage): Promise<T>;
  /** Number of queued attempts. */
  waiting(): number;
}

export interface LimiterOptions {
  /** Above 0. Values from 1 are rounded down; below 1, one request every 1/n seconds. */
  requestsPerSecond: number;
  /** Length of the window; shorter in tests. */
  windowMs?: number;
  /** Occupied slots at the start, in milliseconds: requests of a previous client. */
  held?: readonly number[];
}

/** Another limiter can take over with what is left. */
export interface SlotLimiter extends Limiter {
  /** Milliseconds until each occupied slot is free. */
  held(): number[];
}

/** A slot held after its response. */
interface Hold {
  /** Monotonic. */
  end: number;
  timer: NodeJS.Timeout | null;
}

interface QueuedAttempt<T> extends Pick<PromiseWithResolvers<T>, 'resolve' | 'reject'> {
  attempt: () => Promise<T>;
  signal: AbortSignal | undefined;
}

/** Throws a `RangeError` unless the rate is finite and above 0. */
export function createLimiter({ requestsPerSecond, windowMs = 1000, held = [] }: LimiterOptions): SlotLimiter {
  if (!(requestsPerSecond > 0) || !Number.isFinite(requestsPerSecond)) {
    throw new RangeError(`requests per second must be a number above 0, not ${requestsPerSecond}`);
  }
  const slots = Math.max(1, Math.floor(requestsPerSecond));
  const holdMs = (requestsPerSecond < 1 ? windowMs / requestsPerSecond : windowMs) + SLACK_MS;
  const limiter = new Bottleneck({ maxConcurrent: slots });
  leaveOutWhatIsUnused(limiter);
  const holds = new Set<Hold>();
  let waiting = 0;
  let underWay = 0;

  function setWaiting(count: number): void {
    const wasIdle = waiting === 0;
    waiting = count;
    if ((count === 0) === wasIdle) return;
    // Held slots keep the process alive only while attempts are queued.
    for (const { timer } of holds) {
      if (wasIdle) timer?.ref();
      else timer?.unref();
    }
  }

  function createHold(ms: number): Hold {
    const one: Hold = { end: performance.now() + ms, timer: null };
    holds.add(one);
    return one;
  }

  async function waitFor(one: Hold): Promise<void> {
    for (let left = one.end - performance.now(); left > 0; left = one.end - performance.now()) {
      await new Promise<void>((resolve) => {
        one.timer = setTimeout(resolve, Math.ceil(left));
        if (waiting === 0) one.timer.unref();
      });
    }
    holds.delete(one);
  }

  /** Returns for how long its slot is held from now on. */
  async function settle<T>({ attempt, signal, resolve, reject }: QueuedAttempt<T>): Promise<number> {
    underWay += 1;
    let lateMs = 0;
    try {
      resolve(await attempt());
    } catch (error) {
      if (signal?.aborted) lateMs = LATE_MS;
      reject(error);
    }
    underWay -= 1;
    return holdMs + lateMs;
  }

  function run<T>(attempt: () => Promise<T>, { urgency = 'normal', signal }: Passage = {}): Promise<T> {
    if (signal?.aborted) return Promise.reject(reasonOf(signal));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // Null once it has begun or is cancelled: Bottleneck keeps a job for as long as its slot, and nothing of the request
    // is to outlive its response with it. So no function below may use another variable of this one.
    let queued: QueuedAttempt<T> | null = { attempt, signal, resolve, reject };
    const take = (): QueuedAttempt<T> | null => {
      const taken = queued;
      queued = null;
      if (taken === null) return null;
      taken.signal?.removeEventListener('abort', cancel);
      setWaiting(waiting - 1);
      return taken;
    };
    const cancel = (): void => {
      const cancelled = take();
      cancelled?.reject(reasonOf(cancelled.signal));
    };
    const occupySlot = (): Promise<void> => {
      const begun = take();
      return begun === null ? Promise.resolve() : settle(begun).then((ms) => waitFor(createHold(ms)));
    };
    signal?.addEventListener('abort', cancel, { once: true });
    setWaiting(waiting + 1);
    limiter.schedule({ priority: PRIORITY[urgency] }, occupySlot).catch((error: unknown) => take()?.reject(error));
    return promise;
  }

  for (const one of held.map(createHold)) void limiter.schedule({ priority: PRIORITY_OF_HELD }, () => waitFor(one));
  return {
    run,
    waiting: () => waiting,
    held() {
      const now = performance.now();
      const all = [...holds].flatMap(({ end }) => (end > now ? [Math.ceil(end - now)] : []));
      return [...all, ...Array.from({ length: underWay }, () => holdMs)];
    },
  };
}

/** Combines limiters, such as a source's own rate and that of its origin. */
export function chainLimiters(first: Limiter, ...others: Limiter[]): Limiter {
  return others.reduce<Limiter>(
    (outer, inner) => ({
      run: (attempt, passage) => outer.run(() => inner.run(attempt, passage), passage),
      waiting: () => outer.waiting() + inner.waiting(),
    }),
    first,
  );
}

/**
 * Uses only the slots and the queue of Bottleneck, whose version is pinned.
 *
 * - It stores the wall time of the last job as earliest time of the next, even without `minTime`: after a backward
 *   clock step of an hour it would sleep for an hour. The time is pinned to the past.
 * - It emits a dozen events per job without listeners, and waits for three timers per job so that an in-memory store
 *   behaves like a remote one. Without both, a job takes 250 µs less and starts 3 ms earlier.
 */
function leaveOutWhatIsUnused(limiter: object): void {
  const store: unknown = Reflect.get(limiter, '_store');
  const queues: unknown = Reflect.get(limiter, '_queues');
  const events: readonly unknown[] = [limiter, queues].map((each) => (has(each, 'Events') ? each.Events : null));
  if (!has(store, '_nextRequest', 'yieldLoop') || !events.every((each) => has(each, 'trigger'))) {
    throw new Error(
      'this version of bottleneck is made in another way: check how it behaves when the clock steps back, and what a job costs',
    );
  }
  const ignored = (): void => {};
  Object.defineProperty(store, '_nextRequest', { get: () => 0, set: ignored });
  Object.defineProperty(store, 'yieldLoop', { value: ignored });
  for (const each of events) Object.defineProperty(each, 'trigger', { value: ignored });
}

function has<Name extends string>(part: unknown, ...names: readonly Name[]): part is Record<Name, unknown> {
  return typeof part === 'object' && part !== null && names.every((name) => name in part);
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('released before it was sent');
}

export interface BackoffClocks {
  /** Epoch milliseconds, reference of dates in Retry-After; default: the system's. */
  wallClock?: () => number;
  /** Monotonic milliseconds; default: the system's. */
  monotonic?: () => number;
  /** Also honours Retry-After of other failures, such as 503. */
  obeysAll?: boolean;
}

/** A 429 starts a backoff; with `obeysAll` any response with Retry-After does. Times are monotonic. */
export function createBackoff({
  wallClock = Date.now,
  monotonic = () => performance.now(),
  obeysAll = false,
}: BackoffClocks) {
  let quietUntil = 0;

  /** Milliseconds left of the backoff; 0 if none. */
  function waitMs(): number {
    return Math.max(0, Math.ceil(quietUntil - monotonic()));
  }

  return {
    waitMs,
    /** Throws during a backoff, so that the rest of a sweep fails at once. */
    refuse(ask: Ask) {
      const retryAfterMs = waitMs();
      if (retryAfterMs === 0) return;
      const words = `which wants to be asked again in ${formatElapsed(retryAfterMs)}`;
      throw new ProviderError('rate_limited', ask, ({ it }) => `not sent to ${it}, ${words}`, {
        retryAfterMs,
        maybeSeen: false,
      });
    },
    /** Records a failed response; returns the requested wait in milliseconds, null if none was given. */
    note(reply: Reply) {
      const retryAfterMs = readRetryAfter({
        value: reply.header('retry-after'),
        sent: reply.header('date'),
        now: wallClock(),
        direction: 'reading',
      });
      if (reply.status === 429) quietUntil = monotonic() + (retryAfterMs ?? UNNAMED_WAIT_MS);
      else if (obeysAll && retryAfterMs !== null) quietUntil = monotonic() + retryAfterMs;
      return retryAfterMs;
    },
  };
}
