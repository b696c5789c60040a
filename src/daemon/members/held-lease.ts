/**
 * A lease held by this member, which permits it to watch one shard. It is renewed every third of its time; by its own
 * clocks the member stops requests and messages before its end. If the database does not answer, these rules apply:
 *
 * 1. A successful renewal: it leads.
 * 2. A newer epoch has begun: it steps down at once.
 * 3. The database itself is down: it says so, or nothing listens there and it is on another machine. No member can take
 *    the lease, so the leader continues from memory, even after a pause during which none could have taken it.
 * 4. No answer: only this member's connection may be cut, and another may lead by now. It pauses at the end of its
 *    lease. After `PAUSED_FOR` it continues from memory all the same: a repeated notification is better than none.
 * 5. A leader that continues from memory after its lease uses a part of the rate limits. Other leaders leave that part
 *    unused, once for all such members: until those are seen standing by, and all requests are apart. After an hour the
 *    part is smaller.
 */
import type { Log } from '../../log/log.ts';
import type { Slots, TakenLease } from '../../store/postgres/lease.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import type { Clock } from '../common/clock.ts';
import { LOOKS_A_LEASE } from './look-pace.ts';
import { createRequestShare, type Rivals } from './request-share.ts';

/** Access to the lease for one member. All reject with `DatabaseError`. */
export interface LeaseAccess {
  /** False if a newer epoch has begun. */
  renew(epoch: number): Promise<boolean>;
  giveBack(epoch: number, slots: Slots): Promise<void>;
  /** Other members that may believe that they lead it, as far as known. */
  rivals(): Rivals;
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
  /** True if it may send a request or a message at this moment. */
  mayAct(): boolean;
  /** Resolves when it may, or when the signal is aborted. */
  untilItMayAct(signal: AbortSignal | undefined): Promise<void>;
  /** Its share of every limit of requests, above 0 and at most 1. */
  share(): number;
  /** Aborted when another member leads. */
  readonly over: AbortSignal;
  /** Called when the database reports another leader. */
  lose(): void;
  /** Returns the lease, with the used slots of the rate limits. */
  end(slots: Slots): Promise<void>;
}

/** Requests of two leaders are at least this far apart: the window of a limit. */
const APART_MS = 1_005;
/** Largest drift between two machines' clocks within a lease. */
const PACE_MS = 200;
/**
 * Stop requests and messages this long before the lease expires: the window of a rate limit, which the next leader
 * starts afresh, and the drift of clocks.
 */
const MARGIN_MS = APART_MS + PACE_MS;
/** The leader renews its lease this often within one, so that a renewal may fail. */
const RENEWALS_A_LEASE = 3;
/** Counted from the last renewal, and from the end of the lease: then it continues from memory, see 4 above. */
const PAUSED_FOR = { leases: 5, ms: 30_000 } as const;
const FAILS_OTHERWISE = 'The lease cannot be renewed for another reason';

/** Time of a request on both clocks: one stops while a machine sleeps, the other may be set. */
export interface AskedAt {
  at: number;
  wall: number;
}

/** A lease just taken. `takenAt`: time of the request. */
export function holdLease(
  { lease, leaseMs, clock, log }: HeldLeaseDeps,
  { epoch, former, unledMs, hasLapsed, slots }: TakenLease,
  takenAt: AskedAt,
): HeldLease {
  const over = new AbortController();
  const ended = new AbortController();
  let renewedAt = takenAt;
  let mode: Mode = 'leading';
  /** Reason why the last renewal failed; null if it did not. */
  let failure: DatabaseError | null = null;
  let opened = Promise.withResolvers<void>();
  const requestShare = createRequestShare({ rivals: lease.rivals, clock, apartMs: APART_MS });

  const hasLease = (): boolean => isWithin(leaseMs - MARGIN_MS, renewedAt, clock);
  const canNobodyHaveIt = (): boolean => isWithin(leaseMs - PACE_MS, renewedAt, clock);

  function mayAct(): boolean {
    return !over.signal.aborted && (mode === 'from memory' || hasLease());
  }

  const share = (): number =>
    requestShare.now(mode === 'from memory' && !hasLease() ? computeElapsed(renewedAt, clock) : null);

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
      // Without an answer it retries more often: before the lease ends it must know whether the database is down for
      // all, and it must soon learn of a newer epoch.
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
  return computeElapsed({ at, wall }, clock) < ms;
}

function computeElapsed({ at, wall }: AskedAt, clock: Clock): number {
  return Math.max(clock.monotonic() - at, clock.now() - wall);
}

/** Resolves with the promise, or when the signal is aborted. */
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
