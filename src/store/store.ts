/**
 * What is kept, as documents. Each document is one value that is replaced as a whole; a commit resolves when a power cut
 * can no longer undo it. Where they are kept is the backend's business: files of a directory, or a database.
 */
import { Low, type Adapter } from 'lowdb';
import type { DocumentKind, DocumentName } from './document-name.ts';
import type { Migration } from './envelope.ts';
import type { Finding } from './finding.ts';

/** What the caller knows of a document's shape. */
export interface DocumentShape<T> {
  schema: number;
  migrations: readonly Migration[];
  /** The value while there is no document. */
  empty: T;
}

/** `read` answers null when there is no document yet. Writes of one adapter never overlap. */
export interface DocumentAdapter<T> extends Adapter<T> {
  /** What the last `read` found that people should be told; null when all was well. */
  finding(): Finding | null;
}

/** Where documents are kept. Its errors say why in words for people: `DiskError`, `DatabaseError`, `StateRefused`. */
export interface Backend {
  /** As errors call it. */
  readonly place: string;
  /** As errors call a document; no two documents share it. Throws `RangeError` for an impossible name. */
  pathOf(which: DocumentName): string;
  /** How this document is read and written. Opens nothing yet. */
  adapter<T extends object>(which: DocumentName, shape: DocumentShape<T>): DocumentAdapter<T>;
  list(kind: DocumentKind): Promise<string[]>;
  remove(which: DocumentName): Promise<void>;
  /** Resolves as soon as it answers again after it was away; absent where nothing can say so. */
  answersAgain?(): Promise<void>;
}

export interface StoredDocument<T> {
  /** The last value known to be durable: what a restart would find. */
  readonly value: T;
  /** What opening it found that people should be told; null when all was well. */
  readonly finding: Finding | null;
  /**
   * Resolves once `next` or a newer value is durable; rejects with the backend's error when it is refused, and then the
   * next commit tries afresh. Of several that wait only the newest is written. `next` must not be changed afterwards.
   */
  commit(next: T): Promise<void>;
}

export interface Store {
  /**
   * Opens a document; opening it again gives the same one. Rejects with the backend's error when it cannot be read,
   * with `StateRefused` when this program must not use it, with `RangeError` for an impossible name.
   */
  document<T extends object>(which: DocumentName, shape: DocumentShape<T>): Promise<StoredDocument<T>>;
  /**
   * The names of all documents of a kind that are kept, sorted; those of the last time where they cannot be listed now.
   * Rejects with the backend's error where they never could.
   */
  list(kind: DocumentKind): Promise<readonly string[]>;
  /** Removes a document for good, after its commits under way; later commits to it are refused. */
  remove(which: DocumentName): Promise<void>;
  /** Waits for every commit under way; later commits are refused. */
  close(): Promise<void>;
  answersAgain: Backend['answersAgain'];
}

interface OpenDocument {
  document: StoredDocument<object>;
  idle: () => Promise<void>;
  end: (why: string) => void;
}

/** A document is opened once, however often it is asked for. After `close` and `remove` its commits reject. */
export function openStore(backend: Backend): Store {
  const open = new Map<string, Promise<OpenDocument>>();
  const listed = new Map<DocumentKind, readonly string[]>();
  let closed = false;

  async function document<T extends object>(which: DocumentName, shape: DocumentShape<T>): Promise<StoredDocument<T>> {
    if (closed) throw new Error(`The store in ${backend.place} is closed.`);
    const path = backend.pathOf(which);
    let opening = open.get(path);
    if (opening === undefined) {
      opening = openDocument(backend.adapter<T>(which, shape), shape.empty, path);
      open.set(path, opening);
      // One that could not be opened is tried afresh the next time.
      opening.catch(() => open.delete(path));
    }
    return (await opening).document as StoredDocument<T>;
  }

  async function remove(which: DocumentName): Promise<void> {
    const path = backend.pathOf(which);
    const opened = await open.get(path)?.catch(() => null);
    opened?.end(`${path} was removed.`);
    await opened?.idle();
    open.delete(path);
    await backend.remove(which);
    const { kind, name } = which;
    const before = listed.get(kind);
    if (before === undefined) return;
    const left = before.filter((other) => other !== name);
    listed.set(kind, left);
  }

  async function list(kind: DocumentKind): Promise<readonly string[]> {
    try {
      const names = await backend.list(kind);
      listed.set(kind, names);
      return names;
    } catch (error) {
      // Documents that are open are read from memory, too. That nothing can be saved, the next commit says.
      const before = listed.get(kind);
      if (before === undefined) throw error;
      return before;
    }
  }

  async function close(): Promise<void> {
    closed = true;
    for (const opened of await Promise.allSettled(open.values())) {
      if (opened.status === 'rejected') continue;
      opened.value.end(`The store in ${backend.place} is closed.`);
      await opened.value.idle();
    }
  }

  return { document, list, remove, close, answersAgain: backend.answersAgain };
}

async function openDocument<T extends object>(
  adapter: DocumentAdapter<T>,
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
