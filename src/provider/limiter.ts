/**
 * The limiter in front of one origin: never more than N requests in any rolling second.
 *
 * Each attempt takes one of N slots and keeps it until 1005 ms after its response. Two requests of one slot
 * therefore arrive more than a second apart, and N + 1 arrivals within a second would need N + 1 slots. This
 * holds under retries, slow answers and a stalled event loop alike, which neither a reservoir nor a minimum
 * distance does. The 5 ms are for timers that fire early.
 *
 * And how long a provider that answers 429 is left alone.
 */
import Bottleneck from 'bottleneck';
import { readRetryAfter } from '../net/retry-after.ts';
import { ProviderError } from './errors.ts';
import type { Ask, Reply } from './transport.ts';

const URGENCIES = ['urgent', 'normal', 'background'] as const;
export type Urgency = (typeof URGENCIES)[number];

const PRIORITY: Readonly<Record<Urgency, number>> = { urgent: 1, normal: 5, background: 8 };
/** Before whatever asks. */
const PRIORITY_OF_HELD = 0;
const SLACK_MS = 5;
/** How long nothing is sent after a 429 that names no time. */
const UNNAMED_WAIT_MS = 1000;
/** What was given up on its way may arrive so much later. */
const LATE_MS = 200;

export interface Passage {
  urgency?: Urgency;
  /** Releases an attempt that still waits; one under way is the attempt's own business. */
  signal?: AbortSignal | undefined;
}

export interface Limiter {
  /** Runs one attempt when a slot is free and settles as it does; rejects with the signal's reason if released. */
  run<T>(attempt: () => Promise<T>, passage?: Passage): Promise<T>;
  /** How many attempts wait for a slot. */
  waiting(): number;
}

export interface LimiterOptions {
  /** Above 0. From 1 on it is rounded down to whole requests; below 1 it is one request every so many seconds. */
  requestsPerSecond: number;
  /** How long the window of the limit is; tests make it shorter. */
  windowMs?: number;
  /** Milliseconds for which slots are held from the beginning: by requests of whoever has asked before. */
  held?: readonly number[];
}

/** Others may go on with what is left of its limit. */
export interface SlotLimiter extends Limiter {
  /** Of every slot that is not free now, the milliseconds until it is. */
  held(): number[];
}

/** One slot that is held after its response. */
interface Hold {
  /** By the monotonic clock. */
  end: number;
  timer: NodeJS.Timeout | null;
}

/** Throws a `RangeError` for anything but a finite number above 0. */
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
    waiting = count;
    // A hold keeps the process alive only while something waits for its slot.
    for (const { timer } of holds) {
      if (waiting > 0) {
        timer?.ref();
      } else {
        timer?.unref();
      }
    }
  }

  async function hold(ms: number): Promise<void> {
    const one: Hold = { end: performance.now() + ms, timer: null };
    holds.add(one);
    for (let left = ms; left > 0; left = one.end - performance.now()) {
      await new Promise<void>((resolve) => {
        one.timer = setTimeout(resolve, Math.ceil(left));
        if (waiting === 0) one.timer.unref();
      });
    }
    holds.delete(one);
  }

  function run<T>(attempt: () => Promise<T>, { urgency = 'normal', signal }: Passage = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let released = signal?.aborted ?? false;
      if (released) {
        reject(reasonOf(signal));
        return;
      }
      const release = (): void => {
        released = true;
        setWaiting(waiting - 1);
        reject(reasonOf(signal));
      };
      signal?.addEventListener('abort', release, { once: true });
      setWaiting(waiting + 1);

      const occupySlot = async (): Promise<void> => {
        if (released) {
          return;
        }
        signal?.removeEventListener('abort', release);
        setWaiting(waiting - 1);
        underWay += 1;
        let lateMs = 0;
        try {
          resolve(await attempt());
        } catch (error) {
          if (signal?.aborted) lateMs = LATE_MS;
          reject(error);
        }
        underWay -= 1;
        await hold(holdMs + lateMs);
      };
      limiter.schedule({ priority: PRIORITY[urgency] }, occupySlot).catch(reject);
    });
  }

  for (const ms of held) void limiter.schedule({ priority: PRIORITY_OF_HELD }, () => hold(ms));
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

/** One limiter that asks each of several in turn: a source's own rate within its origin's. */
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
 * Of Bottleneck only the slots and their queue are used. The version of the package is exact.
 *
 * - It notes the wall clock of its last job as the earliest time of the next one, even without a minimum distance: after
 *   a clock step of an hour back it would sleep for an hour. Without `minTime` and reservoir the note has no other use,
 *   so it is pinned to the past.
 * - It tells of a dozen events a job, each through two generators and two promises, to nobody; and it waits for three
 *   timers a job, so that a store in memory takes as long as one in another process. Without both a job takes 250 µs of
 *   processor less, and starts 3 ms earlier.
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
  /** Milliseconds since the Unix epoch, to read a Retry-After date with; default: the system's. */
  wallClock?: () => number;
  /** Milliseconds of a clock that never jumps; default: the system's. */
  monotonic?: () => number;
  /** Whoever names a time with another refusal than 429, such as 503, is left alone as long. */
  obeysAll?: boolean;
}

export interface Backoff {
  /** Milliseconds until the provider wants to be asked again; 0 if at once. */
  waitMs(): number;
  /** While the provider wants to be left alone, nothing is sent: throws, so that the rest of a sweep fails at once. */
  refuse(ask: Ask): void;
  /** Takes note of an answer that is no success; how long it asks to wait, in milliseconds, null where it names no time. */
  note(reply: Reply): number | null;
}

/** Only a 429 sends us away; with `obeysAll` every answer that has a Retry-After does. Times are monotonic. */
export function createBackoff({
  wallClock = Date.now,
  monotonic = () => performance.now(),
  obeysAll = false,
}: BackoffClocks): Backoff {
  let quietUntil = 0;

  function waitMs(): number {
    return Math.max(0, Math.ceil(quietUntil - monotonic()));
  }

  return {
    waitMs,
    refuse(ask) {
      const retryAfterMs = waitMs();
      if (retryAfterMs === 0) return;
      const words = `which wants to be asked again in ${retryAfterMs} ms`;
      throw new ProviderError('rate_limited', ask, ({ it }) => `not sent to ${it}, ${words}`, {
        retryAfterMs,
        maybeSeen: false,
      });
    },
    note(reply) {
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
