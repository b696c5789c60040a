/**
 * Which of several members watches: the one that holds the lease. It renews it at a third of its time, and stops asking
 * and sending by its own clocks before it ends. What the database's silence means is decided here, by these rules:
 *
 * 1. It renews: it leads.
 * 2. A newer epoch has begun: it steps down at once.
 * 3. The database itself is down, which it says or nothing listens there: nobody can take the lease. Whoever led goes on
 *    from memory, and whoever paused as well, where nobody could have taken it until then.
 * 4. No answer comes: the way to the database may be cut for this member alone, and another may lead by now. It pauses
 *    when its lease ends. After `PAUSED_FOR` it goes on from memory all the same: to tell twice is better than to
 *    be blind.
 * 5. Whoever goes on from memory after the end of its lease asks at a part of what it may, and whoever leads while others
 *    may believe so, too, leaves them that part, once for all of them: until they are seen standing by, and the requests
 *    of all are apart.
 */
import type { Log } from '../log/log.ts';
import type { Slots, TakenLease } from '../store/postgres/lease.ts';
import { DatabaseError } from '../store/postgres/database-error.ts';
import type { Wakeups } from '../store/postgres/wakeups.ts';
import type { Clock } from './clock.ts';
import { createRequestShare } from './request-share.ts';

/** The lease as one member sees it. All reject with `DatabaseError`. */
export interface LeaseAccess {
  /** Null where somebody else holds it. */
  take(): Promise<TakenLease | null>;
  /** `share`: of the limits of requests, for the others to know. False where a newer epoch has begun. */
  renew(epoch: number, share: number): Promise<boolean>;
  giveBack(epoch: number, slots: Slots): Promise<void>;
  /** How many others may believe that they lead, as far as was heard when it was last taken or renewed. */
  rivals(): number;
}

export interface LeadershipDeps {
  lease: LeaseAccess;
  leaseMs: number;
  clock: Clock;
  log: Log;
  /** Called at every look at the lease while it stands by. */
  goesOn?: () => void;
  /** Of those who give it back. */
  wakeups?: Pick<Wakeups, 'next'>;
}

export type Mode = 'leading' | 'from memory' | 'paused';

export interface Tenure extends TakenLease {
  readonly mode: Mode;
  /** Whether it may send a request or a message at this very moment. */
  mayAct(): boolean;
  /** Resolves as soon as it may, or when the signal is aborted. */
  untilItMayAct(signal: AbortSignal | undefined): Promise<void>;
  /** What it may use of every limit of requests, above 0 and at most 1. */
  share(): number;
  /** Aborted once another leads. */
  readonly over: AbortSignal;
  /** Called by whoever was told so by the database itself. */
  lose(): void;
  /** Gives the lease back, and what is taken of the limits of requests. */
  end(slots: Slots): Promise<void>;
}

/** Requests of two leaders are this far apart: the window of a limit. */
const APART_MS = 1_005;
/** What the clocks of two machines differ in pace, within a lease. */
const PACE_MS = 200;
/**
 * So long before the end of its lease it asks and sends no more: the window of a limit of requests, which the next
 * leader begins anew, and what clocks differ.
 */
const MARGIN_MS = APART_MS + PACE_MS;
/** Whoever leads renews its lease so often within one, so that a renewal may fail. */
const RENEWALS_A_LEASE = 3;
/**
 * How often within a lease a member reports itself, where no renewal of one lease on everything says that it is there.
 */
export const REPORTS_A_LEASE = 3;
/** Where the database does not answer, it is asked this often within a lease. */
export const LOOKS_A_LEASE = 12;
/** Whoever stands by looks this often, so that a clean end is followed at once. */
export const LOOK_MS = 250;
/** Whoever is woken by the others looks by itself as seldom as this, or as it reports where that is more often. */
const LONGEST_LOOK_MS = 2_000;
/** Counted from the last renewal, and from the end of the lease: then it goes on from memory, see 4 above. */
const PAUSED_FOR = { leases: 5, ms: 30_000 } as const;
/** However often a member is woken: what fails as soon as it is taken would be taken again at once. */
const LEAST_LOOK_MS = 100;

/** Sleeps for so long, or until it is woken, and until `stop` at most. */
export async function sleepUntilWoken(
  clock: Clock,
  ms: number,
  { stop, woken }: { stop: AbortSignal; woken: AbortSignal },
): Promise<void> {
  const at = clock.monotonic();
  await clock.sleep(ms, AbortSignal.any([stop, woken]));
  const early = Math.min(ms, LEAST_LOOK_MS) - (clock.monotonic() - at);
  if (early > 0) await clock.sleep(early, stop);
}

/** How far apart the looks of a member are that the others wake, and that waits for nothing. */
export function calmLookMs(leaseMs: number): number {
  return Math.min(LONGEST_LOOK_MS, leaseMs / REPORTS_A_LEASE);
}

