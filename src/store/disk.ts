/**
 * The few operations the store needs from a disk. They are an interface so that tests can run the store on a disk that
 * is full, read-only or slow, or that loses what was never synced when its power goes. What the disk refuses is one error
 * type with a stable code, so that the daemon can decide.
 */
import { constants } from 'node:fs';
import { link, mkdir, open, readFile, readdir, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readErrorCode, ForeseenError, explainDiskError } from '../net/failure.ts';

/** A new file being written. */
export interface DiskFile {
  /** Appends all the bytes; more than one call continues where the last one ended. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves once the content survives a power cut; the name needs `syncDirectory` as well. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Every operation rejects with an error that has a `code` of the operating system, such as ENOENT or ENOSPC. */
export interface Disk {
  /** Makes one directory with mode 0700; EEXIST when the name is taken, ENOENT when its parent is missing. */
  makeDirectory(path: string): Promise<void>;
  /** The names in a directory, in no order. */
  list(path: string): Promise<string[]>;
  /** Follows no link: ELOOP. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Creates a file of mode 0600; EEXIST when the name is taken, so that no other name's content is ever cut. */
  create(path: string): Promise<DiskFile>;
  /** A second name for the same content; EEXIST when the new name is taken. */
  link(existing: string, added: string): Promise<void>;
  /** Takes the place of what is at `to` in one step. Does nothing when both names already mean the same content. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Resolves once the names in this directory survive a power cut. */
  syncDirectory(path: string): Promise<void>;
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW;

/** The machine's own disk. */
export const realDisk: Disk = {
  async makeDirectory(path) {
    await mkdir(path, { mode: 0o700 });
  },
  list: (path) => readdir(path),
  read: (path) => readFile(path, { flag: READ }),
  async create(path) {
    const file = await open(path, 'wx', 0o600);
    return {
      write: (bytes) => file.writeFile(bytes),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  },
  link,
  rename,
  unlink,
  async syncDirectory(path) {
    const directory = await open(path, 'r');
    try {
      await directory.sync();
    } finally {
      // Nothing was written through it: nobody waits for its end, nor can its end fail anything.
      directory.close().catch(() => null);
    }
  },
};

/** The disk refused an operation. `code` is the operating system's code, `path` the file or directory it concerns. */
export class DiskError extends ForeseenError {
  override readonly name = 'DiskError';
  readonly code: string;
  readonly path: string;

  constructor(doing: string, path: string, cause: unknown) {
    super(`Cannot ${doing} ${path}: ${explainDiskError(cause)}.`, { cause });
    this.code = readErrorCode(cause) ?? 'UNKNOWN';
    this.path = path;
  }
}

/** Runs one piece of work on the disk; an error with a code becomes a `DiskError`, any other stays what it is. */
export async function wrapDiskError<T>(doing: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DiskError || readErrorCode(error) === null) throw error;
    throw new DiskError(doing, path, error);
  }
}

/** Like `wrapDiskError`, but an error with one of these codes is expected and answers false. */
export async function ignoreCodes(codes: readonly string[], work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const code = readErrorCode(error);
    if (code !== null && codes.includes(code)) return false;
    throw error;
  }
}

/** Makes a directory and what is missing above it, each for its owner alone, and makes their names durable. */
export async function ensureDirectory(disk: Disk, path: string): Promise<void> {
  const made = await makeOne(disk, path);
  // A directory found here may be younger than its parent's last sync: a process may have been killed in between.
  // Where this program may not open a parent that somebody else made, that somebody saw to it.
  await ignoreCodes(made ? [] : ['EACCES', 'EPERM'], () => disk.syncDirectory(dirname(path)));
}

/** False when it was there already. */
async function makeOne(disk: Disk, path: string): Promise<boolean> {
  try {
    return await ignoreCodes(['EEXIST'], () => disk.makeDirectory(path));
  } catch (error) {
    if (readErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await ensureDirectory(disk, dirname(path));
    return ignoreCodes(['EEXIST'], () => disk.makeDirectory(path));
  }
}
