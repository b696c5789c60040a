/**
 * The state directory as documents. Each document is one value that is replaced as a whole; a commit resolves when a
 * power cut can no longer undo it. The directory is owned by one process: see `lock.ts`.
 */
import { join } from 'node:path';
import { Low } from 'lowdb';
import { copiesOf, unlinkIfThere, type Copies } from './copies.ts';
import { onDisk, unless, type Disk } from './disk.ts';
import { decodeName, directoryOf, encodeName, type DocumentKind, type DocumentName } from './document-name.ts';
import { createDurableAdapter } from './durable-adapter.ts';
import type { Migration } from './envelope.ts';
import type { Finding } from './finding.ts';

export interface StoreOptions {
  directory: string;
  disk: Disk;
  /** `read` for commands beside a running daemon: nothing on disk is touched, and commits are refused. */
  access: 'read' | 'write';
  /** Epoch milliseconds. */
  now: () => number;
}

/** What the caller knows of a document's shape. */
export interface DocumentShape<T> {
  schema: number;
  migrations: readonly Migration[];
  /** The value while there is no document. */
  empty: T;
}

export interface StoredDocument<T> {
  /** The last value known to be durable: what a restart would find. */
  readonly value: T;
  /** What opening it found that people should be told; null when all was well. */
  readonly finding: Finding | null;
  /**
   * Resolves once `next` or a newer value is durable; rejects with `DiskError` when the disk refuses, and then the
   * next commit tries afresh. Of several that wait only the newest is written. `next` must not be changed afterwards.
   */
  commit(next: T): Promise<void>;
}

export interface Store {
  /**
   * Opens a document; opening it again gives the same one. Rejects with `DiskError` when it cannot be read, with
   * `StateRefused` when this program must not use it, with `RangeError` for an impossible name.
   */
  document<T extends object>(which: DocumentName, shape: DocumentShape<T>): Promise<StoredDocument<T>>;
  /** The names of all documents of a kind that are on disk, sorted. */
  list(kind: DocumentKind): Promise<string[]>;
  /** Removes a document for good, after its commits under way; later commits to it are refused. */
  remove(which: DocumentName): Promise<void>;
  /** Waits for every commit under way; later commits are refused. */
  close(): Promise<void>;
}

interface OpenDocument {
  document: StoredDocument<object>;
  idle: () => Promise<void>;
  end: (why: string) => void;
}

export function openStore({ directory, disk, access, now }: StoreOptions): Store {
  const open = new Map<string, Promise<OpenDocument>>();
  let closed = false;

  function copiesFor(which: DocumentName): Copies {
    return copiesOf(directory, directoryOf(which.kind), encodeName(which));
  }

  async function document<T extends object>(which: DocumentName, shape: DocumentShape<T>): Promise<StoredDocument<T>> {
    if (closed) throw new Error(`The store in ${directory} is closed.`);
    const copies = copiesFor(which);
    const key = copies.current;
    let opening = open.get(key);
    if (opening === undefined) {
      opening = openDocument(createDurableAdapter<T>({ disk, copies, access, now, ...shape }), shape.empty, key);
      open.set(key, opening);
      // One that could not be opened is tried afresh the next time.
      opening.catch(() => open.delete(key));
    }
    return (await opening).document as StoredDocument<T>;
  }

  async function list(kind: DocumentKind): Promise<string[]> {
    const path = join(directory, directoryOf(kind));
    let files: string[] = [];
    await onDisk('list', path, () =>
      unless(['ENOENT'], async () => {
        files = await disk.list(path);
      }),
    );
    const names = new Set<string>();
    for (const file of files) {
      const base = /^(.+)\.(?:json|previous)$/.exec(file)?.[1];
      const which = base === undefined ? null : decodeName(kind, base);
      if (which !== null) names.add(which.name);
    }
    return [...names].toSorted();
  }

  async function remove(which: DocumentName): Promise<void> {
    if (access === 'read') throw new Error(`${directory} was opened for reading only.`);
    const copies = copiesFor(which);
    const opened = await open.get(copies.current)?.catch(() => null);
    opened?.end(`${copies.current} was removed.`);
    await opened?.idle();
    open.delete(copies.current);
    await onDisk('remove', copies.current, async () => {
      await unlinkIfThere(disk, copies.temp);
      await unlinkIfThere(disk, copies.previousTemp);
      await unlinkIfThere(disk, copies.previous);
      // The previous copy must be gone for good first: alone it would be taken for a document to restore.
      const there = await unless(['ENOENT'], () => disk.syncDirectory(copies.directory));
      await unlinkIfThere(disk, copies.current);
      if (there) await disk.syncDirectory(copies.directory);
    });
  }

  async function close(): Promise<void> {
    closed = true;
    for (const opened of await Promise.allSettled(open.values())) {
      if (opened.status === 'rejected') continue;
      opened.value.end(`The store in ${directory} is closed.`);
      await opened.value.idle();
    }
  }

  return { document, list, remove, close };
}

async function openDocument<T extends object>(
  adapter: ReturnType<typeof createDurableAdapter<T>>,
  empty: T,
  path: string,
): Promise<OpenDocument> {
  const low = new Low<T>(adapter, empty);
  await low.read();
  let durable = low.data;
  let ended: string | null = null;
  const queue: CommitQueue<T> = createCommitQueue(async (next) => {
    low.data = next;
    await low.write();
    durable = next;
  });
  const finding = adapter.finding();
  const document: StoredDocument<T> = {
    get value() {
      return durable;
    },
    finding,
    commit: async (next) => {
      if (ended !== null) throw new Error(`${path} cannot be saved: ${ended}`);
      await queue.commit(next);
    },
  };
  return {
    document: document as unknown as StoredDocument<object>,
    idle: () => queue.idle(),
    end: (why) => {
      ended = why;
    },
  };
}

/** One writer at a time: while a commit is being written, the newest of those that wait replaces the others. */
export interface CommitQueue<T> {
  /** Resolves once this value or a newer one is durable; rejects with what its write rejected with. */
  commit(value: T): Promise<void>;
  /** Resolves when nothing is being written and nothing waits, whatever became of it. */
  idle(): Promise<void>;
}

interface Turn<T> {
  value: T;
  /** Shared by every commit that this turn's value has replaced. */
  settled: PromiseWithResolvers<void>;
}

function createCommitQueue<T>(write: (value: T) => Promise<void>): CommitQueue<T> {
  let waiting: Turn<T> | null = null;
  let running: Promise<void> | null = null;

  function commit(value: T): Promise<void> {
    if (waiting === null) waiting = { value, settled: Promise.withResolvers<void>() };
    else waiting.value = value;
    const { promise } = waiting.settled;
    running ??= run();
    return promise;
  }

  async function run(): Promise<void> {
    for (let turn = next(); turn !== null; turn = next()) {
      try {
        await write(turn.value);
        turn.settled.resolve();
      } catch (error) {
        turn.settled.reject(error);
      }
    }
    running = null;
  }

  function next(): Turn<T> | null {
    const turn = waiting;
    waiting = null;
    return turn;
  }

  return { commit, idle: async () => void (await running) };
}
