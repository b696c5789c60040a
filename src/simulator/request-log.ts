/** What reached the simulator and when, so that tests can judge a client's manners from the other side. */
export interface Arrival {
  /** Monotonic milliseconds: distances are real even when the wall clock jumps. */
  at: number;
  method: string;
  /** As sent, before any rewriting. */
  path: string;
  query: string;
  /** The operation that answered, null for a path that is none. */
  operation: string | null;
  /** Whether an Authorization header came along; the credential itself is never kept. */
  authorized: boolean;
  /** Whether a validator (If-None-Match, If-Modified-Since) came along. */
  conditional: boolean;
  /** Null until answered, and for good where a fault cut the connection. */
  status: number | null;
}

export interface RequestLog {
  record: (arrival: Arrival) => void;
  all: () => readonly Arrival[];
  clear: () => void;
  /** Resolves with the arrival that makes the count: the next one, or the `count`th from now. */
  next: (matches?: (arrival: Arrival) => boolean, count?: number) => Promise<Arrival>;
}

/** Older arrivals are forgotten: a provider may be left running for days. */
const KEPT = 100_000;

/** Remembers the last `KEPT` arrivals at least. */
export function createRequestLog(): RequestLog {
  let arrivals: Arrival[] = [];
  let waiting: { matches: (arrival: Arrival) => boolean; left: number; resolve: (arrival: Arrival) => void }[] = [];
  return {
    record(arrival) {
      arrivals.push(arrival);
      if (arrivals.length > KEPT * 1.1) arrivals = arrivals.slice(-KEPT);
      for (const waiter of waiting) if (waiter.matches(arrival)) waiter.left -= 1;
      const satisfied = waiting.filter((waiter) => waiter.left <= 0);
      waiting = waiting.filter((waiter) => waiter.left > 0);
      for (const waiter of satisfied) waiter.resolve(arrival);
    },
    all: () => arrivals,
    clear() {
      arrivals = [];
    },
    next: (matches = () => true, count = 1) =>
      new Promise((resolve) => {
        waiting.push({ matches, left: count, resolve });
      }),
  };
}

/**
 * The largest number of arrivals inside any window of `windowMs`. Two arrivals exactly a window apart do not
 * share one: five a second may come at 0, 200, … 800 and again at 1000.
 */
export function countBusiestWindow(arrivals: readonly { at: number }[], windowMs = 1000): number {
  const times = arrivals.map((arrival) => arrival.at).toSorted((left, right) => left - right);
  let most = 0;
  let first = 0;
  for (const [last, time] of times.entries()) {
    while (time - (times[first] ?? time) >= windowMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
