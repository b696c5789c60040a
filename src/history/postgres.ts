/**
 * The history in PostgreSQL, shared by all members of an installation: the tables of the file, plus the installation.
 * Each write is a single statement that also proves leadership.
 */
import {
  TABLE_NAMES,
  TABLES,
  type HistoryStore,
  type HistoryQueries,
  type HistoryTrouble,
  type HistoryTable,
  type HistoryValue,
} from './history-store.ts';
import { REACH } from './past-notices.ts';

/** Rows removed per step: the database serves others too. */
const ROWS_A_STEP = 2_000;

/** Access for reading. */
export interface SharedDatabase {
  /** Parameters are $1, $2 and so on; `doing` completes "Cannot … the database". */
  ask(doing: string, text: string, values: readonly HistoryValue[]): Promise<Record<string, unknown>[]>;
  /** Name of the installation. */
  instance: string;
}

/** Access for writing. */
export interface LedDatabase extends SharedDatabase {
  /** Follows a CTE `held` that has a row while the writer leads. $1 is the installation; own parameters start at $5. */
  write(doing: string, statement: string, values: readonly HistoryValue[]): Promise<Record<string, unknown>>;
  troubleOf(error: unknown): 'refused' | 'away' | 'over';
}

const NAMES: Readonly<Record<HistoryTable, string>> = {
  transitions: 'linewatch_transition',
  alerts: 'linewatch_alert',
  deliveries: 'linewatch_delivery',
  states: 'linewatch_state',
  phones: 'linewatch_phones',
  readings: 'linewatch_reading',
  silences: 'linewatch_silence',
  notices: 'linewatch_notice',
};

/** A table of states over time: its rows belong to a thing, which has the installation. */
function isStanding(table: string): boolean {
  return table === 'states' || table === 'phones';
}

/** Tables under their query names, limited to this installation. */
const OWN_TABLES = `WITH ${Object.entries({ ...NAMES, things: 'linewatch_thing' })
  .map(([name, table]) => {
    const own = isStanding(name) ? '' : 'WHERE instance = $1';
    return `${name} AS NOT MATERIALIZED (SELECT * FROM ${table} ${own})`;
  })
  .join(', ')} `;

/** Rejects with `DatabaseError`. Parameters are `$name` in the SQL. */
export function createHistoryQueries({ ask, instance }: SharedDatabase): HistoryQueries {
  return {
    ask(sql, values = {}) {
      const names = Object.keys(values);
      const text = sql.replaceAll(/\$([a-z]+)/g, (_, name: string) => `$${names.indexOf(name) + 2}`);
      return ask('read the history in', OWN_TABLES + text, [instance, ...names.map((name) => values[name] ?? null)]);
    },
    each: (list) => `json_array_elements_text(${list}::json) AS one(value)`,
    gathered: (column) => `json_agg(${column})::text`,
  };
}

/** Writing rejects with `LeaseLost` if another member leads. */
export function createPostgresStore(database: LedDatabase): HistoryStore {
  const asking = createHistoryQueries(database);
  return {
    open: () =>
      Promise.resolve({
        ...asking,
        async write(batch) {
          const filled = TABLE_NAMES.filter((table) => batch[table].length > 0);
          const { backdated = [] } = batch;
          if (filled.length === 0 && backdated.length === 0) return;
          const rows = filled.map((table) => JSON.stringify(batch[table]));
          const late = backdated.length === 0 ? '' : backdating(rows.push(JSON.stringify(backdated)));
          const inserts = filled.length === 0 ? '' : insertsInto(filled);
          await database.write('write the history in', `${late}${inserts} select true as held from held`, rows);
        },
        async prune(before) {
          for (const step of [PRUNING_READINGS, PRUNING]) {
            const gone = await database.write('prune the history in', step, [before, ROWS_A_STEP]);
            if (Number(gone['most']) >= ROWS_A_STEP) return true;
          }
          return false;
        },
        async bytes() {
          const [sum] = await asking.ask(BYTES);
          return Number(sum?.['bytes']);
        },
        // The database checks its own pages.
        check: () => Promise.resolve(),
        close: () => undefined,
      }),
    classify: database.troubleOf,
    explain: (_: HistoryTrouble, error) => (error instanceof Error ? error.message : String(error)),
    async reset() {
      for (let most = ROWS_A_STEP; most >= ROWS_A_STEP;) {
        const gone = await database.write('remove the history in', REMOVING, [ROWS_A_STEP]);
        most = Number(gone['most']);
      }
      await database.write('remove the history in', REMOVING_THINGS, []);
      return null;
    },
  };
}

