/** The members: each writes its row as often as it looks at the leases. */
import type { ReceiverTrouble } from '../../core/engine/receiver-trouble.ts';
import type { Database } from './connection.ts';

/** `too old`: it stands by for nothing, since a newer one has led. */
export type MemberStanding = 'leading' | 'standing by' | 'too old' | 'stopped';

export interface MemberReport {
  instance: string;
  name: string;
  /** This process, and no other that ever was. */
  process: string;
  /** The name may be another process's still: it is taken from it. */
  takesName: boolean;
  version: string;
  standing: MemberStanding;
  /** Which it leads with; null where it does not. */
  epoch: number | null;
  /** Epoch milliseconds, by the member's own clock. */
  now: number;
  startedAt: number;
  /** The shards that it leads, and how it divides the sources; null for a program of before that divides none. */
  leads: Leads | null;
  /** A hash of its configuration. */
  configuration: string | null;
  /** JSON, of what that is a hash; null where it was reported before and is the same. */
  parts: string | null;
  /** Its share of every limit of requests, above 0 and at most 1; null while it leads nothing. */
  share: number | null;
  /** How long the database took to answer it just before, there and back; null where that is not known. */
  lagMs: number | null;
}

export interface Leads {
  /** Null for one shard. */
  layout: string | null;
  groups: readonly number[];
  /**
   * Trouble with receivers, by each shard whose daemon runs: one member tells it for all. A program of before tells its own,
   * and says nothing here.
   */
  troubles?: Readonly<Record<string, readonly ReceiverTrouble[]>>;
}

/** As the others see it. */
export interface Member extends Pick<
  MemberReport,
  'name' | 'version' | 'standing' | 'epoch' | 'lagMs' | 'leads' | 'share' | 'configuration'
> {
  /** Which process has the name; null for a program of before, which does not say it. */
  process: string | null;
  /** Changes with every report. */
  seenAt: string;
  /** Milliseconds since it last wrote, by the database's clock; in `MemberRegistry`, by this member's own as far as that goes back. */
  silentMs: number;
  /** How far its clock is ahead of the database's, in milliseconds, as well as the way there is known. */
  clockAheadMs: number;
}

/**
 * Resolves to all members, as `listMembers` does. Nothing is written where the name is another process's and is not to be
 * taken from it. Rejects with `DatabaseError`.
 */
export async function reportMember({ ask }: Database, report: MemberReport): Promise<Member[]> {
  const {
    instance,
    name,
    process,
    takesName,
    version,
    standing,
    epoch,
    now,
    startedAt,
    lagMs,
    leads,
    share,
    configuration,
    parts,
  } = report;
  const rows = await ask<MemberRow>(
    'report to',
    `with gone as (delete from linewatch_member where instance = $1 and name <> $2 and ${FORGOTTEN}),
     said as (
     insert into linewatch_member (instance, name, version, standing, epoch, clock_ahead_ms, started_at, seen_at, lag_ms,
                                   leads, process, share, configuration, parts)
     values ($1, $2, $3, $4, $5, $6::float8 - extract(epoch from clock_timestamp())::float8 * 1000,
             to_timestamp($7::float8 / 1000), clock_timestamp(), $8, $9, $10, $12, $13, $14)
     on conflict (instance, name) do update
        set version = excluded.version, standing = excluded.standing, epoch = excluded.epoch,
            clock_ahead_ms = excluded.clock_ahead_ms, started_at = excluded.started_at, seen_at = excluded.seen_at,
            lag_ms = excluded.lag_ms, leads = excluded.leads, process = excluded.process, share = excluded.share,
            configuration = excluded.configuration, parts = coalesce(excluded.parts, linewatch_member.parts)
      where $11 or linewatch_member.process is null or linewatch_member.process = excluded.process
     returning *)
     select ${COLUMNS} from said union all
     select ${COLUMNS} from linewatch_member
      where instance = $1 and case when name = $2 then not exists (select from said) else not ${FORGOTTEN} end
      order by name`,
    // It arrives half of the way later.
    [
      instance,
      name,
      version,
      standing,
      epoch,
      now + (lagMs ?? 0) / 2,
      startedAt,
      lagMs,
      leads === null ? null : JSON.stringify(leads),
      process,
      takesName,
      share,
      configuration,
      parts,
    ],
  );
  return rows.map(asRead);
}

/** Reads the parts that the hash of its configuration covers, as JSON; null if unknown. Rejects with `DatabaseError`. */
export async function readParts({ ask }: Database, instance: string, name: string): Promise<string | null> {
  const [row] = await ask<{ parts: string | null }>(
    'read the members in',
    'select parts from linewatch_member where instance = $1 and name = $2',
    [instance, name],
  );
  return row?.parts ?? null;
}

/** Nothing waits for what was not seen for so long. */
const FORGOTTEN = `(seen_at < clock_timestamp() - interval '7 days')`;

/** False where there is none of that name. Rejects with `DatabaseError`. */
export async function forgetMember({ ask }: Database, instance: string, name: string): Promise<boolean> {
  const rows = await ask(
    'forget a member in',
    'delete from linewatch_member where instance = $1 and name = $2 returning name',
    [instance, name],
  );
  return rows.length > 0;
}

/** All that were ever seen and not forgotten, by name. Rejects with `DatabaseError`. */
export async function listMembers({ ask }: Database, instance: string): Promise<Member[]> {
  const rows = await ask<MemberRow>(
    'read the members in',
    `select ${COLUMNS} from linewatch_member where instance = $1 order by name`,
    [instance],
  );
  return rows.map(asRead);
}

type MemberRow = Omit<Member, 'epoch' | 'leads'> & { epoch: string | null; leads: string | null };

const COLUMNS = `name, version, standing, epoch, leads, clock_ahead_ms as "clockAheadMs", lag_ms as "lagMs",
  process, share, configuration, seen_at::text as "seenAt",
  extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 as "silentMs"`;

function asRead(row: MemberRow): Member {
  return {
    ...row,
    epoch: row.epoch === null ? null : Number(row.epoch),
    leads: row.leads === null ? null : (JSON.parse(row.leads) as Leads),
  };
}
