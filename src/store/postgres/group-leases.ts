/**
 * Groups of the sources, each with a lease of its own. How they are divided is said by the holder of the lease of all
 * sources: while it is a layout, nobody can take that lease, a program that knows of no groups included; and a group's is
 * taken under the layout only. It changes while nobody leads anything, in one transaction with the documents.
 */
import type { Database, Statement } from './connection.ts';
import { ALL, isLayout } from './lease.ts';

export const leaseOf = (group: number): string => `group ${group}`;

/** How far a lease is from its end, and who has or had it. */
export interface GroupLease {
  group: number;
  /** Null where it was given back. */
  holder: string | null;
  epoch: number;
  /** Milliseconds until its end; 0 where that is over. */
  restMs: number;
  /** Another member asks something of whoever holds it. */
  isAsked: boolean;
}

/** As the database has it now. */
export interface GroupLeases {
  /** Null where the sources are not divided. */
  layout: string | null;
  /** What the newest program that has led writes; 0 where none has. */
  format: number;
  /** When the first group last saved what it keeps for all; null where it has not. */
  savedForAllAt: string | null;
  groups: GroupLease[];
}

interface LeaseRow extends Omit<GroupLease, 'group'>, Pick<GroupLeases, 'format' | 'savedForAllAt'> {
  name: string;
}

/** `withAsks`: what is asked is read, too, from a table that may lack; else nothing is. Rejects with `DatabaseError`. */
export async function groupLeasesOf({ ask }: Database, instance: string, withAsks = false): Promise<GroupLeases> {
  const asked = withAsks
    ? `exists (select from linewatch_ask where instance = $1 and lease = lease.name and taken_at is null)`
    : 'false';
  const rows = await ask<LeaseRow>(
    'read the leases in',
    `select name, holder, epoch, format, ${asked} as "isAsked",
            (select max(saved_at)::text from linewatch_document where instance = $1 and kind = 'instance') as "savedForAllAt",
            greatest(0, extract(epoch from least(expires_at, clock_timestamp() + interval '1 day') - clock_timestamp()))::float8
              * 1000 as "restMs"
       from linewatch_lease as lease where instance = $1 order by name`,
    [instance],
  );
  const all = rows.find(({ name }) => name === ALL);
  const by = all?.holder ?? null;
  return {
    layout: by !== null && isLayout(by) ? by : null,
    format: all?.format ?? 0,
    savedForAllAt: all?.savedForAllAt ?? null,
    groups: rows.flatMap(({ name, holder, epoch, restMs, isAsked }) =>
      name === ALL
        ? []
        : [{ group: Number(name.slice(leaseOf(0).length - 1)), holder, epoch: Number(epoch), restMs, isAsked }],
    ),
  };
}

export interface LayoutWanted {
  instance: string;
  /** Null for all sources in one. */
  layout: string | null;
  format: number;
  leaseMs: number;
  /** Brings what is kept of receivers and of Linewatch itself from the groups of before to those of now. */
  regroup(ask: Statement): Promise<void>;
}

/**
 * False while somebody leads by another layout, or where a newer Linewatch has led. What somebody believed to lead until
 * then is over. Rejects with `DatabaseError`, and as `regroup` does.
 */
export async function adoptLayout(database: Database, wanted: LayoutWanted): Promise<boolean> {
  const { instance, layout, format, leaseMs } = wanted;
  const doing = 'divide the sources in';
  return await database.together(doing, async (ask) => {
    // Two that begin at the same moment must meet at a row.
    await ask(
      doing,
      `insert into linewatch_lease (instance, name, holder, last_holder, epoch, format, expires_at)
       select $1, '${ALL}', null, $2, 0, 0, '-infinity' where $2::text is not null
       on conflict do nothing`,
      [instance, layout],
    );
    const [known] = await ask<{ holder: string | null; format: number }>(
      doing,
      `select holder, format from linewatch_lease where instance = $1 and name = '${ALL}' for update`,
      [instance],
    );
    const before = known?.holder ?? null;
    if (layout === null ? before === null || !isLayout(before) : before === layout) return true;
    if ((known?.format ?? 0) > format) return false;
    // While the database was away its last holders go on from memory: they have a lease's time to renew. And a source may
    // come to another group, whose leader does not hear of the slots that were left taken.
    const [led] = await ask<{ led: boolean }>(
      doing,
      `select exists (select from linewatch_lease where instance = $1 and expires_at <> 'infinity'
         and (expires_at > clock_timestamp()
              or (holder is null and clock_timestamp() < expires_at + interval '1 millisecond' * (
                    select max(ms::float8) from jsonb_each(slots::jsonb) as one (limits, taken),
                           jsonb_array_elements_text(taken) as slot (ms)))
              or (holder is not null
                  and clock_timestamp() <= pg_postmaster_start_time() + $2 * interval '1 millisecond'))) as led`,
      [instance, leaseMs],
    );
    if (led?.led === true) return false;
    await ask(
      doing,
      `update linewatch_lease set holder = null, epoch = epoch + 1, expires_at = clock_timestamp(), slots = null
        where instance = $1 and name <> '${ALL}'`,
      [instance],
    );
    await ask(
      doing,
      `update linewatch_lease
          set holder = $2, last_holder = coalesce($2, last_holder), epoch = epoch + 1, format = $3,
              expires_at = case when $2::text is null then clock_timestamp() else 'infinity' end
        where instance = $1 and name = '${ALL}'`,
      [instance, layout, format],
    );
    await ask(doing, NUMBERED, [instance]);
    await wanted.regroup(ask);
    return true;
  });
}

/** All that were given while nobody shared them: quotes within a text are escaped. */
const NUMBERED = `
  insert into linewatch_number as known (instance, last)
  select $1, coalesce(max(substring(value from '"lastNumber":([0-9]+)')::bigint), 0)
    from linewatch_document where instance = $1 and (kind = 'source' or kind like 'instance%')
  on conflict (instance) do update set last = greatest(known.last, excluded.last)`;

/** So many numbers of alerts that nobody else gives, all above the last one known; the first. Rejects with `DatabaseError`. */
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
