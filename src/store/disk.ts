/**
 * The few operations the store needs from a disk. They are an interface so that tests can run the store on a disk that
 * is full, read-only or slow, or that loses what was never synced when its power goes.
 */
import { constants } from 'node:fs';
import { link, mkdir, open, readFile, readdir, rename, unlink } from 'node:fs/promises';

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
      await directory.close();
    }
  },
};
