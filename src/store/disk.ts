/**
 * Disk operations of the store, as an interface: tests simulate a full, read-only or slow disk, and one that loses
 * unsynced data on power failure. Errors have one type with a stable code, so that the daemon can decide.
 */
import { constants } from 'node:fs';
import { link, mkdir, open, readFile, readdir, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readErrorCode, ForeseenError, explainDiskError } from '../net/failure.ts';

export interface DiskFile {
  /** Appends all bytes after those of earlier calls. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves once the content is durable; the name also needs `syncDirectory`. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Every operation rejects with an error that has the operating system's `code`, such as ENOENT or ENOSPC. */
export interface Disk {
  /** Mode 0700. EEXIST if the name is taken, ENOENT without a parent. */
  makeDirectory(path: string): Promise<void>;
  /** Names in a directory, unordered. */
  list(path: string): Promise<string[]>;
  /** Rejects symlinks with ELOOP. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Mode 0600. EEXIST if the name is taken, so that no existing content is truncated. */
  create(path: string): Promise<DiskFile>;
  /** Adds a hard link; EEXIST if the name is taken. */
  link(existing: string, added: string): Promise<void>;
  /** Atomic. No effect if both names are links to one file. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Resolves once the names in this directory are durable. */
  syncDirectory(path: string): Promise<void>;
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW;

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
      // Opened for reading only: a failing close is harmless.
      directory.close().catch(() => null);
    }
  },
};

/** `code`: the operating system's; `path`: the file or directory. */
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

/** Converts errors with a code to `DiskError`; others are rethrown. */
export async function wrapDiskError<T>(doing: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DiskError || readErrorCode(error) === null) throw error;
    throw new DiskError(doing, path, error);
  }
}

/** Like `wrapDiskError`, but returns false for the expected codes. */
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

/** Creates missing directories with mode 0700 and makes their names durable. */
export async function ensureDirectory(disk: Disk, path: string): Promise<void> {
  const made = await makeOne(disk, path);
  // An existing directory may be unsynced, if a process was killed after creating it. A parent that this process may
  // not open was made by another user and needs no sync.
  await ignoreCodes(made ? [] : ['EACCES', 'EPERM'], () => disk.syncDirectory(dirname(path)));
}

/** False if it exists. */
async function makeOne(disk: Disk, path: string): Promise<boolean> {
  try {
    return await ignoreCodes(['EEXIST'], () => disk.makeDirectory(path));
  } catch (error) {
    if (readErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await ensureDirectory(disk, dirname(path));
    return ignoreCodes(['EEXIST'], () => disk.makeDirectory(path));
  }
}
