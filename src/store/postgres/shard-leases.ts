/**
 * Leases of shards. A single shard has the lease of all sources. With several, the holder of that lease is their layout:
 * then no member can take it, and leases of shards are taken under that layout only. The layout changes in one statement
 * with the documents, while no member leads a shard whose sources change. The other shards keep their leaders.
 */
import type { DocumentRow } from './document-batch.ts';
import type { Database } from './connection.ts';
import { ALL, isLayout, LEASE_SIGN } from './lease.ts';

/** `layout`: null for one shard. */
export const leaseOf = (shard: number, layout: string | null): string => (layout === null ? ALL : `group ${shard}`);

/** One lease with its current or last holder. */
export interface SeenLease {
  /** Name by `leaseOf` for a shard, or `ALL` with the layout. */
  name: string;
  /** Null for a returned lease. */
  holder: string | null;
  epoch: number;
  /** Changes with every write of the lease, see `LEASE_SIGN`. */
  sign: string;
  /** Another member has a request for its holder. */
  isAsked: boolean;
}

/** The current leases in the database. */
export interface SeenLeases {
  /** Null for a single shard. */
  layout: string | null;
  /** Hashes of the sources of each shard by that layout; null if unknown. */
  hashes: readonly string[] | null;
  /** Format of the newest program that has led; 0 for none. */
  format: number;
  /** When the first shard last saved the state common to all; null if it has not. */
  savedForAllAt: string | null;
  /** All leases. */
  leases: SeenLease[];
}

interface LeaseRow extends SeenLease, Pick<SeenLeases, 'format' | 'savedForAllAt'> {
  lastHolder: string;
}

/** `withAsks`: also reads requests, from a table that may be missing. Rejects with `DatabaseError`. */
export async function readLeases({ ask }: Database, instance: string, withAsks = false): Promise<SeenLeases> {
  const asked = withAsks
    ? `exists (select from linewatch_ask where instance = $1 and lease = lease.name and taken_at is null)`
    : 'false';
  const rows = await ask<LeaseRow>(
    'read the leases in',
    `select name, holder, last_holder as "lastHolder", epoch, format, ${LEASE_SIGN} as sign, ${asked} as "isAsked",
            (select max(saved_at)::text from linewatch_document where instance = $1 and kind = 'instance') as "savedForAllAt"
       from linewatch_lease as lease where instance = $1 order by name`,
    [instance],
  );
  const all = rows.find(({ name }) => name === ALL);
  const by = all?.holder ?? null;
  const layout = by !== null && isLayout(by) ? by : null;
  return {
    layout,
    hashes: layout === null ? null : hashesIn(all?.lastHolder ?? ''),
    format: all?.format ?? 0,
    savedForAllAt: all?.savedForAllAt ?? null,
    leases: rows.map(({ name, holder, epoch, sign, isAsked }) => ({ name, holder, epoch, sign, isAsked })),
  };
}

/** The last holder of the layout's row, which no program compares with anything: the layout with the hashes of its shards. */
const withHashes = (layout: string, hashes: readonly string[]): string => `${layout}/${hashes.join('.')}`;

/** Null if an older program has written it. */
function hashesIn(lastHolder: string): string[] | null {
  return lastHolder.split('/')[3]?.split('.') ?? null;
}

/** Changes of the documents of receivers and of Linewatch itself for another layout. */
export interface Resharding {
  put: readonly DocumentRow[];
  /** Kinds to delete completely. */
  gone: readonly string[];
}

export interface LayoutWanted {
  instance: string;
  /** Null for a single shard. */
  layout: string | null;
  /** Hashes of the sources of each shard. */
  hashes: readonly string[];
  /** Shards whose sources change; null for all, if the former sources are unknown. */
  changed: readonly number[] | null;
  format: number;
  /** All as they were read; no member may hold those that `listConcernedLeases` lists. */
  leases: readonly (Pick<SeenLease, 'name' | 'sign'> & { freeMs: number })[];
  /** Brings the documents of receivers and of Linewatch itself from the shards of before to those of now, of `changed`. */
  reshard(documents: readonly DocumentRow[]): Resharding;
}

/** Leases that a new layout revokes; `ALL` is among them. */
export function listConcernedLeases<Lease extends Pick<SeenLease, 'name'>>(
  leases: readonly Lease[],
  { layout, changed }: Pick<LayoutWanted, 'layout' | 'changed'>,
): Lease[] {
  const names = changed?.map((shard) => leaseOf(shard, layout));
  return leases.filter(({ name }) => name === ALL || (names?.includes(name) ?? true));
}

const shardOf = (kind: string): number => Number(kind.split(' ')[1] ?? 1);

/** Sign of a lease that was never taken. */
const UNTAKEN = '0/0/-Infinity';

/**
 * One statement, so that a member that fails meanwhile leaves no lock. It changes nothing and returns false if anything
 * was written since the leases and documents were read, or if a newer Linewatch has led. It ends all earlier terms.
 * Rejects with `DatabaseError`, and as `reshard` does.
 */
