/** Requests with their times, so that tests can check a client's behaviour from the server's side. */
import { SECOND } from '../core/text/duration.ts';

export interface Arrival {
  /** Monotonic milliseconds, independent of clock changes. */
  at: number;
  method: string;
  /** As sent, before rewriting. */
  path: string;
  query: string;
  /** The matched operation; null for an unknown path. */
  operation: string | null;
  /** True if an Authorization header was sent; the credential is not stored. */
  authorized: boolean;
  /** True if If-None-Match or If-Modified-Since was sent. */
  conditional: boolean;
  /** Null until answered, and for connections cut by a fault. */
  status: number | null;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

/** Older arrivals are evicted: a provider may run for days. */
const KEPT = 100_000;

/** Keeps at least the last `KEPT` arrivals. */
export function createRequestLog() {
  let arrivals: Arrival[] = [];
  let waiting: { matches: (arrival: Arrival) => boolean; left: number; resolve: (arrival: Arrival) => void }[] = [];
  return {
    record(arrival: Arrival) {
      arrivals.push(arrival);
      if (arrivals.length > KEPT * 1.1) arrivals = arrivals.slice(-KEPT);
      for (const waiter of waiting) if (waiter.matches(arrival)) waiter.left -= 1;
      const satisfied = waiting.filter((waiter) => waiter.left <= 0);
      waiting = waiting.filter((waiter) => waiter.left > 0);
      for (const waiter of satisfied) waiter.resolve(arrival);
    },
    all: (): readonly Arrival[] => arrivals,
    clear() {
      arrivals = [];
    },
    /** Resolves with the next matching arrival, or the `count`th. */
    next: (matches: (arrival: Arrival) => boolean = () => true, count = 1): Promise<Arrival> =>
      new Promise((resolve) => {
        waiting.push({ matches, left: count, resolve });
      }),
  };
}

/**
 * Most arrivals within any second. Its end is exclusive: five per second may come at 0, 200, … 800 and again at 1000.
 */
export function countBusiestWindow(arrivals: readonly { at: number }[]): number {
  const times = arrivals.map((arrival) => arrival.at).toSorted((left, right) => left - right);
  let most = 0;
  let first = 0;
  for (const [last, time] of times.entries()) {
    while (time - (times[first] ?? time) >= SECOND) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
