/**
 * The lease of the leader: a row of the database. One statement takes it, one renews it, and one returns it. Each
 * takeover increments its epoch, which fences a member that was paused or cut off. No clock of the database is
 * involved: each renewal changes the sign of the row, and a member that has seen the same sign for a whole lease on its
 * own clock may take it. `expires_at` is written for older programs, which use it.
 */
import type { Database } from './connection.ts';

/** Name of the row: one for an installation, or one for each shard of its sources. */
export interface LeaseName {
  /** Name of the installation. */
  instance: string;
  name: string;
}

export interface Claim extends LeaseName {
  /** Unique id of this process. */
  holder: string;
  /** Format that this program writes: an older program must not lead after it. */
  format: number;
  leaseMs: number;
  /** For a shard: the layout of all shards. Null for the lease of all sources. */
  layout?: string | null;
  /** Its sign, if its holder has not renewed it for a whole lease; else null. */
  lapsed: string | null;
  /** Milliseconds since it is known to be returned; 0 if unknown. */
  freeMs?: number;
}

/**
 * Used slots of a provider's rate limits: for each limit, by its subject, the milliseconds until each slot is free
 * again.
 */
export type Slots = Readonly<Record<string, readonly number[]>>;

export interface TakenLease {
  epoch: number;
  /** The previous leader; null for the first. */
  former: string | null;
  /** Milliseconds since the end of the previous lease, for people, on the clock of the database. Null for the first. */
  unledMs: number | null;
  /** The previous leader did not return it. */
  hasLapsed: boolean;
  /** Slots used by the previous leader; empty if all are free again. */
  slots: Slots;
}

export interface Term extends LeaseName {
  holder: string;
  epoch: number;
}

/** A newer epoch has begun: every write of this one is refused. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(place: string) {
    super(`Another member leads by now; what this one knew is not saved in ${place}.`);
  }
}

/** The member's name in a holder `name/id`. */
export function toMemberName(holder: string): string {
  return holder.slice(0, holder.lastIndexOf('/'));
}

/** Name of the lease of all sources; with several shards, its holder is their layout, and no member can take it. */
export const ALL = 'all';

const LAYOUTS = 'groups/';

export function isLayout(holder: string): boolean {
  return holder.startsWith(LAYOUTS);
}

/** Sign of a row `lease` of `linewatch_lease`: it changes when the lease is taken, renewed or returned. */
export const LEASE_SIGN = `(lease.epoch || '/' || lease.renewals || '/' || extract(epoch from lease.expires_at))`;

/**
 * Null if another member holds it or is returning it, if the layout differs, or if a newer Linewatch has led. Slots of
 * the previous leader come from the replaced row, as the statement may have begun before they were written; also where
 * this process takes it again, because it has no answer to the first time. Rejects with `DatabaseError`.
 */
export async function takeLease(
  { ask }: Database,
  { instance, name, holder, format, leaseMs, layout = null, lapsed, freeMs = 0 }: Claim,
): Promise<TakenLease | null> {
  const [row] = await ask<Omit<TakenLease, 'slots'> & { slots: string | null }>(
    'take the lease in',
    `with former as (
       select last_holder, holder, epoch, renewals, expires_at, slots from linewatch_lease where instance = $1 and name = $2),
     layout as (select 1 from linewatch_lease where instance = $1 and name = '${ALL}' and holder = $6 for share)
     insert into linewatch_lease as lease (instance, name, holder, last_holder, epoch, format, expires_at)
     select $1, $2, $3, $3, 1, $4, clock_timestamp() + $5 * interval '1 millisecond'
      where $6::text is null or exists (select from layout)
     on conflict (instance, name) do update
        set holder = $3, last_holder = $3, epoch = lease.epoch + 1, renewals = lease.renewals + 1, format = $4,
            expires_at = clock_timestamp() + $5 * interval '1 millisecond'
      where lease.format <= $4 and (lease.holder is null or ${LEASE_SIGN} = $7)
        and coalesce(lease.holder, '') not like '${LAYOUTS}%'
        and (lease.epoch, lease.renewals) = (select epoch, renewals from former)
     returning epoch, (select last_holder from former) as former,
       (select greatest(0, extract(epoch from clock_timestamp() - expires_at))::float8 * 1000 from former) as "unledMs",
       exists (select from former where holder is not null) as "hasLapsed",
       (select slots from former where holder is null or holder = $3) as slots`,
    [instance, name, holder, format, leaseMs, layout, lapsed],
  );
  if (row === undefined) return null;
  // A layout is not a member's name.
  const former = row.former !== null && isLayout(row.former) ? null : row.former;
  const slots = stillTaken(JSON.parse(row.slots ?? '{}') as Slots, freeMs);
  return { ...row, former, slots };
}

function stillTaken(slots: Slots, passedMs: number): Slots {
  const left = Object.entries(slots).map(([limits, all]) => {
    return [limits, all.flatMap((ms) => (ms > passedMs ? [Math.ceil(ms - passedMs)] : []))] as const;
  });
  return Object.fromEntries(left.filter(([, all]) => all.length > 0));
}

/** False if a newer epoch has begun. Rejects with `DatabaseError`. */
export async function renewLease({ ask }: Database, term: Term, leaseMs: number): Promise<boolean> {
  const rows = await ask(
    'renew the lease in',
    `update linewatch_lease
        set renewals = renewals + 1, expires_at = clock_timestamp() + $5 * interval '1 millisecond'
      where instance = $1 and name = $2 and holder = $3 and epoch = $4 returning epoch`,
    [term.instance, term.name, term.holder, term.epoch, leaseMs],
  );
  return rows.length > 0;
}

/** Returns the lease, so that a standby may take it at once, and passes on used slots. Rejects with `DatabaseError`. */
export async function giveBackLease({ ask }: Database, term: Term, slots: Slots): Promise<void> {
  await ask(
    'give back the lease in',
    `update linewatch_lease
        set holder = null, renewals = renewals + 1, expires_at = clock_timestamp(), slots = $5
      where instance = $1 and name = $2 and holder = $3 and epoch = $4`,
    [term.instance, term.name, term.holder, term.epoch, JSON.stringify(slots)],
  );
}
