/**
 * The history in SQLite: `history.db` in the state directory, in WAL mode. A commit appends to the log without fsync
 * and takes a fraction of a millisecond. A checkpoint with fsync follows before the log grows long. Readers beside a
 * running daemon neither block nor are blocked.
 */
import { closeSync, lstatSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  TABLE_NAMES,
  TABLES,
  type HistoryStore,
  type HistoryQueries,
  type Batch,
  type OpenHistoryStore,
  type HistoryTable,
} from './history-store.ts';
import { ADDED, INDEXES, listMissingTables } from './added-tables.ts';
import { explainTrouble, classifyTrouble, Unusable } from './file-trouble.ts';
import { measureBytes, prune } from './prune-file.ts';

const HISTORY_FILE = 'history.db';

/** Files of SQLite while the database is open. */
const COMPANIONS = ['-wal', '-shm'] as const;

/** Schema version: a file of another version is not used. */
const VERSION = 1;

/** Times are epoch milliseconds. Rare rows are written out; frequent ones refer to subjects by number. */
const SCHEMA = `
  CREATE TABLE transitions (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, source TEXT NOT NULL, subject TEXT NOT NULL, kind TEXT NOT NULL,
    status TEXT NOT NULL, alert TEXT, number INTEGER, severity TEXT, title TEXT, content TEXT NOT NULL
  );
  CREATE INDEX transitions_at ON transitions (at);
  CREATE INDEX transitions_number ON transitions (number);
  CREATE TABLE alerts (
    source TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, severity TEXT NOT NULL, title TEXT NOT NULL,
    family TEXT NOT NULL, notice TEXT, status TEXT NOT NULL, cause TEXT, started_at INTEGER NOT NULL,
    opened_at INTEGER NOT NULL, resolved_at INTEGER, PRIMARY KEY (source, id)
  ) WITHOUT ROWID;
  CREATE INDEX alerts_number ON alerts (number);
  CREATE INDEX alerts_resolved ON alerts (resolved_at);
  CREATE TABLE deliveries (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, receiver TEXT NOT NULL, message TEXT NOT NULL, source TEXT NOT NULL,
    alert TEXT NOT NULL, number INTEGER, outcome TEXT NOT NULL, detail TEXT NOT NULL, recipients TEXT NOT NULL,
    promised_at INTEGER NOT NULL, due_at INTEGER NOT NULL, reminder INTEGER NOT NULL, transitions TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX deliveries_at ON deliveries (at);
  CREATE INDEX deliveries_number ON deliveries (number);
  CREATE TABLE things (
    thing INTEGER PRIMARY KEY, source TEXT NOT NULL, subject TEXT NOT NULL, name TEXT NOT NULL,
    UNIQUE (source, subject, name)
  );
  CREATE TABLE states (
    thing INTEGER NOT NULL, at INTEGER NOT NULL, state TEXT, PRIMARY KEY (thing, at)
  ) WITHOUT ROWID;
  CREATE TABLE phones (
    thing INTEGER NOT NULL, at INTEGER NOT NULL, total INTEGER NOT NULL, registered INTEGER NOT NULL,
    away INTEGER NOT NULL, lost INTEGER NOT NULL, PRIMARY KEY (thing, at)
  ) WITHOUT ROWID;
  CREATE TABLE readings (
    source TEXT NOT NULL, part TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL,
    PRIMARY KEY (source, part, since)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};
`;

/** Checkpoint at half a megabyte, which takes some milliseconds. The page cache is as small. */
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 128;
  PRAGMA journal_size_limit = 4000000;
  PRAGMA cache_size = -512;
