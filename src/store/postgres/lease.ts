/**
 * Who leads: a row of the database, by the database's clock. It is taken by one statement, renewed and given back by one,
 * and each taking raises its epoch, so that a member that was paused or cut off is known by the epoch it still believes in.
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
}

export interface TakenLease {
  epoch: number;
  /** Who led before; null for the first. */
  former: string | null;
  /** Milliseconds since the former's lease has ended; null for the first. */
  unledMs: number | null;
  /** The former did not give it back. */
  hasLapsed: boolean;
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

/** The name of the lease of all sources; while they are divided, its holder says how, and nobody can take it. */
export const ALL = 'all';

export function isLayout(holder: string): boolean {
  return holder.startsWith('groups/');
}

/**
 * Null where somebody else holds it, where the sources are divided otherwise, or where a newer Linewatch has led. While the database was away its last holder goes
 * on from memory: one that comes back leaves it a lease's time to renew. Rejects with `DatabaseError`.
 */
export async function takeLease(
  { ask }: Database,
  { instance, name, holder, format, leaseMs, layout = null }: Claim,
): Promise<TakenLease | null> {
  const [row] = await ask<Omit<TakenLease, 'epoch'> & { epoch: string }>(
    'take the lease in',
    `with former as (
       select last_holder, holder, expires_at from linewatch_lease where instance = $1 and name = $2),
     layout as (select 1 from linewatch_lease where instance = $1 and name = '${ALL}' and holder = $6 for share)
     insert into linewatch_lease as lease (instance, name, holder, last_holder, epoch, format, expires_at)
     select $1, $2, $3, $3, 1, $4, clock_timestamp() + $5 * interval '1 millisecond'
      where $6::text is null or exists (select from layout)
     on conflict (instance, name) do update
        set holder = $3, last_holder = $3, epoch = lease.epoch + 1, format = $4,
            expires_at = clock_timestamp() + $5 * interval '1 millisecond'
      where lease.expires_at < clock_timestamp() and lease.format <= $4
        and (lease.holder is null
             or clock_timestamp() > pg_postmaster_start_time() + $5 * interval '1 millisecond')
     returning epoch, (select last_holder from former) as former,
       (select extract(epoch from clock_timestamp() - expires_at)::float8 * 1000 from former) as "unledMs",
       exists (select from former where holder is not null) as "hasLapsed"`,
    [instance, name, holder, format, leaseMs, layout],
  );
  if (row === undefined) return null;
  // How the sources were divided is nobody's name.
  const former = row.former !== null && isLayout(row.former) ? null : row.former;
  return { ...row, former, epoch: Number(row.epoch) };
}

/** False where a newer epoch has begun. Rejects with `DatabaseError`. */
export async function renewLease({ ask }: Database, term: Term, leaseMs: number): Promise<boolean> {
  const rows = await ask(
    'renew the lease in',
    `update linewatch_lease set expires_at = clock_timestamp() + $5 * interval '1 millisecond'
      where instance = $1 and name = $2 and holder = $3 and epoch = $4 returning epoch`,
    [term.instance, term.name, term.holder, term.epoch, leaseMs],
  );
  return rows.length > 0;
}

/**
 * Gives it back: whoever stands by may take it after `restMs`, which keeps the requests of two leaders apart.
 * Rejects with `DatabaseError`.
 */
export async function giveBackLease({ ask }: Database, term: Term, restMs: number): Promise<void> {
  await ask(
    'give back the lease in',
    `update linewatch_lease set holder = null, expires_at = clock_timestamp() + $5 * interval '1 millisecond'
      where instance = $1 and name = $2 and holder = $3 and epoch = $4`,
    [term.instance, term.name, term.holder, term.epoch, Math.max(0, restMs)],
  );
}

/** Whether a program that writes what this one cannot read has led: this one never does again. Rejects with `DatabaseError`. */
export async function newerHasLed(
  { ask }: Database,
  { instance, name, format }: Omit<Claim, 'holder' | 'leaseMs'>,
): Promise<boolean> {
  const rows = await ask(
    'read the lease in',
    'select format from linewatch_lease where instance = $1 and name = $2 and format > $3',
    [instance, name, format],
  );
  return rows.length > 0;
}