/** Inserts for the non-empty tables of a batch; their rows are JSON lists from $5 on. */
function insertsInto(filled: readonly HistoryTable[]): string {
  const given = (table: HistoryTable): string => `$${filled.indexOf(table) + 5}::jsonb`;
  const standing = filled.filter(isStanding);
  const others = filled.filter((table) => !isStanding(table));
  const ctes = others.map((table) => {
    const columns = TABLES[table].columns.join(', ');
    return `${table} as (
      insert into ${NAMES[table]} (instance, ${columns})
      select $1, ${columns} from jsonb_populate_recordset(null::${NAMES[table]}, ${given(table)})
       where exists (select from held) ${again(table)})`;
  });
  if (standing.length === 0) return `, ${ctes.join(', ')}`;
  // Distinct: a subject with two states in a batch occurs twice, and each of its rows would be written as often.
  const things = standing.map(
    (table) =>
      `select distinct source, subject, name from jsonb_to_recordset(${given(table)}) as r(source text, subject text, name text)`,
  );
  const naming = [
    `named as (${things.join(' union ')})`,
    `made as (
      insert into linewatch_thing (instance, source, subject, name)
      select $1, source, subject, name from named where exists (select from held)
      on conflict do nothing returning thing, source, subject, name)`,
    // A statement does not see its own inserts.
    `known as (
      select thing, source, subject, name from made union all
      select t.thing, t.source, t.subject, t.name from linewatch_thing t
        join named using (source, subject, name) where t.instance = $1)`,
  ];
  const upserts = standing.map((table) => {
    const own = TABLES[table].columns.slice(3).join(', ');
    const types = TABLES[table].columns.map((column) => `${column} ${STANDING_TYPES[column] ?? 'integer'}`).join(', ');
    return `${table} as (
      insert into ${NAMES[table]} (thing, ${own})
      select known.thing, ${own} from jsonb_to_recordset(${given(table)}) as r(${types})
        join known using (source, subject, name) where exists (select from held) ${again(table)})`;
  });
  return `, ${[...ctes, ...naming, ...upserts].join(', ')}`;
}

/** `place`: parameter of the list. A statement sees rows from before it; a loss may begin between two. */
function backdating(place: number): string {
  const fields = 'source text, subject text, name text, since bigint, until bigint, count integer';
  const concerned = 'late.thing = p.thing and p.at >= late.since and p.at < late.until';
  return `, late as (
      select t.thing, r.since, r.until, r.count from jsonb_to_recordset($${place + 4}::jsonb) as r(${fields})
        join linewatch_thing t using (source, subject, name) where t.instance = $1),
    backdated as (
      update linewatch_phones p set lost = p.lost + (select sum(late.count) from late where ${concerned})
       where p.thing in (select thing from late) and exists (select from late where ${concerned})
         and exists (select from held)),
    split as (
      insert into linewatch_phones (thing, at, total, registered, away, lost)
      select distinct on (late.thing, late.since) late.thing, late.since, h.total, h.registered, h.away, h.lost +
          (select sum(o.count) from late o where o.thing = late.thing and late.since >= o.since and late.since < o.until)
        from late join lateral (
          select * from linewatch_phones p where p.thing = late.thing and p.at <= late.since order by p.at desc limit 1
        ) h on h.at < late.since
       where exists (select from held))`;
}

const STANDING_TYPES: Readonly<Record<string, string>> = {
  source: 'text',
  subject: 'text',
  name: 'text',
  at: 'bigint',
  state: 'text',
};

