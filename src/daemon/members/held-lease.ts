/**
 * A lease that this member holds, and with it the watch over one shard. It is renewed at a third of its time; the member
 * stops asking and sending by its own clocks before it ends. A database that does not answer is judged by these rules:
 *
 * 1. It renews: it leads.
 * 2. A newer epoch has begun: it steps down at once.
 * 3. The database itself is down, which it says, or nothing listens there and it is on another machine: nobody can take the
 *    lease. The leader goes on from memory, also where it paused and nobody could have taken the lease until then.
 * 4. No answer comes: the way to the database may be cut for this member alone, and another may lead by now. It pauses
 *    when its lease ends. After `PAUSED_FOR` it goes on from memory all the same: to tell twice is better than to
 *    be blind.
 * 5. Whoever goes on from memory after the end of its lease asks at a part of what it may, and whoever leads while others
 *    may believe so, too, leaves them that part, once for all of them: until they are seen standing by, and the requests
 *    of all are apart.
 */
import type { Log } from '../../log/log.ts';
import type { Slots, TakenLease } from '../../store/postgres/lease.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import type { Clock } from '../common/clock.ts';
import { LOOKS_A_LEASE } from './look-pace.ts';
import { createRequestShare } from './request-share.ts';

/** The lease as one member sees it. All reject with `DatabaseError`. */
export interface LeaseAccess {
  /** False where a newer epoch has begun. */
  renew(epoch: number): Promise<boolean>;
  giveBack(epoch: number, slots: Slots): Promise<void>;
  /** How many others may believe that they lead it, as far as was heard. */
  rivals(): number;
}

export interface HeldLeaseDeps {
  lease: LeaseAccess;
  leaseMs: number;
  clock: Clock;
  log: Log;
}

export type Mode = 'leading' | 'from memory' | 'paused';

export interface HeldLease extends TakenLease {
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
/** Counted from the last renewal, and from the end of the lease: then it goes on from memory, see 4 above. */
const PAUSED_FOR = { leases: 5, ms: 30_000 } as const;
const FAILS_OTHERWISE = 'The lease cannot be renewed for another reason';

/** When it was asked, by both clocks: one stands still while a machine sleeps, the other may be set. */
export interface AskedAt {
  at: number;
  wall: number;
}

/** A lease that was just taken. `takenAt`: when it was asked for. */
export function holdLease(
  { lease, leaseMs, clock, log }: HeldLeaseDeps,
  { epoch, former, unledMs, hasLapsed, slots }: TakenLease,
  takenAt: AskedAt,
): HeldLease {
  const over = new AbortController();
  const ended = new AbortController();
  let renewedAt = takenAt;
  let mode: Mode = 'leading';
  /** Why the last renewal failed; null where it did not. */
  let failure: DatabaseError | null = null;
  let opened = Promise.withResolvers<void>();
  const requestShare = createRequestShare({ rivals: lease.rivals, clock, apartMs: APART_MS });

  const hasLease = (): boolean => isWithin(leaseMs - MARGIN_MS, renewedAt, clock);
  const canNobodyHaveIt = (): boolean => isWithin(leaseMs - PACE_MS, renewedAt, clock);

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
      if (!(await lease.renew(epoch))) return lose();
      renewedAt = asked;
      failure = null;
      become('leading', 'The lease is renewed again; everything is saved');
      requestShare.heard();
      open();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      failed(error, asked.at);
    }
  }

  function failed(error: DatabaseError, now: number): void {
    const { isDown, message, code } = error;
    if (failure !== null && failure.code !== code) log.warn(FAILS_OTHERWISE, { epoch, error });
    failure = error;
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
      const parts = mode === 'leading' && failure === null ? RENEWALS_A_LEASE : LOOKS_A_LEASE;
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

function isWithin(ms: number, { at, wall }: AskedAt, clock: Clock): boolean {
  return clock.monotonic() - at < ms && clock.now() - wall < ms;
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
