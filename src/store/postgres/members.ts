/** Reports of the members: each writes its state as often as it looks at the leases. */
import type { ReceiverTrouble } from '../../core/engine/receiver-trouble.ts';
import type { Database } from './connection.ts';

/** `too old`: it never takes a lease, since a newer program has led. */
export type MemberStanding = 'leading' | 'standing by' | 'too old' | 'stopped';

export interface MemberReport {
  instance: string;
  name: string;
  /** Unique id of this process. */
  process: string;
  /** Takes the name over if another process has it. */
  takesName: boolean;
  version: string;
  standing: MemberStanding;
  /** Epoch of its lead; null if it does not lead. */
  epoch: number | null;
  /** Epoch milliseconds, on the member's own clock. */
  now: number;
  startedAt: number;
  /** Shards that it leads, and its layout; null for an older program without shards. */
  leads: Leads | null;
  /** Hash of its configuration. */
  configuration: string | null;
  /** The hashed configuration as JSON; null if it is unchanged since an earlier report. */
  parts: string | null;
  /** Its share of every limit of requests, above 0 and at most 1; null if it does not lead. */
  share: number | null;
  /** Duration of the database's last answer, as a round trip; null if unknown. */
  lagMs: number | null;
}

export interface Leads {
  /** Null for one shard. */
  layout: string | null;
  groups: readonly number[];
  /** Hashes of the sources of each shard; an older program reports none. */
  hashes?: readonly string[];
  /** Layout that it uses as soon as all members want it; missing if that is `layout`. */
  wanted?: string | null;
  /**
   * Failures of receivers, by shard with a running daemon: one member reports them for all. An older program reports
   * its own and omits this.
   */
  troubles?: Readonly<Record<string, readonly ReceiverTrouble[]>>;
}

export function findWantedLayout({ layout, wanted = layout }: Leads): string | null {
  return wanted;
}

/** A member from the view of the others. */
export interface Member extends Pick<
  MemberReport,
  'name' | 'version' | 'standing' | 'epoch' | 'lagMs' | 'leads' | 'share' | 'configuration'
> {
  /** Id of the process with the name; null for an older program. */
  process: string | null;
  /** Changes with every report. */
  seenAt: string;
  /**
   * Milliseconds since its last report, on the database's clock; in `MemberRegistry`, on this member's own clock as far
   * as that goes back.
   */
  silentMs: number;
  /** Milliseconds by which its clock is ahead of the database's, corrected by the measured latency. */
  clockAheadMs: number;
}

/**
 * Resolves to all members, as `listMembers` does. Writes nothing if another process has the name and it is not to be
 * taken over. Rejects with `DatabaseError`.
 */
export async function reportMember({ ask }: Database, report: MemberReport): Promise<Member[]> {
  const { instance, lagMs, leads } = report;
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
    // It arrives after half of the round trip.
    [
      instance,
      report.name,
      report.version,
      report.standing,
      report.epoch,
      report.now + (lagMs ?? 0) / 2,
      report.startedAt,
      lagMs,
      leads === null ? null : JSON.stringify(leads),
      report.process,
      report.takesName,
      report.share,
      report.configuration,
      report.parts,
    ],
  );
  return rows.map(asRead);
}

/** The configuration behind its hash, as JSON; null if unknown. Rejects with `DatabaseError`. */
export async function readParts({ ask }: Database, instance: string, name: string): Promise<string | null> {
  const [row] = await ask<{ parts: string | null }>(
    'read the members in',
    'select parts from linewatch_member where instance = $1 and name = $2',
    [instance, name],
  );
  return row?.parts ?? null;
}

/** Members not seen for this long are forgotten. */
const FORGOTTEN = `(seen_at < clock_timestamp() - interval '7 days')`;

/** Removes all state of a member, if there is any. Rejects with `DatabaseError`. */
export async function forgetMember({ ask }: Database, instance: string, name: string): Promise<void> {
  await ask('forget a member in', 'delete from linewatch_member where instance = $1 and name = $2', [instance, name]);
}

/** All known members by name. Rejects with `DatabaseError`. */
export async function listMembers({ ask }: Database, instance: string): Promise<Member[]> {
  const rows = await ask<MemberRow>(
    'read the members in',
    `select ${COLUMNS} from linewatch_member where instance = $1 order by name`,
    [instance],
  );
  return rows.map(asRead);
}

type MemberRow = Omit<Member, 'leads'> & { leads: string | null };

const COLUMNS = `name, version, standing, epoch, leads, clock_ahead_ms as "clockAheadMs", lag_ms as "lagMs",
  process, share, configuration, seen_at::text as "seenAt",
  extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 as "silentMs"`;

function asRead(row: MemberRow): Member {
  return { ...row, leads: row.leads === null ? null : (JSON.parse(row.leads) as Leads) };
}