export async function adoptLayout({ ask }: Database, wanted: LayoutWanted): Promise<boolean> {
  const { instance, layout, hashes, changed, format, leases } = wanted;
  const doing = 'divide the sources in';
  const isFirst = !leases.some(({ name }) => name === ALL);
  if (isFirst && layout === null) return true;
  if (isFirst) {
    // Create the row first, so that concurrent starters lock it.
    await ask(
      doing,
      `insert into linewatch_lease (instance, name, holder, last_holder, epoch, format, expires_at)
       values ($1, '${ALL}', null, $2, 0, 0, '-infinity') on conflict do nothing`,
      [instance, layout],
    );
  }
  const all = isFirst ? [...leases, { name: ALL, sign: UNTAKEN, freeMs: 0 }] : leases;
  const seen = listConcernedLeases(all, wanted);
  const documents = await ask<DocumentRow & { saved: string }>(
    doing,
    `select kind, name, schema, value, extract(epoch from saved_at)::text as saved from linewatch_document
      where instance = $1 and (kind like 'receiver%' or kind like 'instance%') order by length(kind), kind`,
    [instance],
  );
  const concerned = documents.filter(({ kind }) => changed?.includes(shardOf(kind)) ?? true);
  const { put, gone } = wanted.reshard(concerned);
  const own = (changed ?? hashes.map((_hash, index) => index + 1)).map((shard) => leaseOf(shard, layout));
  const names = new Set([...seen.map(({ name }) => name), ...own]);
  const [row] = await ask<{ adopted: boolean }>(doing, ADOPT, [
    instance,
    layout,
    format,
    JSON.stringify(seen.map(({ name, sign, freeMs }) => ({ name, sign, free_ms: freeMs }))),
    JSON.stringify(concerned.map(({ kind, name, saved }) => ({ kind, name, saved }))),
    JSON.stringify(put),
    JSON.stringify(gone),
    all.length,
    layout === null ? null : withHashes(layout, hashes),
    JSON.stringify([...names]),
  ]);
  return row?.adopted === true;
}

/**
 * Numbers: all that were given before members shared them; quotes within a text are escaped. Slots: occupied slots of the
 * limits of requests, from the former leaders to all next ones.
 */
const ADOPT = `
  with seen as (select * from json_to_recordset($4::json) as one (name text, sign text, free_ms float8)),
  read as (select * from json_to_recordset($5::json) as one (kind text, name text, saved numeric)),
  leases as materialized (
    select lease.name from linewatch_lease as lease join seen on seen.name = lease.name
     where lease.instance = $1 and lease.format <= $3 and ${LEASE_SIGN} = seen.sign for update of lease),
  documents as materialized (
    select document.kind from linewatch_document as document join read using (kind, name)
     where document.instance = $1 and extract(epoch from document.saved_at) = read.saved for update of document),
  unchanged as materialized (
    select 1 where (select count(*) from leases) = (select count(*) from seen)
               and (select count(*) from linewatch_lease where instance = $1) = $8
               and (select count(*) from documents) = (select count(*) from read)),
  slots as (
    select json_object_agg(limits, taken)::text as left_ from (
      select limits, json_agg(ms::float8 - seen.free_ms) as taken
        from linewatch_lease as lease join seen using (name), json_each(lease.slots::json) as one (limits, of_limit),
             json_array_elements_text(of_limit) as slot (ms)
       where lease.instance = $1 and lease.holder is null and ms::float8 > seen.free_ms group by limits) as by_limit),
  divided as (
    insert into linewatch_lease as lease (instance, name, holder, last_holder, epoch, format, expires_at, slots)
    select $1, name, case name when '${ALL}' then $2 end, coalesce($9, ''), 1, case name when '${ALL}' then $3 else 0 end,
           case when name = '${ALL}' and $2::text is not null then 'infinity' else clock_timestamp() end, left_
      from unchanged, slots, json_array_elements_text($10::json) as one (name)
    on conflict (instance, name) do update
       set holder = excluded.holder, format = greatest(lease.format, excluded.format), epoch = lease.epoch + 1,
           last_holder = case when excluded.holder is null then lease.last_holder else excluded.last_holder end,
           renewals = lease.renewals + 1, expires_at = excluded.expires_at, slots = excluded.slots),
  numbered as (
    insert into linewatch_number as known (instance, last)
    select $1, coalesce((select max(substring(value from '"lastNumber":([0-9]+)')::bigint)
      from linewatch_document where instance = $1 and (kind = 'source' or kind like 'instance%')), 0) from unchanged
    on conflict (instance) do update set last = greatest(known.last, excluded.last)),
  put as (
    insert into linewatch_document as known (instance, kind, name, schema, epoch, saved_at, value)
    select $1, one.kind, one.name, one.schema, 0, clock_timestamp(), one.value
      from unchanged, json_to_recordset($6::json) as one (kind text, name text, schema integer, value text)
    on conflict (instance, kind, name) do update
       set schema = excluded.schema, epoch = 0, revision = known.revision + 1, saved_at = excluded.saved_at,
           value = excluded.value),
  gone as (
    delete from linewatch_document where exists (select from unchanged) and instance = $1
       and kind in (select json_array_elements_text($7::json)))
  select true as adopted from unchanged`;

/** Reserves unique alert numbers above the last known one, and resolves to the first. Rejects with `DatabaseError`. */
export async function reserveNumbers(
  { ask }: Pick<Database, 'ask'>,
  { instance, count, above }: { instance: string; count: number; above: number },
): Promise<number> {
  const [row] = await ask<{ last: number }>(
    'number alerts in',
    `insert into linewatch_number as known (instance, last) values ($1, $2::bigint + $3)
     on conflict (instance) do update set last = greatest(known.last, $2) + $3 returning last`,
    [instance, above, count],
  );
  return Number(row?.last) - count + 1;
}