`;

/** Finds damage in the file beside a writer; null if there is none. */
export type FaultFinder = (path: string) => Promise<string | null>;
const NEVER_LOOKED: FaultFinder = () => Promise.resolve(null);

/** Creates a missing file. `faultIn` must read the whole file without blocking the caller. */
export function createSqliteStore(
  directory: string,
  now: () => number,
  faultIn: FaultFinder = NEVER_LOOKED,
): HistoryStore {
  return {
    // Errors thrown by SQLite become rejections.
    open: () => Promise.try(() => openStore(openForWriting(directory), join(directory, HISTORY_FILE), faultIn)),
    classify: classifyTrouble,
    explain: explainTrouble,
    reset: () => Promise.try(putAside, directory, now()),
  };
}

export interface HistoryFile extends HistoryQueries {
  /** False once the file was renamed or replaced, and while tables are missing. */
  isInPlace(): boolean;
  close(): void;
}

/** Opens it for reading beside a writer; null without a file. Throws the error of SQLite or the disk. */
export function openHistoryFile(directory: string): HistoryFile | null {
  const path = join(directory, HISTORY_FILE);
  const inode = inodeOf(path);
  const database = openForReading(path);
  if (database === null) return null;
  const lacking = listMissingTables(database);
  for (const table of lacking) database.exec(`CREATE TEMP TABLE ${table} ${ADDED[table]}`);
  const isWhole = lacking.length === 0;
  return { ...toQueries(database), isInPlace: () => isWhole && inodeOf(path) === inode, close: () => database.close() };
}

/**
 * Reads every page beside a writer, so call it off the main path. Returns the damage or null. Throws the error of the
 * disk.
 */
export function findFault(path: string): string | null {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
  try {
    const found = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
    return found === 'ok' ? null : 'some of it is damaged';
  } catch (error) {
    if (classifyTrouble(error) === 'damaged') return 'some of it is damaged';
    throw error;
  } finally {
    database.close();
  }
}

/** Undefined without a file. */
function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}

function toQueries(database: DatabaseSync): HistoryQueries {
  return {
    ask: (sql, values = {}) => Promise.try(() => database.prepare(sql).all(values)),
    each: (list) => `json_each(${list}) AS one`,
    gathered: (column) => `json_group_array(${column})`,
  };
}

function openStore(database: DatabaseSync, path: string, faultIn: FaultFinder): OpenHistoryStore {
  try {
    const write = createWriter(database);
    const inode = inodeOf(path);
    return {
      ...toQueries(database),
      write: (batch) =>
        Promise.try(() => {
          // Writes to a deleted file would be lost.
          if (inodeOf(path) !== inode) throw new Unusable('it was taken away');
          write(batch);
        }),
      prune: (before) => Promise.try(prune, database, before),
      bytes: () => Promise.try(measureBytes, database),
      async check() {
        const fault = await faultIn(path);
        if (fault !== null) throw new Unusable(fault);
      },
      close() {
        try {
          // SQLite checkpoints on the last close, which may be a reader that cannot write.
          database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        } finally {
          database.close();
        }
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** One transaction without interruption. */
function createWriter(database: DatabaseSync): (batch: Batch) => void {
  const thing = database.prepare(
    'INSERT OR IGNORE INTO things (source, subject, name) VALUES ($source, $subject, $name)',
  );
  const named = '(SELECT thing FROM things WHERE source = $source AND subject = $subject AND name = $name)';
  // A loss may begin between two rows.
  const split = database.prepare(
    `INSERT OR IGNORE INTO phones SELECT thing, $since, total, registered, away, lost FROM phones
     WHERE thing = ${named} AND at < $since ORDER BY at DESC LIMIT 1`,
  );
  const backdate = database.prepare(
    `UPDATE phones SET lost = lost + $count WHERE thing = ${named} AND at >= $since AND at < $until`,
  );
  const put = TABLE_NAMES.map((table) => ({ table, statement: database.prepare(insertInto(table)) }));

  return (batch) => {
    database.exec('BEGIN IMMEDIATE');
    for (const { count, until, ...late } of batch.backdated ?? []) {
      split.run(late);
      backdate.run({ ...late, count, until });
    }
    for (const { table, statement } of put) {
      for (const row of batch[table]) {
        if (hasThings(table)) {
          const { source = null, subject = null, name = null } = row;
          thing.run({ source, subject, name });
        }
        statement.run(row);
      }
    }
    database.exec('COMMIT');
  };
}

function hasThings(table: HistoryTable): boolean {
  return table === 'states' || table === 'phones';
}

function insertInto(table: HistoryTable): string {
  const { columns, again } = TABLES[table];
  if (hasThings(table)) {
    const own = columns.slice(3).map((column) => `$${column}`);
    const named = 'source = $source AND subject = $subject AND name = $name';
    return `INSERT OR REPLACE INTO ${table} SELECT thing, ${own.join(', ')} FROM things WHERE ${named}`;
  }
  const [into, values] = [columns.join(', '), columns.map((column) => `$${column}`).join(', ')];
  const or = { stays: 'OR IGNORE', replaced: 'OR REPLACE', grows: '' }[again];
  const grows = again === 'grows' ? 'ON CONFLICT DO UPDATE SET until = MAX(until, excluded.until)' : '';
  return `INSERT ${or} INTO ${table} (${into}) VALUES (${values}) ${grows}`;
}

/** Throws `Unusable`, or the error of SQLite or the disk. */
function openForWriting(directory: string): DatabaseSync {
  const path = join(directory, HISTORY_FILE);
  refuseLinks(path);
  // Mode 0600, which SQLite copies to its companion files. An existing file is not opened here: closing it would
  // release SQLite's locks of a reader in this process.
  if (inodeOf(path) === undefined) closeSync(openSync(path, 'wx', 0o600));
  const database = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: false });
  try {
    const version = versionOf(database);
    if (version === 0) database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    database.exec(SETTINGS);
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    else if (version !== VERSION) throw new Unusable(`another version of Linewatch wrote it (${version})`);
    for (const table of listMissingTables(database)) database.exec(`CREATE TABLE ${table} ${ADDED[table]}`);
    database.exec(INDEXES);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function openForReading(path: string): DatabaseSync | null {
  if (inodeOf(path) === undefined) return null;
  const database = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
  try {
    const version = versionOf(database);
    // Being created.
    if (version === 0) return null;
    if (version !== VERSION) throw new Unusable(`another version of Linewatch wrote it (${version})`);
    database.exec('PRAGMA cache_size = -2048');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

function refuseLinks(path: string): void {
  for (const name of [path, ...COMPANIONS.map((ending) => `${path}${ending}`)]) {
    if (lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw Object.assign(new Error(`${name} is a symbolic link, and none is followed.`), { code: 'ELOOP' });
    }
  }
}

/** Renames the file with a timestamp for inspection and keeps only the latest. Returns the new name; null without a file. */
function putAside(directory: string, now: number): string | null {
  const path = join(directory, HISTORY_FILE);
  const aside = `${path}.aside-${new Date(now).toISOString().replaceAll(':', '-')}`;
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(`${basename(path)}.aside-`)) rmSync(join(directory, name), { force: true });
  }
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  for (const ending of ['', ...COMPANIONS]) {
    if (lstatSync(`${path}${ending}`, { throwIfNoEntry: false }) !== undefined) {
      renameSync(`${path}${ending}`, `${aside}${ending}`);
    }
  }
  return isThere ? aside : null;
}
