/**
 * Tables in the database, created and migrated by the program itself: in one transaction, by one member while the
 * others wait. An older program refuses a newer database.
 */
import { StateRefused } from '../finding.ts';
import { DatabaseError } from './database-error.ts';
import type { Statement, Database } from './connection.ts';

/** Each migrates the tables from the previous version; released migrations never change. */
const STEPS: readonly (readonly string[])[] = [
  [
    `create table linewatch_lease (
       instance text not null, name text not null, holder text, last_holder text not null, epoch bigint not null,
       format integer not null, expires_at timestamptz not null, primary key (instance, name))`,
    `create table linewatch_document (
       instance text not null, kind text not null, name text not null, schema integer not null, epoch bigint not null,
       saved_at timestamptz not null, value text not null, primary key (instance, kind, name))`,
    `create table linewatch_member (
       instance text not null, name text not null, version text not null, standing text not null, epoch bigint,
       clock_ahead_ms double precision not null, started_at timestamptz not null, seen_at timestamptz not null,
       primary key (instance, name))`,
  ],
  // Columns are described in `history/sqlite.ts`: times are epoch milliseconds. Identities instead of sequences, as
  // they need no privilege of their own.
  [
    `create table linewatch_transition (
       instance text not null, id text not null, rowid bigint not null generated always as identity, at bigint not null,
       source text not null, subject text not null, kind text not null, status text not null, alert text, number bigint,
       severity text, title text, content text not null, primary key (instance, id))`,
    'create index linewatch_transition_rowid on linewatch_transition (instance, rowid)',
    'create index linewatch_transition_at on linewatch_transition (instance, at)',
    'create index linewatch_transition_number on linewatch_transition (instance, number)',
    `create table linewatch_alert (
       instance text not null, source text not null, id text not null, number bigint not null, severity text not null,
       title text not null, family text not null, notice text, status text not null, cause text,
       started_at bigint not null, opened_at bigint not null, resolved_at bigint, primary key (instance, source, id))`,
    'create index linewatch_alert_number on linewatch_alert (instance, number)',
    'create index linewatch_alert_resolved on linewatch_alert (instance, resolved_at)',
    `create table linewatch_delivery (
       instance text not null, id text not null, at bigint not null, receiver text not null, message text not null,
       source text not null, alert text not null, number bigint, outcome text not null, detail text not null,
       recipients text not null, promised_at bigint not null, due_at bigint not null, reminder integer not null,
       transitions text not null, primary key (instance, id))`,
    'create index linewatch_delivery_at on linewatch_delivery (instance, at)',
    'create index linewatch_delivery_number on linewatch_delivery (instance, number)',
    `create table linewatch_thing (
       thing bigint primary key generated always as identity, instance text not null, source text not null,
       subject text not null, name text not null, unique (instance, source, subject, name))`,
    `create table linewatch_state (
       thing bigint not null, at bigint not null, state text, primary key (thing, at))`,
    `create table linewatch_phones (
       thing bigint not null, at bigint not null, total integer not null, registered integer not null,
       away integer not null, lost integer not null, primary key (thing, at))`,
    `create table linewatch_reading (
       instance text not null, source text not null, part text not null, since bigint not null, until bigint not null,
       primary key (instance, source, part, since))`,
    // Compresses a document of 5 MB in a third of the time; a server may be built without it.
    `do $$ begin
       alter table linewatch_document alter column value set compression lz4;
     exception when feature_not_supported then null; end $$`,
  ],
  ['alter table linewatch_member add column lag_ms double precision'],
  [
    'alter table linewatch_member add column leads text',
    'create table linewatch_number (instance text primary key, last bigint not null)',
  ],
  ['alter table linewatch_lease add column slots text'],
  [
    'alter table linewatch_lease add column renewals bigint not null default 0',
    'alter table linewatch_member add column process text',
    'alter table linewatch_member add column share double precision',
    'alter table linewatch_member add column configuration text',
    'alter table linewatch_member add column parts text',
  ],
  ['alter table linewatch_document add column revision bigint not null default 0'],
];

/**
 * Tables that an older program does not need, and that do not make it refuse this database: created if missing. Without
 * the privilege to create them the watch continues, and features that need them are refused.
 */