/** Conflict action of a table. */
function again(table: HistoryTable): string {
  const { columns, key, again: what } = TABLES[table];
  if (what === 'stays') return 'on conflict do nothing';
  const keys = isStanding(table) ? ['thing', 'at'] : ['instance', ...key];
  if (what === 'grows') {
    return `on conflict (${keys.join(', ')}) do update set until = greatest(${NAMES[table]}.until, excluded.until)`;
  }
  const others = columns.filter((column) => !(key as readonly string[]).includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  return `on conflict (${keys.join(', ')}) do update set ${set}`;
}

/** Tables of events, with their time column. */
const DATED = [
  ['linewatch_transition', 'at'],
  ['linewatch_delivery', 'at'],
  ['linewatch_reading', 'until'],
  ['linewatch_alert', 'resolved_at'],
  ['linewatch_silence', 'ends_at'],
  ['linewatch_notice', 'over_at'],
] as const;

const STANDING = ['linewatch_state', 'linewatch_phones'] as const;

/** Older than $5, $6 rows. A continuously read source has one row for all time: truncate it. */
const PRUNING_READINGS = `, gone as (
    delete from linewatch_reading where exists (select from held) and ctid = any(array(
      select ctid from linewatch_reading where instance = $1 and until < $5 limit $6)) returning 1),
  shortened as (
    update linewatch_reading set since = $5
     where instance = $1 and since < $5 and until >= $5 and exists (select from held))
  select true as held, (select count(*) from gone) as most from held`;

/** Older than $5, $6 rows of a table. Keep the last state before the cutoff. */
const PRUNING = removal(
  [
    ...DATED.filter(([table]) => table !== 'linewatch_reading').map(([table, when]): Removed => [
      table,
      `select ctid from ${table} where instance = $1 and ${when} < $5 limit $6`,
    ]),
    ...STANDING.map((table): Removed => {
      const held = `select max(h.at) from ${table} h where h.thing = n.thing and h.at <= $5`;
      const old = `linewatch_thing n join ${table} t on t.thing = n.thing and t.at < (${held})`;
      return [table, `select t.ctid from ${old} where n.instance = $1 limit $6`];
    }),
  ],
  // The record of past notices is complete only since the cutoff.
  `shortened as (update linewatch_notice set began_at = $5
     where instance = $1 and origin = '${REACH}' and began_at < $5 and exists (select from held))`,
);

/** All rows, $5 per step. */
const REMOVING = removal([
  ...DATED.map(([table]): Removed => [table, `select ctid from ${table} where instance = $1 limit $5`]),
  ...STANDING.map((table): Removed => {
    const own = `linewatch_thing n join ${table} t on t.thing = n.thing where n.instance = $1`;
    return [table, `select t.ctid from ${own} limit $5`];
  }),
]);
const REMOVING_THINGS = removal([['linewatch_thing', 'select ctid from linewatch_thing where instance = $1']]);

/** Rows to remove from a table, by position. */
type Removed = readonly [table: string, rows: string];

/** One statement; returns the largest number of rows removed from a table. */
function removal(removed: readonly Removed[], ...beside: readonly string[]): string {
  const ctes = removed.map(
    ([table, rows], index) =>
      `gone_${index} as (delete from ${table} where ctid = any(array(${rows})) and exists (select from held) returning 1)`,
  );
  const counts = removed.map((_, index) => `(select count(*) from gone_${index})`).join(', ');
  return `, ${[...ctes, ...beside].join(', ')} select true as held, greatest(${counts}) as most from held`;
}

/** Estimated size: rows with indexes, plus text lengths. Space that autovacuum has yet to reclaim does not count. */
const BYTES = `SELECT COALESCE(SUM(taken), 0) AS bytes FROM (
  SELECT COUNT(*) * 300 + COALESCE(SUM(octet_length(content)), 0) AS taken FROM transitions UNION ALL
  SELECT COUNT(*) * 500 FROM deliveries UNION ALL
  SELECT COUNT(*) * 400 FROM alerts UNION ALL
  SELECT COUNT(*) * 150 FROM readings UNION ALL
  SELECT COUNT(*) * 400 FROM silences UNION ALL
  SELECT COUNT(*) * 500 FROM notices UNION ALL
  SELECT COUNT(*) * 100 FROM things JOIN states USING (thing) UNION ALL
  SELECT COUNT(*) * 110 FROM things JOIN phones USING (thing)) AS each_table`;
