/**
 * One process owns a state directory. The proof is a lock of the operating system on the file `lock` in it, which the
 * kernel takes back when its holder dies, however it dies: there is no stale lock, nothing to take over by guessing
 * from process ids, and of two starters exactly one wins. Node.js has no call for such a lock, but the SQLite inside
 * it takes one (fcntl on Linux) for an exclusive transaction; the file stays an empty database.
 * Unlike a socket, a name in /proc or a process id, this also holds between containers that share the directory.
 *
 * The state directory is this user's, and what lies in it lies there: another user's directory is not used, and a link
 * in it is not followed. Whoever could decide where our files go could have us overwrite any file we may write.
 */
import { constants } from 'node:fs';
import { access, chmod, lstat, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readErrorCode, ForeseenError } from '../net/failure.ts';
import { DiskError, ensureDirectory, wrapDiskError, realDisk, type Disk } from './disk.ts';
import { documentDirectories } from './document-name.ts';
import { StateRefused, type Finding } from './finding.ts';

/** SQLite's result code for "somebody else holds the lock". */
const SQLITE_BUSY = 5;
const LOCK = 'lock';
const HOLDER = 'lock.holder';
/** Two that start in the same instant can both be told "busy" at first; within this time one of them gets through. */
const CONTENTION_MS = 300;

export interface LockOptions {
  directory: string;
  /** This process, told to whoever is refused. */
  pid: number;
  /** The id of the user whose rights it has; null where the system has no such ids. */
  user: number | null;
}

export interface Lock {
  /** Set when the directory can be read by others and was left so, or when it could not be locked. */
  finding: Finding | null;
  /** False where the directory was read-only at the start and still is. */
  isHeld(): boolean;
  /** Takes a lock that could not be taken at the start; nothing where it is held. Throws as `lockStateDirectory`. */
  take(): Promise<void>;
  /** Gives the directory free; the end of the process does the same. */
  release(): void;
}

/** Another process owns the directory. `holder` is its process id where it is known. */
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

/** What a directory that is there and cannot be written answers. */
const READ_ONLY = ['EROFS', 'EACCES'];

/**
 * Makes the directory if need be and takes it for this process. Throws `StateInUse`, `StateRefused` or `DiskError`.
 * May block for 0.3 s while somebody else holds it.
 *
 * One that is read-only is no reason not to watch: it is read, and the lock is left for later. Until it is taken
 * nothing may be written, see `createLockedDisk`.
 */
export async function lockStateDirectory({ directory, pid, user }: LockOptions): Promise<Lock> {
  await wrapDiskError('make the state directory', directory, () => ensureDirectory(realDisk, directory));
  await refuseOthers(directory, user);
  const open = await closeToOthers(directory);
  await refuseLinks(directory, [LOCK, HOLDER]);
  let database: DatabaseSync | null = null;
  let taking: Promise<void> | null = null;
  /** Of several at once one tries, and all hear what it came to. */
  const take = async (): Promise<void> => {
    if (database !== null) return;
    taking ??= takeDirectory(directory, pid)
      .then((taken) => void (database = taken))
      .finally(() => void (taking = null));
    await taking;
  };
  const finding = await take().then(
    () => open,
    (error: unknown) => {
      if (error instanceof DiskError && READ_ONLY.includes(error.code)) return unwritable(directory, error);
      throw error;
    },
  );
  return { finding, isHeld: () => database !== null, take, release: () => database?.close() };
}

function unwritable(directory: string, error: DiskError): Finding {
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

/** The machine's disk for whoever holds the lock: what writes takes the lock first where it could not be taken yet. */
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
  // On a read-only disk SQLite would take a lock that shuts nobody out; and the system says why better than SQLite.
  await wrapDiskError('lock', path, () => access(directory, constants.W_OK));
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: CONTENTION_MS });
    // Nothing is ever stored, so there is nothing a journal file could help with; one would only be left behind.
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
 * The directory is for its owner alone (0700). One that was there before is only closed if it is plainly ours: a
 * state_dir that names /var or a home by mistake must not shut everybody out of it.
 */
async function closeToOthers(directory: string): Promise<Finding | null> {
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
    // Not its owner, a filesystem without modes, or a read-only one: told as a finding, no reason to refuse.
    if (['EPERM', 'EACCES', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP'].includes(readErrorCode(error) ?? '')) return false;
    throw error;
  }
}

/** Who holds the lock is written beside it, for messages only; the kernel's lock alone decides. */
interface Holder {
  pid: number;
  /** When that process began, in the kernel's own count, so that a later process of the same id is not blamed. */
  began: string | null;
}

async function writeHolder(directory: string, pid: number): Promise<void> {
  const holder: Holder = { pid, began: await beginningOf(pid) };
  try {
    await writeFile(join(directory, HOLDER), `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  } catch (error) {
    // A full disk must not keep the daemon from starting; whoever is refused is then told of "another process".
    if (readErrorCode(error) === null) throw error;
  }
}

/** Null when nothing trustworthy is written: the winner of a race may not have come to it yet. */
async function readHolder(directory: string): Promise<number | null> {
  let text: string;
  try {
    text = await readFile(join(directory, HOLDER), 'utf8');
  } catch {
    // The first start here, or a file that cannot be read: the refusal will then name no process.
    return null;
  }
  const holder = /^\{"pid":(\d+),"began":"(\d+)"\}\n$/.exec(text);
  if (holder === null) return null;
  const pid = Number(holder[1]);
  return (await beginningOf(pid)) === holder[2] ? pid : null;
}

/** Field 22 of /proc/PID/stat (proc(5)); null where there is no such process or no /proc. */
async function beginningOf(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** `directory` itself may be reached by a link: that was the choice of whoever wrote the configuration. */
async function refuseOthers(directory: string, user: number | null): Promise<void> {
  const { uid } = await wrapDiskError('look at', directory, () => stat(directory));
  if (user === null || uid === user) return;
  const message = `The state directory ${directory} belongs to another user (id ${uid}; this runs with id ${user}) and is not used. Give it to this user with chown, run Linewatch as its owner, or name a directory below it as state_dir, which Linewatch makes itself.`;
  throw new StateRefused('not-ours', directory, message);
}

/** The names that are opened by other means than the store's own, which follows no link. */
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
