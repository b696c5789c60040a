/**
 * A lease held by this member, which permits it to watch one shard. It is renewed every third of its time, and as soon
 * as a save has failed. If the database does not answer, these rules apply:
 *
 * 1. A successful renewal: it leads.
 * 2. A newer epoch has begun: it steps down at once.
 * 3. The server itself says that it is down: no member can take the lease, so the leader continues from memory.
 * 4. Any other failure, such as a refused connection: only this member may be cut off, and another may take over and
 *    notify of the same changes. It watches on, and sends nothing until the database answers. Its lease ends, and after
 *    `PAUSED_FOR` it continues from memory all the same: a repeated notification is better than none.
 * 5. Without a lease a leader uses a part of the rate limits. Other leaders leave that part unused, once for all such
 *    members: until those are seen standing by, and all requests are apart. After an hour the part is smaller.
 */
import type { MemberBase } from './member-base.ts';
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

export interface HeldLeaseDeps extends Pick<MemberBase, 'leaseMs' | 'clock' | 'log'> {
  lease: LeaseAccess;
}

export type Mode = 'leading' | 'from memory' | 'paused';

export type HeldLease = ReturnType<typeof holdLease>;

/** Requests of two leaders are at least this far apart: the window of a limit. */
const APART_MS = 1_005;
/** Largest drift between two machines' clocks within a lease. */
const PACE_MS = 200;
/**
 * Reduce requests and stop messages this long before the lease expires: the window of a rate limit, which the next
 * leader starts afresh, and the drift of clocks.
 */
const MARGIN_MS = APART_MS + PACE_MS;
/** The leader renews its lease this often within one, so that a renewal may fail. */
const RENEWALS_A_LEASE = 3;
/** Counted from the last renewal, and from the end of the lease: then it continues from memory, see 4 above. */
const PAUSED_FOR = { leases: 5, ms: 30_000 } as const;
const FAILS_OTHERWISE = 'The lease cannot be renewed for another reason';
const DOWN = 'This member goes on from memory; what happens now is not saved.';
const PAUSED = 'The lease is over, and another member may lead: this one watches on, and sends nothing.';
const GOES_ON = 'This member goes on from memory, with a part of its requests; what it tells may be told twice.';

/** Time of a request on both clocks: one stops while a machine sleeps, the other may be set. */
export interface AskedAt {
  at: number;
  wall: number;
}

/** A lease just taken. `takenAt`: time of the request. */
export function holdLease({ lease, leaseMs, clock, log }: HeldLeaseDeps, taken: TakenLease, takenAt: AskedAt) {
  const { epoch } = taken;
  const over = new AbortController();
  const ended = new AbortController();
  let renewedAt = takenAt;
  let mode: Mode = 'leading';
  /** Reason why the last renewal failed; null if it did not. */
  let failure: DatabaseError | null = null;
  /** Failed saves and renewals since the last successful renewal. */
  let [doubts, doubted] = [0, new AbortController()];
  const requestShare = createRequestShare({ rivals: lease.rivals, clock, apartMs: APART_MS });

  const hasLease = (): boolean => computeElapsed(renewedAt, clock) < leaseMs - MARGIN_MS;
  const canNobodyHaveIt = (): boolean => computeElapsed(renewedAt, clock) < leaseMs - PACE_MS;
  const mayAct = (): boolean => !over.signal.aborted && (mode === 'from memory' || (doubts === 0 && hasLease()));
  const gate = createGate(() => mayAct() || over.signal.aborted);
  const share = (): number => requestShare.now(hasLease() ? null : computeElapsed(renewedAt, clock));

  function doubt(): void {
    doubts += 1;
    doubted.abort();
  }

  function become(next: Mode, why: string): void {
    if (mode === next) return;
    log[next === 'leading' ? 'info' : 'error'](why, { epoch });
    mode = next;
  }

  function lose(): void {
    if (over.signal.aborted) return;
    log.error('Another member leads; this one stands by from now on', { epoch });
    over.abort();
    gate.look();
  }

  async function renew(): Promise<void> {
    const asked: AskedAt = { at: clock.monotonic(), wall: clock.now() };
    const before = doubts;
    try {
      if (!(await lease.renew(epoch))) return lose();
      renewedAt = asked;
      failure = null;
      doubts -= before;
      become('leading', 'The lease is renewed again; everything is saved');
      requestShare.recount();
      gate.look();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      failed(error, asked.at);
    }
  }

  function failed(error: DatabaseError, now: number): void {
    const { isDown, message, code } = error;
    if (failure !== null && failure.code !== code) log.warn(FAILS_OTHERWISE, { epoch, error });
    failure = error;
    doubts += 1;
    if (isDown && mode !== 'from memory' && canNobodyHaveIt()) {
      become('from memory', `${message} ${DOWN}`);
    } else if (mode !== 'from memory' && !hasLease()) {
      become('paused', `${message} ${PAUSED}`);
      if (now - renewedAt.at < Math.min(PAUSED_FOR.leases * leaseMs, leaseMs + PAUSED_FOR.ms)) return;
      become('from memory', `${message} ${GOES_ON}`);
    }
    gate.look();
  }

  async function keep(): Promise<void> {
    while (!ended.signal.aborted && !over.signal.aborted) {
      // Without an answer it retries more often: before the lease ends it must know whether the database is down for
      // all, and it must soon learn of a newer epoch.
      const parts = mode === 'leading' && doubts === 0 ? RENEWALS_A_LEASE : LOOKS_A_LEASE;
      doubted = new AbortController();
      const signal = AbortSignal.any([ended.signal, over.signal, ...(doubts === 0 ? [doubted.signal] : [])]);
      await clock.sleep(leaseMs / parts, signal);
      if (!ended.signal.aborted && !over.signal.aborted) await renew();
    }
  }

  const kept = keep();
  kept.catch((error: unknown) => {
    log.error('Renewing the lease failed unexpectedly; this member steps down', { error });
    lose();
  });

  return {
    ...taken,
    get mode(): Mode {
      return mode;
    },
    /** True if it may send a message at this moment: no other member can be sending it. */
    mayAct,
    /** Resolves when it may, or when the signal is aborted. */
    untilItMayAct: gate.untilOpen,
    /** Its share of every limit of requests, above 0 and at most 1. */
    share,
    /** A save has failed: renews the lease at once, and sends nothing until the database has answered. */
    doubt,
    /** Aborted when another member leads. */
    over: over.signal,
    /** Called when the database reports another leader. */
    lose,
    /** Returns the lease, with the used slots of the rate limits. */
    async end(used: Slots): Promise<void> {
      ended.abort();
      await kept.catch(() => null);
      if (over.signal.aborted) return;
      try {
        await lease.giveBack(epoch, used);
      } catch (error) {
        log.warn('The lease could not be given back; the others wait for its end', { error });
      }
    },
  };
}

function computeElapsed({ at, wall }: AskedAt, clock: Clock): number {
  return Math.max(clock.monotonic() - at, clock.now() - wall);
}

/** Callers wait until it is open. Call `look` when it may be. */
function createGate(isOpen: () => boolean) {
  let looked = Promise.withResolvers<void>();
  return {
    look(): void {
      looked.resolve();
      looked = Promise.withResolvers<void>();
    },
    async untilOpen(signal: AbortSignal): Promise<void> {
      while (!isOpen() && !signal.aborted) await either(looked.promise, signal);
    },
  };
}

/** Resolves with the promise, or when the signal is aborted. */
async function either(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const release = (): void => resolve();
  signal.addEventListener('abort', release);
  try {
    await Promise.race([promise, released]);
  } finally {
    signal.removeEventListener('abort', release);
  }
}
