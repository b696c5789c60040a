/**
 * Shards of the sources, each with a lease of its own. One shard has the lease of all sources. Where there are several, the
 * holder of that lease is their layout: while it is, no member can take it, and theirs are taken under that layout only. It
 * changes while no member leads anything, in one statement with the documents.
 */
import type { Database } from './connection.ts';
import { ALL, isLayout, toLeaseSign } from './lease.ts';

/** `layout`: null for one shard. */
export const leaseOf = (shard: number, layout: string | null): string => (layout === null ? ALL : `group ${shard}`);

/** One lease, and who has or had it. */
export interface SeenLease {
  /** As `leaseOf` the shard, or `ALL` with the layout. */
  name: string;
  /** Null where it was given back. */
  holder: string | null;
  epoch: number;
  /** Changes with whatever happens to it, see `toLeaseSign`. */
  sign: string;
  /** Milliseconds until the last slot of the limits of requests is free again; of a lease that was given back. */
  slotsMs: number;
  /** Another member asks something of its holder. */
  isAsked: boolean;
}

/** As the database has it now. */
export interface SeenLeases {
  /** Null where the sources are not divided. */
  layout: string | null;
  /** Format of the newest program that has led; 0 if none has. */
  format: number;
  /** When the first shard last saved what it keeps for all; null where it has not. */
  savedForAllAt: string | null;
  /** All of them. */
  leases: SeenLease[];
}

interface LeaseRow extends SeenLease, Pick<SeenLeases, 'format' | 'savedForAllAt'> {}

const SLOTS_MS = `coalesce((select max(ms::float8)
  from jsonb_each(case when holder is null then slots::jsonb end) as one (limits, taken),
       jsonb_array_elements_text(taken) as slot (ms)), 0)`;

/** `withAsks`: what is asked is read, too, from a table that may lack; else nothing is. Rejects with `DatabaseError`. */
export async function readLeases({ ask }: Database, instance: string, withAsks = false): Promise<SeenLeases> {
  const asked = withAsks
    ? `exists (select from linewatch_ask where instance = $1 and lease = lease.name and taken_at is null)`
    : 'false';
  const rows = await ask<LeaseRow>(
    'read the leases in',
    `select name, holder, epoch, format, ${toLeaseSign('lease')} as sign, ${SLOTS_MS} as "slotsMs", ${asked} as "isAsked",
            (select max(saved_at)::text from linewatch_document where instance = $1 and kind = 'instance') as "savedForAllAt"
       from linewatch_lease as lease where instance = $1 order by name`,
    [instance],
  );
  const all = rows.find(({ name }) => name === ALL);
  const by = all?.holder ?? null;
  return {
    layout: by !== null && isLayout(by) ? by : null,
    format: all?.format ?? 0,
    savedForAllAt: all?.savedForAllAt ?? null,
    leases: rows.map(({ name, holder, epoch, sign, slotsMs, isAsked }) => ({
      name,
      holder,
      epoch: Number(epoch),
      sign,
      slotsMs,
      isAsked,
    })),
  };
}

/** A document of receivers or of Linewatch itself, by the kind that it has in its group. */
export interface SharedDocument {
  kind: string;
  name: string;
  schema: number;
  /** JSON. */
  value: string;
}

/** Changes to the shared documents under a new division. */
export interface Resharding {
  put: readonly SharedDocument[];
  /** Kinds of which nothing stays. */
  gone: readonly string[];
}

export interface LayoutWanted {
  instance: string;
  /** Null for all sources in one. */
  layout: string | null;
  format: number;
  /** As they were read; no member may lead by any of them. */
  leases: readonly Pick<SeenLease, 'name' | 'sign'>[];
  /** Brings the documents of receivers and of Linewatch itself from the shards of before to those of now. */
  reshard(documents: readonly SharedDocument[]): Resharding;
}

/** Sign of a lease that was never taken. */
const UNTAKEN = '0/0/-Infinity';

/**
 * One statement, so that a member that fails meanwhile leaves nothing locked: it does nothing where anything was written
 * since the leases and documents were read. False then, and where a newer Linewatch has led. What a member believed to lead
 * until then is over. Rejects with `DatabaseError`, and as `reshard` does.
 */
