/**
 * A lowdb adapter that loses no commit in a crash or power failure.
 *
 * Writing: write and sync a new file, keep the old one as previous copy, rename the new one into place, sync the
 * directory. The current name always refers to a complete document, whatever order the disk persists unsynced changes
 * in. Reading: the current copy if its checksum is valid, else the previous one, which is restored and reported as a
 * finding. Writes must not overlap: `store.ts` ensures that.
 */
import { DiskError, ensureDirectory, wrapDiskError, ignoreCodes, type Disk } from './disk.ts';
import { duplicate, linkCopy, unlinkIfThere, writeWhole, type Copies } from './copies.ts';
import { migrate, seal, unseal, type Migration } from './envelope.ts';
import { toMigrationFinding, StateRefused, type StoreFinding } from './finding.ts';
import { readErrorCode } from '../net/failure.ts';
import type { DocumentAdapter } from './store.ts';

export interface DurableAdapterOptions {
  disk: Disk;
  copies: Copies;
  /** Schema version to write, from 1, and migrations from older ones. */
  schema: number;
  migrations: readonly Migration[];
  /** `read` never changes the disk: for commands beside a running daemon. */
  access: 'read' | 'write';
  /** Epoch milliseconds, part of the names of files set aside. */
  now: () => number;
}

/** State of a copy. `unreadable`: the disk's error if its bytes could not be read. */
type Copy =
  | { kind: 'missing' }
  | { kind: 'whole'; value: unknown; schema: number }
  | { kind: 'broken'; why: string; unreadable: DiskError | null };

/** Both operations reject with `DiskError`, `read` also with `StateRefused`. */
export function createDurableAdapter<T>(options: DurableAdapterOptions): DocumentAdapter<T> {
  const { disk, copies, schema, access, now } = options;
  let finding: StoreFinding | null = null;
  let directoryReady = false;
  /** Only an intact current copy may replace the previous one. */
  let currentIsWhole = false;

  async function read(): Promise<T | null> {
    finding = null;
    const current = await look(copies.current, options);
    if (current.kind === 'whole') {
      currentIsWhole = true;
      if (current.schema < schema) finding = toMigrationFinding(copies.current, current.schema, schema);
      if (access === 'write') await settle();
      return current.value as T;
    }
    currentIsWhole = false;
    const previous = await look(copies.previous, options);
    if (current.kind === 'missing' && previous.kind === 'missing') return null;
    if (previous.kind === 'whole') {
      await restore(current);
      return previous.value as T;
    }
    // Unreadable bytes may be readable later: discard nothing while the disk is failing.
    for (const copy of [current, previous]) if (copy.kind === 'broken' && copy.unreadable) throw copy.unreadable;
    await startAnew(current, previous);
    return null;
  }

  /** Syncs what a killed process left unsynced, and removes its leftovers. */
  async function settle(): Promise<void> {
    await attempt(copies.directory, async () => {
      await unlinkIfThere(disk, copies.temp);
      await unlinkIfThere(disk, copies.previousTemp);
      await disk.syncDirectory(copies.directory);
    });
  }

  async function restore(current: Copy): Promise<void> {
    const was = current.kind === 'broken' ? `is ${current.why}` : 'is missing';
    const taken = `${copies.current} ${was}; the copy kept before it (${copies.previous}) is used instead. What changed after it may be told again.`;
    if (access === 'read') {
      finding = { kind: 'restored', path: copies.current, keptAside: [], message: taken };
      return;
    }
    const keptAside: string[] = [];
    const failure = await attempt(copies.directory, async () => {
      if (current.kind === 'broken') keptAside.push(await keepAside(copies.current));
      await duplicate(disk, copies.previous, copies.current, copies.temp);
      currentIsWhole = true;
      await disk.syncDirectory(copies.directory);
    });
    finding = { kind: 'restored', path: copies.current, keptAside, message: taken + rest(keptAside, failure) };
  }

  async function startAnew(current: Copy, previous: Copy): Promise<void> {
    const keptAside: string[] = [];
    const failure = await attempt(copies.directory, async () => {
      if (access === 'read') return;
      if (current.kind === 'broken') keptAside.push(await keepAside(copies.current));
      if (previous.kind === 'broken') keptAside.push(await keepAside(copies.previous));
      await disk.syncDirectory(copies.directory);
    });
    const what = [describe(copies.current, current), describe(copies.previous, previous)].join(', ');
    const message = `No usable copy is left: ${what}. This document starts anew, without what was known before.`;
    finding = { kind: 'corrupt', path: copies.current, keptAside, message: message + rest(keptAside, failure) };
  }

  async function keepAside(path: string): Promise<string> {
    const aside = `${path}.broken-${new Date(now()).toISOString().replaceAll(/[-:]/g, '')}`;
    await disk.rename(path, aside);
    return aside;
  }

  async function write(value: T): Promise<void> {
    if (access === 'read') throw new Error(`${copies.current} was opened for reading only.`);
    const bytes = await seal(schema, value);
    try {
      await wrapDiskError('save', copies.current, () => replace(bytes));
    } catch (error) {
      directoryReady = false;
      // A partial file would occupy space on a full disk. Whether its removal works or not, report the first error.
      await attempt(copies.directory, async () => {
        await unlinkIfThere(disk, copies.temp);
        await unlinkIfThere(disk, copies.previousTemp);
      });
      throw error;
    }
  }

  async function replace(bytes: Uint8Array): Promise<void> {
    if (!directoryReady) {
      await ensureDirectory(disk, copies.stateDirectory);
      await ensureDirectory(disk, copies.directory);
      directoryReady = true;
    }
    // Each call takes a round trip to a worker thread, and deliveries wait for the last one. So independent work runs
    // in parallel with the write.
    const [, isNamed] = await both(writeWhole(disk, copies.temp, bytes), currentIsWhole ? namePrevious() : false);
    // Only once the new content is safe: until then the previous copy is the only other one.
    if (isNamed) await disk.rename(copies.previousTemp, copies.previous);
    await disk.rename(copies.temp, copies.current);
    currentIsWhole = true;
    // `rename` does nothing if both names are links to one file; then the temporary name remains.
    const tidied = isNamed ? unlinkIfThere(disk, copies.previousTemp) : null;
    await both(disk.syncDirectory(copies.directory), tidied);
  }

  /** False if there is nothing to keep: the file was deleted while the daemon ran, and its value is in memory. */
  function namePrevious(): Promise<boolean> {
    return ignoreCodes(['ENOENT'], () => linkCopy(disk, copies.current, copies.previousTemp));
  }

  return { read, write, finding: () => finding };
}

