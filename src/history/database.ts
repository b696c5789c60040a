/**
 * The file of the history: `history.db` in the state directory, SQLite in WAL mode. A commit is a write into the log of
 * the database without a sync, so that it takes a fraction of a millisecond; the log is taken over into the file, with a
 * sync, before it is long. Readers beside a running daemon hold up nobody, nor are they held up.
 */
import { closeSync, constants, lstatSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const HISTORY_FILE = 'history.db';

/** SQLite keeps these beside the file while it is open. */
const COMPANIONS = ['-wal', '-shm'] as const;

const VERSION = 1;

/** Times are epoch milliseconds. What is written seldom is written out; what is written often names a thing by number. */
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

/** The log is taken over at half a megabyte, which takes some milliseconds. Pages in memory take no more than that either. */
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 128;
  PRAGMA journal_size_limit = 4000000;
  PRAGMA cache_size = -512;
`;

/** The file cannot be used as it is: it is damaged, or another version wrote it. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** Opens the history for writing, and makes it where there is none. Throws `Unusable`, or what SQLite or the disk say. */
export function openForWriting(directory: string): DatabaseSync {
  const path = join(directory, HISTORY_FILE);
  refuseLinks(path);
  // For its owner alone, as are the files that SQLite makes beside it.
  closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  const database = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: false });
  try {
    const version = versionOf(database);
    if (version === 0) database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    database.exec(SETTINGS);
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    else if (version !== VERSION) throw new Unusable(`another version of Linewatch wrote it (${version})`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens it for reading, beside whoever writes; null where there is none. Throws what SQLite says. */
export function openForReading(directory: string): DatabaseSync | null {
  const path = join(directory, HISTORY_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const database = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
  try {
    const version = versionOf(database);
    // Just being made.
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

/** Puts the file aside under a name that says when, for a person to look at; of those the last one stays. Returns it. */
export function putAside(directory: string, now: number): string {
  const path = join(directory, HISTORY_FILE);
  const aside = `${path}.aside-${new Date(now).toISOString().replaceAll(':', '-')}`;
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(`${basename(path)}.aside-`)) rmSync(join(directory, name), { force: true });
  }
  for (const ending of ['', ...COMPANIONS]) {
    if (lstatSync(`${path}${ending}`, { throwIfNoEntry: false }) !== undefined) {
      renameSync(`${path}${ending}`, `${aside}${ending}`);
    }
  }
  return aside;
}