const ADDED: Readonly<Record<string, string>> = {
  linewatch_silence: `create table linewatch_silence (
    instance text not null, id text not null, begins_at bigint not null, ends_at bigint not null,
    created_at bigint not null, comment text not null, matchers text not null, primary key (instance, id))`,
  linewatch_notice: `create table linewatch_notice (
    instance text not null, source text not null, id text not null, origin text not null, type text not null, state text,
    subject text not null, url text, begins_at bigint, ends_at bigint, began_at bigint, ended_at bigint,
    created_at bigint, over_at bigint, components text not null, primary key (instance, source, id))`,
  linewatch_ask: `create table linewatch_ask (
    instance text not null, id text not null, lease text not null, member text not null, name text not null,
    ask text not null, asked_at timestamptz not null, taken_at timestamptz, answer text, primary key (instance, id))`,
};

const TABLES = [
  'linewatch_lease',
  'linewatch_document',
  'linewatch_member',
  'linewatch_transition',
  'linewatch_alert',
  'linewatch_delivery',
  'linewatch_thing',
  'linewatch_state',
  'linewatch_phones',
  'linewatch_reading',
  'linewatch_number',
  ...Object.keys(ADDED),
];
const RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
/** Errors of two members that create a table at the same instant: the table exists then. */
const MADE_MEANWHILE = new Set(['23505', '42P07', '42710']);
const NOT_ALLOWED = '42501';

const DOING = 'prepare the tables in';

/** Rejects with `StateRefused` for tables of a newer Linewatch, with `DatabaseError` without the privilege. */
export async function prepareTables(database: Database): Promise<void> {
  const migrate = (): Promise<void> => database.together(DOING, (ask) => migrateTables(ask, database.place));
  try {
    await migrate();
  } catch (error) {
    if (!(error instanceof DatabaseError) || !MADE_MEANWHILE.has(error.code)) throw error;
    await migrate();
  }
  for (const [name, statement] of Object.entries(ADDED)) await createIfMissing(database, name, statement);
}

async function createIfMissing({ ask }: Database, name: string, statement: string): Promise<void> {
  if (await hasTable(ask, name)) return;
  try {
    await ask(DOING, statement);
  } catch (error) {
    // `config check` names the missing privilege.
    if (error instanceof DatabaseError && (MADE_MEANWHILE.has(error.code) || error.code === NOT_ALLOWED)) return;
    throw error;
  }
}

async function hasTable(ask: Statement, name: string): Promise<boolean> {
  const [known] = await ask<{ there: boolean }>(DOING, 'select to_regclass($1) is not null as there', [name]);
  return known?.there === true;
}

async function migrateTables(ask: Statement, place: string): Promise<void> {
  if (!(await hasTable(ask, 'linewatch_tables'))) {
    await ask(
      DOING,
      'create table linewatch_tables (only_one boolean primary key check (only_one), version integer not null)',
    );
    await ask(DOING, 'insert into linewatch_tables values (true, 0)');
  }
  // A second member waits here until the first is done.
  const [row] = await ask<{ version: number }>(DOING, 'select version from linewatch_tables for update');
  const version = row?.version ?? 0;
  if (version > STEPS.length) {
    const message = `${place} was prepared by a newer Linewatch (tables ${version}; this one knows up to ${STEPS.length}). It was left as it is: run the newer version.`;
    throw new StateRefused('newer-schema', place, message);
  }
  if (version === STEPS.length) return;
  for (const statement of STEPS.slice(version).flat()) await ask(DOING, statement);
  await ask(DOING, 'update linewatch_tables set version = $1', [STEPS.length]);
}

/** Missing privileges of the connection's user; empty for none. Rejects with `DatabaseError`. */
export async function listMissingRights({ ask }: Database): Promise<string[]> {
  const doing = 'look up the rights in';
  const [schema] = await ask<{ name: string | null; may: boolean | null }>(
    doing,
    `select current_schema() as name, has_schema_privilege(current_schema(), 'CREATE') as may`,
  );
  const rows = await ask<{ name: string; lacking: string[] }>(
    doing,
    `select name, array(select right_ from unnest($2::text[]) as right_
                         where not has_table_privilege(to_regclass(name), right_)) as lacking
       from unnest($1::text[]) as name where to_regclass(name) is not null`,
    [`{${TABLES.join(',')}}`, `{${RIGHTS.join(',')}}`],
  );
  const lacking = rows.flatMap(({ name, lacking: rights }) => rights.map((right) => `${right} on ${name}`));
  if (rows.length === TABLES.length || schema?.may === true) return lacking;
  return [`CREATE in the schema ${schema?.name ?? '(none)'}, to make its tables`, ...lacking];
}
