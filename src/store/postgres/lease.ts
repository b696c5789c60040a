/**
 * Who leads: a row of the database. It is taken by one statement, renewed and given back by one, and each taking raises its
 * epoch, so that a member that was paused or cut off is known by the epoch it still believes in. No clock of the database
 * decides anything: each renewal changes the sign of the row, and a member that has seen the same sign for a whole lease by
 * its own clock may take it. `expires_at` is written for programs of before, which judge by it.
 */
import type { Database } from './connection.ts';

/** Which row: one an installation, or one a group of its sources. */
export interface LeaseName {
  /** The installation. */
  instance: string;
  name: string;
}

export interface Claim extends LeaseName {
  /** This process, and no other that ever was. */
  holder: string;
  /** What this program writes: whoever knows only less must not lead after it. */
  format: number;
  leaseMs: number;
  /** Of a group: how the sources are divided. Null for the lease of all sources. */
  layout?: string | null;
  /** Its sign, where somebody holds it who has not renewed it for a whole lease; else null. */
  lapsed: string | null;
  /** For how many milliseconds it is known to be given back; 0 where that is not known. */
  freeMs?: number;
}

/**
 * What of a provider's limits is taken: of every limit, by what it limits, the milliseconds until each of its slots is free
 * again.
 */
export type Slots = Readonly<Record<string, readonly number[]>>;

export interface TakenLease {
  epoch: number;
  /** Who led before; null for the first. */
  former: string | null;
  /** Milliseconds since the former's lease has ended, for people: by the clock of the database. Null for the first. */
  unledMs: number | null;
  /** The former did not give it back. */
  hasLapsed: boolean;
  /** What the former left taken; nothing where that was so long ago that all is free. */
  slots: Slots;
}

export interface Term extends LeaseName {
  holder: string;
  epoch: number;
}

/** A newer epoch has begun: whatever this one still wants to write is refused. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(place: string) {
    super(`Another member leads by now; what this one knew is not saved in ${place}.`);
  }
}

/** The name of the member in a holder, which is `name/id`. */
export function memberOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf('/'));
}

/** The name of the lease of all sources; while they are divided, its holder says how, and nobody can take it. */
export const ALL = 'all';

const LAYOUTS = 'groups/';

export function isLayout(holder: string): boolean {
  return holder.startsWith(LAYOUTS);
}

/** Of a row of `linewatch_lease` under this name: the same as long as nobody has taken, renewed or given it back. */
export function signOf(row: string): string {
  return `(${row}.epoch || '/' || ${row}.renewals || '/' || extract(epoch from ${row}.expires_at))`;
}

/**
 * Null where somebody else holds it or gives it back just now, where the sources are divided otherwise, or where a newer
 * Linewatch has led. What the former left is that of the row that is replaced: the statement may have begun before that was
 * written. Rejects with `DatabaseError`.
 */
export async function takeLease(
  { ask }: Database,
  { instance, name, holder, format, leaseMs, layout = null, lapsed, freeMs = 0 }: Claim,
): Promise<TakenLease | null> {
  const [row] = await ask<Omit<TakenLease, 'epoch' | 'slots'> & { epoch: string; slots: string | null }>(
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
      where lease.format <= $4 and (lease.holder is null or ${signOf('lease')} = $7)
        and coalesce(lease.holder, '') not like '${LAYOUTS}%'
        and (lease.epoch, lease.renewals) = (select epoch, renewals from former)
     returning epoch, (select last_holder from former) as former,
       (select greatest(0, extract(epoch from clock_timestamp() - expires_at))::float8 * 1000 from former) as "unledMs",
       exists (select from former where holder is not null) as "hasLapsed",
       (select slots from former where holder is null) as slots`,
    [instance, name, holder, format, leaseMs, layout, lapsed],
  );
  if (row === undefined) return null;
  // How the sources were divided is nobody's name.
  const former = row.former !== null && isLayout(row.former) ? null : row.former;
  const slots = stillTaken(JSON.parse(row.slots ?? '{}') as Slots, freeMs);
  return { ...row, former, epoch: Number(row.epoch), slots };
}

function stillTaken(slots: Slots, passedMs: number): Slots {
  const left = Object.entries(slots).map(([limits, all]) => {
    return [limits, all.flatMap((ms) => (ms > passedMs ? [Math.ceil(ms - passedMs)] : []))] as const;
  });
  return Object.fromEntries(left.filter(([, all]) => all.length > 0));
}

/** False where a newer epoch has begun. Rejects with `DatabaseError`. */
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

/**
 * Gives it back: whoever stands by may take it at once, and leaves to the provider what `slots` says. Rejects with
 * `DatabaseError`.
 */
export async function giveBackLease({ ask }: Database, term: Term, slots: Slots): Promise<void> {
  await ask(
    'give back the lease in',
    `update linewatch_lease
        set holder = null, renewals = renewals + 1, expires_at = clock_timestamp(), slots = $5
      where instance = $1 and name = $2 and holder = $3 and epoch = $4`,
    [term.instance, term.name, term.holder, term.epoch, JSON.stringify(slots)],
  );
}
