/**
 * Exclusive ownership of a state directory, by an operating-system lock on its file `lock`. The kernel releases it
 * whenever its holder dies: there are no stale locks and no guessing from process ids, and of two starters exactly one
 * wins. Node.js has no call for such locks, but SQLite takes one (fcntl on Linux) for an exclusive transaction; the
 * file stays an empty database. Unlike a socket, a /proc entry or a process id, this works between containers that
 * share the directory.
 *
 * The directory must belong to this user, and links in it are refused: another user could otherwise have us overwrite
 * any file that we may write.
 */
import { constants } from 'node:fs';
import { access, chmod, lstat, open, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readErrorCode, ForeseenError } from '../net/failure.ts';
import { DiskError, ensureDirectory, ignoreCodes, wrapDiskError, realDisk, type Disk } from './disk.ts';
import { documentDirectories } from './document-name.ts';
import { StateRefused, type StoreFinding } from './finding.ts';

/** SQLite's code for a lock held by another process. */
const SQLITE_BUSY = 5;
const LOCK = 'lock';
const HOLDER = 'lock.holder';
/** Two simultaneous starters may both get "busy" at first; one succeeds within this time. */
const CONTENTION_MS = 300;

export interface LockOptions {
  directory: string;
  /** This process, named in refusals. */
  pid: number;
  /** User id of the process; null on systems without user ids. */
  user: number | null;
}

export type Lock = Awaited<ReturnType<typeof lockStateDirectory>>;

/** Another process owns the directory. `holder`: its process id if known. */
export class StateInUse extends ForeseenError {
  override readonly name = 'StateInUse';
  readonly directory: string;
  readonly holder: number | null;

  constructor(directory: string, holder: number | null) {
    const who = holder === null ? 'another process' : `process ${holder}`;
    super(
      `The state directory ${directory} is in use by ${who}. Stop it first, or give this one a state_dir of its own.`,
    );
    this.directory = directory;
    this.holder = holder;
  }
}

/** Codes for a directory that takes no new file. */
const UNWRITABLE = ['EROFS', 'EACCES', 'ENOSPC', 'EDQUOT'];

/**
 * Creates the directory if needed and locks it. Throws `StateInUse`, `StateRefused` or `DiskError`. May block for 0.3 s
 * under contention.
 *
 * A directory that is read-only or full does not prevent watching: it is read, and locked later. Nothing may be written
 * before that, see `createLockedDisk`.
 */
export async function lockStateDirectory({ directory, pid, user }: LockOptions) {
  await wrapDiskError('make the state directory', directory, () => ensureDirectory(realDisk, directory));
  await refuseOthers(directory, user);
  const permissions = await closeToOthers(directory);
  await refuseLinks(directory, [LOCK, HOLDER]);
  let database: DatabaseSync | null = null;
  let taking: Promise<void> | null = null;
  /** Concurrent callers share one attempt. */
  const take = async (): Promise<void> => {
    if (database !== null) return;
    taking ??= takeDirectory(directory, pid)
      .then((taken) => void (database = taken))
      .finally(() => void (taking = null));
    await taking;
  };
  const finding = await take().then(
    () => permissions,
    (error: unknown) => {
      if (error instanceof DiskError && UNWRITABLE.includes(error.code)) return unwritable(directory, error);
      throw error;
    },
  );
  return {
    /** Set if other users can read the directory, or if it could not be locked. */
    finding,
    /** Takes a lock that was unavailable at the start; no effect if held. Throws like `lockStateDirectory`. */
    take,
    /** Releases the directory, as the end of the process does. */
    release: (): void => database?.close(),
  };
}

function unwritable(directory: string, error: DiskError): StoreFinding {
  const message = `${error.message} Linewatch goes on from memory: nothing is saved, and no second one is kept from this directory.`;
  return { kind: 'unwritable', path: directory, keptAside: [], message };
}