/** Resolves to null when the signal is aborted first. */
export async function lead(deps: LeadershipDeps, stop: AbortSignal): Promise<Tenure | null> {
  const { lease, leaseMs, clock, log, goesOn, wakeups } = deps;
  let isUnreachable = false;
  while (!stop.aborted) {
    const woken = wakeups?.next() ?? stop;
    const asked = { at: clock.monotonic(), wall: clock.now() };
    try {
      const taken = await lease.take();
      if (isUnreachable) log.info('The database answers again');
      isUnreachable = false;
      if (taken !== null) return hold(deps, taken, asked);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (!isUnreachable) log.error('This member cannot take the lease; it stands by', { error });
      isUnreachable = true;
    }
    goesOn?.();
    await sleepUntilWoken(clock, isUnreachable ? leaseMs / LOOKS_A_LEASE : LOOK_MS, { stop, woken });
  }
  return null;
}

/** When it was asked, by both clocks: one stands still while a machine sleeps, the other may be set. */
export interface AskedAt {
  at: number;
  wall: number;
}

/** The tenure of a lease that was just taken. `takenAt`: when it was asked for. */
export function hold(
  { lease, leaseMs, clock, log }: LeadershipDeps,
  { epoch, former, unledMs, hasLapsed, slots }: TakenLease,
  takenAt: AskedAt,
): Tenure {
  const over = new AbortController();
  const ended = new AbortController();
  let renewedAt = takenAt;
  let mode: Mode = 'leading';
  let hasFailed = false;
  let opened = Promise.withResolvers<void>();
  const requestShare = createRequestShare({ rivals: lease.rivals, clock, apartMs: APART_MS });

  function isWithin(ms: number): boolean {
    return clock.monotonic() - renewedAt.at < ms && clock.now() - renewedAt.wall < ms;
  }

  const hasLease = (): boolean => isWithin(leaseMs - MARGIN_MS);
  const canNobodyHaveIt = (): boolean => isWithin(leaseMs - PACE_MS);

  function mayAct(): boolean {
    return !over.signal.aborted && (mode === 'from memory' || hasLease());
  }

  const share = (): number => requestShare.now(mode === 'from memory' && !hasLease());

  function become(next: Mode, why: string): void {
    if (mode === next) return;
    log[next === 'leading' ? 'info' : 'error'](why, { epoch });
    mode = next;
  }

  function open(): void {
    opened.resolve();
    opened = Promise.withResolvers<void>();
  }

  function lose(): void {
    if (over.signal.aborted) return;
    log.error('Another member leads; this one stands by from now on', { epoch });
    over.abort();
    open();
  }

  async function renew(): Promise<void> {
    const asked: AskedAt = { at: clock.monotonic(), wall: clock.now() };
    try {
      if (!(await lease.renew(epoch, share()))) return lose();
      renewedAt = asked;
      hasFailed = false;
      become('leading', 'The lease is renewed again; everything is saved');
      requestShare.heard();
      open();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      failed(error, asked.at);
    }
  }

  function failed({ isDown, message }: DatabaseError, now: number): void {
    hasFailed = true;
    if (isDown && mode !== 'from memory' && canNobodyHaveIt()) {
      become('from memory', `${message} This member goes on from memory; what happens now is not saved.`);
    } else if (mode !== 'from memory' && !hasLease()) {
      become('paused', `${message} The lease is over, and another member may lead: this one pauses.`);
      if (now - renewedAt.at < Math.min(PAUSED_FOR.leases * leaseMs, leaseMs + PAUSED_FOR.ms)) return;
      become(
        'from memory',
        `${message} This member goes on from memory, with a part of its requests; what it tells may be told twice.`,
      );
    }
    if (mode === 'from memory') open();
  }

  async function keep(): Promise<void> {
    while (!ended.signal.aborted && !over.signal.aborted) {
      // Away, it is asked more often: whether it is down for all has to be known before the lease ends, and of a newer
      // epoch it must hear before it tells much beside it.
      const parts = mode === 'leading' && !hasFailed ? RENEWALS_A_LEASE : LOOKS_A_LEASE;
      await clock.sleep(leaseMs / parts, AbortSignal.any([ended.signal, over.signal]));
      if (!ended.signal.aborted && !over.signal.aborted) await renew();
    }
  }

  const kept = keep();
  kept.catch((error: unknown) => {
    log.error('The lease cannot be kept as nobody foresaw; this member steps down', { error });
    lose();
  });

  return {
    epoch,
    former,
    unledMs,
    hasLapsed,
    slots,
    get mode() {
      return mode;
    },
    mayAct,
    async untilItMayAct(signal) {
      const isReleased = (): boolean => over.signal.aborted || signal?.aborted === true;
      while (!mayAct() && !isReleased()) await either(opened.promise, signal);
    },
    share,
    over: over.signal,
    lose,
    async end(taken) {
      ended.abort();
      await kept.catch(() => null);
      if (over.signal.aborted) return;
      try {
        await lease.giveBack(epoch, taken);
      } catch (error) {
        log.warn('The lease could not be given back; the others wait for its end', { error });
      }
    },
  };
}

/** Resolves with the promise, or as soon as the signal is aborted. */
async function either(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const release = (): void => resolve();
  signal?.addEventListener('abort', release);
  try {
    await Promise.race([promise, released]);
  } finally {
    signal?.removeEventListener('abort', release);
  }
}