export async function adoptLayout({ ask }: Database, wanted: LayoutWanted): Promise<boolean> {
  const { instance, layout, format, leases } = wanted;
  const doing = 'divide the sources in';
  const isFirst = !leases.some(({ name }) => name === ALL);
  if (isFirst && layout === null) return true;
  if (isFirst) {
    // Two that begin at the same moment must meet at a row.
    await ask(
      doing,
      `insert into linewatch_lease (instance, name, holder, last_holder, epoch, format, expires_at)
       values ($1, '${ALL}', null, $2, 0, 0, '-infinity') on conflict do nothing`,
      [instance, layout],
    );
  }
  const seen = isFirst ? [...leases, { name: ALL, sign: UNTAKEN }] : leases;
  const documents = await ask<SharedDocument & { saved: string }>(
    doing,
    `select kind, name, schema, value, extract(epoch from saved_at)::text as saved from linewatch_document
      where instance = $1 and (kind like 'receiver%' or kind like 'instance%') order by length(kind), kind`,
    [instance],
  );
  const { put, gone } = wanted.reshard(documents);
  const [row] = await ask<{ adopted: boolean }>(doing, ADOPT, [
    instance,
    layout,
    format,
    JSON.stringify(seen.map(({ name, sign }) => ({ name, sign }))),
    JSON.stringify(documents.map(({ kind, name, saved }) => ({ kind, name, saved }))),
    JSON.stringify(put),
    JSON.stringify(gone),
  ]);
  return row?.adopted === true;
}

/** Numbers: all that were given while they were not shared; quotes within a text are escaped. */
const ADOPT = `
  with seen as (select * from json_to_recordset($4::json) as one (name text, sign text)),
  read as (select * from json_to_recordset($5::json) as one (kind text, name text, saved numeric)),
  leases as materialized (
    select lease.name from linewatch_lease as lease join seen on seen.name = lease.name
     where lease.instance = $1 and lease.format <= $3 and ${toLeaseSign('lease')} = seen.sign for update of lease),
  documents as materialized (
    select document.kind from linewatch_document as document join read using (kind, name)
     where document.instance = $1 and extract(epoch from document.saved_at) = read.saved for update of document),
  unchanged as materialized (
    select 1 where (select count(*) from leases) = (select count(*) from seen)
               and (select count(*) from linewatch_lease where instance = $1) = (select count(*) from seen)
               and (select count(*) from documents) = (select count(*) from read)),
  divided as (
    update linewatch_lease
       set holder = case name when '${ALL}' then $2 end,
           last_holder = case name when '${ALL}' then coalesce($2, last_holder) else last_holder end,
           format = case name when '${ALL}' then $3 else format end, epoch = epoch + 1, renewals = renewals + 1, slots = null,
           expires_at = case when name = '${ALL}' and $2::text is not null then 'infinity' else clock_timestamp() end
     where instance = $1 and exists (select from unchanged)),
  numbered as (
    insert into linewatch_number as known (instance, last)
    select $1, coalesce((select max(substring(value from '"lastNumber":([0-9]+)')::bigint)
      from linewatch_document where instance = $1 and (kind = 'source' or kind like 'instance%')), 0) from unchanged
    on conflict (instance) do update set last = greatest(known.last, excluded.last)),
  put as (
    insert into linewatch_document (instance, kind, name, schema, epoch, saved_at, value)
    select $1, one.kind, one.name, one.schema, 0, clock_timestamp(), one.value
      from unchanged, json_to_recordset($6::json) as one (kind text, name text, schema integer, value text)
    on conflict (instance, kind, name) do update
       set schema = excluded.schema, epoch = 0, saved_at = excluded.saved_at, value = excluded.value),
  gone as (
    delete from linewatch_document where exists (select from unchanged) and instance = $1
       and kind in (select json_array_elements_text($7::json)))
  select true as adopted from unchanged`;

/** Reserves numbers of alerts above the last known one; returns the first. Rejects with `DatabaseError`. */
export async function reserveNumbers(
  { ask }: Pick<Database, 'ask'>,
  { instance, count, above }: { instance: string; count: number; above: number },
): Promise<number> {
  const [row] = await ask<{ last: string }>(
    'number alerts in',
    `insert into linewatch_number as known (instance, last) values ($1, $2::bigint + $3)
     on conflict (instance) do update set last = greatest(known.last, $2) + $3 returning last`,
    [instance, above, count],
  );
  return Number(row?.last) - count + 1;
}