async function takeDirectory(directory: string, pid: number): Promise<DatabaseSync> {
  const database = await takeLock(directory);
  try {
    await wrapDiskError('close to others', join(directory, LOCK), () => chmod(join(directory, LOCK), 0o600));
    await writeHolder(directory, pid);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The real disk; writes first take the lock if it is still missing. */
export function createLockedDisk(lock: Pick<Lock, 'take'>): Disk {
  return {
    ...realDisk,
    makeDirectory: (path) => lock.take().then(() => realDisk.makeDirectory(path)),
    create: (path) => lock.take().then(() => realDisk.create(path)),
    link: (existing, added) => lock.take().then(() => realDisk.link(existing, added)),
    rename: (from, to) => lock.take().then(() => realDisk.rename(from, to)),
    unlink: (path) => lock.take().then(() => realDisk.unlink(path)),
  };
}

async function takeLock(directory: string): Promise<DatabaseSync> {
  const path = join(directory, LOCK);
  // On a read-only disk SQLite would take a useless lock, and the system's reason is clearer than SQLite's.
  await wrapDiskError('lock', path, () => access(directory, constants.W_OK));
  // Closing an existing file would release a lock that this process has on it.
  await wrapDiskError('lock', path, () =>
    ignoreCodes(['EEXIST'], async () => {
      const file = await open(path, 'wx', 0o600);
      await file.close();
    }),
  );
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: CONTENTION_MS });
    // Nothing is stored, so a journal file would only be left behind.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    const code = error instanceof Error && 'errcode' in error ? error.errcode : null;
    if (code === SQLITE_BUSY) throw new StateInUse(directory, await readHolder(directory));
    throw new DiskError('lock', path, error);
  }
}

/**
 * Restricts the directory to its owner (0700). An existing one is restricted only if it is clearly ours: a `state_dir`
 * of /var or a home directory by mistake must not lock out everyone else.
 */
async function closeToOthers(directory: string): Promise<StoreFinding | null> {
  return wrapDiskError('prepare the state directory', directory, async () => {
    const { mode } = await stat(directory);
    if ((mode & 0o077) === 0) return null;
    const names = await readdir(directory);
    const ours = names.length === 0 || names.includes(LOCK);
    const closed = ours && (await tryChmod(directory));
    if (closed) return null;
    const message = `The state directory ${directory} can be entered by other users of this machine (mode ${(mode & 0o777).toString(8)}) and was left so; chmod 700 would close it.`;
    return { kind: 'permissions', path: directory, keptAside: [], message };
  });
}

async function tryChmod(directory: string): Promise<boolean> {
  try {
    await chmod(directory, 0o700);
    return true;
  } catch (error) {
    // Not the owner, a file system without modes, or read-only: a finding, not a refusal.
    if (['EPERM', 'EACCES', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP'].includes(readErrorCode(error) ?? '')) return false;
    throw error;
  }
}

/** The holder is recorded beside the lock, for messages only; the kernel's lock decides. */
interface Holder {
  pid: number;
  /** Start time of the process in kernel ticks: a later process may have the same id. */
  began: string | null;
}

async function writeHolder(directory: string, pid: number): Promise<void> {
  const holder: Holder = { pid, began: await beginningOf(pid) };
  try {
    await writeFile(join(directory, HOLDER), `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  } catch (error) {
    // A full disk must not prevent a start; refusals then name "another process".
    if (readErrorCode(error) === null) throw error;
  }
}

/** Null if there is no trustworthy record: the winner of a race may not have written it yet. */
async function readHolder(directory: string): Promise<number | null> {
  let text: string;
  try {
    text = await readFile(join(directory, HOLDER), 'utf8');
  } catch {
    // First start, or an unreadable file: the refusal names no process.
    return null;
  }
  const holder = /^\{"pid":(\d+),"began":"(\d+)"\}\n$/.exec(text);
  if (holder === null) return null;
  const pid = Number(holder[1]);
  return (await beginningOf(pid)) === holder[2] ? pid : null;
}

/** Field 22 of /proc/PID/stat (proc(5)); null without such a process or /proc. */
async function beginningOf(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program name in parentheses, which may contain spaces and parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** `directory` itself may be a symlink: the configuration chose it. */
async function refuseOthers(directory: string, user: number | null): Promise<void> {
  const { uid } = await wrapDiskError('look at', directory, () => stat(directory));
  if (user === null || uid === user) return;
  const message = `The state directory ${directory} belongs to another user (id ${uid}; this runs with id ${user}) and is not used. Give it to this user with chown, run Linewatch as its owner, or name a directory below it as state_dir, which Linewatch makes itself.`;
  throw new StateRefused('not-ours', directory, message);
}

/** Checks names that are opened outside the store, which itself follows no links. */
async function refuseLinks(directory: string, files: readonly string[]): Promise<void> {
  for (const name of [...files, ...documentDirectories]) {
    const path = join(directory, name);
    if (!(await isLink(path))) continue;
    const message = `${path} is a symbolic link, and none is followed in a state directory. Remove it, or put what it points to in its place.`;
    throw new StateRefused('link', path, message);
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
