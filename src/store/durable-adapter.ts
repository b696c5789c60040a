/**
 * A lowdb adapter that keeps one document so that no crash and no power cut loses a commit.
 *
 * Writing: a new file beside the old one, synced; the old one becomes the previous copy; the new one takes its place by
 * one rename; the directory is synced. At every instant the current name means a whole document, so it does not matter
 * in which order the disk keeps what was not synced.
 * Reading: the current copy if its checksum is right, else the previous one, which is put back and told as a finding.
 * Writes of one adapter must not overlap: `store.ts` sees to that.
 */
import { DiskError, ensureDirectory, wrapDiskError, ignoreCodes, type Disk } from './disk.ts';
import { duplicate, linkCopy, unlinkIfThere, writeWhole, type Copies } from './copies.ts';
import { migrate, seal, unseal, type Migration } from './envelope.ts';
import { toMigrationFinding, StateRefused, type Finding } from './finding.ts';
import { readErrorCode } from '../net/failure.ts';
import type { DocumentAdapter } from './store.ts';

export interface DurableAdapterOptions {
  disk: Disk;
  copies: Copies;
  /** The schema this program writes, from 1 up, and the way there from older ones. */
  schema: number;
  migrations: readonly Migration[];
  /** `read` touches nothing on disk, for commands that look while the daemon runs; writing is then an error. */
  access: 'read' | 'write';
  /** Epoch milliseconds; names what is kept aside. */
  now: () => number;
}

/** What one copy turned out to be. `unreadable` is the disk's own error where the bytes could not even be read. */
type Copy =
  | { kind: 'missing' }
  | { kind: 'whole'; value: unknown; schema: number }
  | { kind: 'broken'; why: string; unreadable: DiskError | null };

/** Both ways reject with `DiskError`, `read` also with `StateRefused`. */
export function createDurableAdapter<T>(options: DurableAdapterOptions): DocumentAdapter<T> {
  const { disk, copies, schema, access, now } = options;
  let finding: Finding | null = null;
  let directoryReady = false;
  /** Only a current copy known to be whole may take the place of the previous one. */
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
    // Bytes that cannot be read now may be read tomorrow: nothing is given up while the disk itself is in trouble.
    for (const copy of [current, previous]) if (copy.kind === 'broken' && copy.unreadable) throw copy.unreadable;
    await startAnew(current, previous);
    return null;
  }

  /** What a killed process left unsynced is made durable before anybody acts on it, and what it left over goes. */
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
      // Half a file would hold on to space that a full disk needs; whether it goes or not, the first error is the news.
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
    // Every call is a way to another thread and back, and people wait for the last of them: what the new content has
    // no part in is done while that is written.
    const [, isNamed] = await both(writeWhole(disk, copies.temp, bytes), currentIsWhole ? namePrevious() : false);
    // Not before the new content is safe: until then the copy before the last is the only other one.
    if (isNamed) await disk.rename(copies.previousTemp, copies.previous);
    await disk.rename(copies.temp, copies.current);
    currentIsWhole = true;
    // Renaming does nothing when both names already meant the same content, and then the name on the way is left over.
    const tidied = isNamed ? unlinkIfThere(disk, copies.previousTemp) : null;
    await both(disk.syncDirectory(copies.directory), tidied);
  }

  /** False where there is nothing to keep: somebody removed the file while the daemon ran, and its value is in memory. */
  function namePrevious(): Promise<boolean> {
    return ignoreCodes(['ENOENT'], () => linkCopy(disk, copies.current, copies.previousTemp));
  }

  return { read, write, finding: () => finding };
}

/** Waits for the end of both, whatever becomes of them, so that nothing of a failed write reaches into the next one. */
async function both<A, B>(one: Promise<A>, other: B | Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return await Promise.all([one, other]);
}

/** What stands at a path. Throws where it is of a newer Linewatch, or where the disk refuses for another reason than damage. */
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

/** Tries what reading can do without; a refusing disk is answered, not thrown, because the next commit meets it again. */
async function attempt(path: string, work: () => Promise<void>): Promise<DiskError | null> {
  try {
    await wrapDiskError('tidy up', path, work);
    return null;
  } catch (error) {
    if (error instanceof DiskError) return error;
    throw error;
  }
}