/** Waits for both to settle, so that no part of a failed write overlaps the next one. */
async function both<A, B>(one: Promise<A>, other: B | Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return await Promise.all([one, other]);
}

/** Reads a copy. Throws for documents of a newer Linewatch, and for disk errors other than damage. */
async function look(
  path: string,
  { disk, schema, migrations }: Pick<DurableAdapterOptions, 'disk' | 'schema' | 'migrations'>,
): Promise<Copy> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await disk.read(path);
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    if (code === null) throw error;
    const unreadable = new DiskError('read', path, error);
    if (code === 'EIO') return { kind: 'broken', why: 'unreadable (EIO)', unreadable };
    throw unreadable;
  }
  const opened = await unseal(bytes);
  if (opened.kind === 'broken') return { kind: 'broken', why: opened.why, unreadable: null };
  if (opened.kind === 'whole') {
    return { kind: 'whole', value: migrate(path, opened, { schema, migrations }), schema: opened.schema };
  }
  const message = `${path} was written by a newer Linewatch (file format ${opened.format}). It was left as it is: run the newer version, or give this one another state_dir.`;
  throw new StateRefused('newer-schema', path, message);
}

function describe(path: string, copy: Copy): string {
  return copy.kind === 'broken' ? `${path} is ${copy.why}` : `${path} is missing`;
}

function rest(keptAside: readonly string[], failure: DiskError | null): string {
  const kept = keptAside.length === 0 ? '' : ` Kept for a look: ${keptAside.join(', ')}.`;
  return failure === null ? kept : `${kept} This could not be finished on disk: ${failure.message}`;
}

/** Runs an optional step. Returns the disk's error instead of throwing, because the next commit would meet it again. */
async function attempt(path: string, work: () => Promise<void>): Promise<DiskError | null> {
  try {
    await wrapDiskError('tidy up', path, work);
    return null;
  } catch (error) {
    if (error instanceof DiskError) return error;
    throw error;
  }
}
