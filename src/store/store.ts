/**
 * Persistent documents. Each is a single value, replaced as a whole. A commit resolves once it survives a power
 * failure. The backend decides where documents are kept: in files or in a database.
 */
import { Low, type Adapter } from 'lowdb';
import { ForeseenError } from '../net/failure.ts';
import type { DocumentKind, DocumentName } from './document-name.ts';
import type { Migration } from './envelope.ts';
import type { StoreFinding } from './finding.ts';
import { waitForAnswer } from './patience.ts';

export interface DocumentShape<T> {
  schema: number;
  migrations: readonly Migration[];
  /** Value of a missing document. */
  empty: T;
}

/** `read` returns null for a missing document. Writes never overlap. */
export interface DocumentAdapter<T> extends Adapter<T> {
  /** Finding of the last `read`; null if all was well. */
  finding(): StoreFinding | null;
}

/** Storage of documents. Errors have messages for people: `DiskError`, `DatabaseError`, `StateRefused`. */
export interface Backend {
  /** Name in errors. */
  readonly place: string;
  /** Unique name of a document in errors. Throws `RangeError` for an impossible name. */
  pathOf(which: DocumentName): string;
  /** Adapter of a document. Opens nothing yet. */
  adapter<T extends object>(which: DocumentName, shape: DocumentShape<T>): DocumentAdapter<T>;
  list(kind: DocumentKind): Promise<string[]>;
  remove(which: DocumentName): Promise<void>;
  /** Resolves when the backend is reachable again; absent if it cannot tell. */
  answersAgain?(): Promise<void>;
  /** Reads documents that will be opened next, many at once; absent where each costs the same alone. */
  readAhead?(which: readonly DocumentName[]): Promise<void>;
}

export interface StoredDocument<T> {
  /** The last durable value, which a restart would read, or the one that superseded it. */
  readonly value: T;
  /** The newest committed value while it is not durable; else null. */
  readonly unsaved: T | null;
  /** Finding on opening; null if all was well. */
  readonly finding: StoreFinding | null;
  /**
   * Resolves once `next` or a newer value is durable. Rejects with the backend's error, or with `SaveTimeout` after a
   * minute, when it may still become durable; the next commit tries again.
   * Only the newest queued value is written. Do not change `next` afterwards.
   */
  commit(next: T): Promise<void>;
  /**
   * Replaces the value in memory without a write, once all commits are done: `next` differs only in what need not be
   * saved. The older value is then free.
   */
  supersede(next: T): void;
}

export interface Store {
  /**
   * Opens a document once; later calls return the same object. Rejects with the backend's error, `StateRefused`, or
   * `RangeError` for an impossible name.
   */
  document<T extends object>(which: DocumentName, shape: DocumentShape<T>): Promise<StoredDocument<T>>;
  /** Sorted names of all documents of a kind. If listing fails, returns the last result; rejects if there is none. */
  list(kind: DocumentKind): Promise<readonly string[]>;
  /** Deletes a document after pending commits; later commits are refused. */
  remove(which: DocumentName): Promise<void>;
  /** Frees the memory of an open document after pending commits; later commits need `document` again. */
  release(which: DocumentName): Promise<void>;
  /** Writes all open documents once more, for a backend that has lost commits. Rejects with the backend's error. */
  saveAgain(): Promise<void>;
  /** Waits for pending commits; later ones are refused. */
  close(): Promise<void>;
  answersAgain: Backend['answersAgain'];
  /** Reads documents that will be opened next, many at once where that is cheaper. Rejects with the backend's error. */
  readAhead(which: readonly DocumentName[]): Promise<void>;
}

interface OpenDocument {
  document: StoredDocument<object>;
  /** Writes the durable value once more, unless a newer one is being written. */
  saveAgain: () => Promise<void>;
  idle: () => Promise<void>;
  end: (why: string) => void;
}

/** Opens each document once. After `close` and `remove` its commits reject. */
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
      // Retry a failed opening next time.
      opening.catch(() => open.delete(path));
    }
    return (await opening).document as StoredDocument<T>;
  }

  async function release(which: DocumentName, why = 'it was released.'): Promise<void> {
    const path = backend.pathOf(which);
    const opened = await open.get(path)?.catch(() => null);
    opened?.end(why);
    await opened?.idle();
    open.delete(path);
  }

  async function remove(which: DocumentName): Promise<void> {
    await release(which, `${backend.pathOf(which)} was removed.`);
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
      // Serve open documents from memory. The next commit reports that nothing can be saved.
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

  async function saveAgain(): Promise<void> {
    if (closed) return;
    const all = await Promise.allSettled(open.values());
    await Promise.all(all.map(async (opened) => await (opened.status === 'fulfilled' && opened.value.saveAgain())));
  }

  async function readAhead(which: readonly DocumentName[]): Promise<void> {
    await backend.readAhead?.(which.filter((one) => !open.has(backend.pathOf(one))));
  }

  return {
    document,
    list,
    remove,
    release: (which) => release(which),
    saveAgain,
    close,
    answersAgain: backend.answersAgain,
    readAhead,
  };
}

/** A disk that hangs must not hang whatever waits for it. */
const LONGEST_SAVE_MS = 60_000;

/** The backend neither saves nor refuses a document. */
export class SaveTimeout extends ForeseenError {
  override readonly name = 'SaveTimeout';

  constructor(path: string) {
    super(`Cannot write ${path}: it has taken a minute, and there is no error.`);
  }
}

async function openDocument<T extends object>(
  adapter: DocumentAdapter<T>,
  empty: T,
  path: string,
): Promise<OpenDocument> {
  const low = new Low<T>(adapter, empty);
  await low.read();
  let durable = low.data;
  let unsaved: T | null = null;
  let ended: string | null = null;
  const queue: CommitQueue<T> = createCommitQueue(async (next) => {
    low.data = next;
    await low.write();
    durable = next;
    if (unsaved === next) unsaved = null;
  });
  const finding = adapter.finding();
  const document: StoredDocument<T> = {
    get value() {
      return durable;
    },
    get unsaved() {
      return unsaved;
    },
    finding,
    commit: async (next) => {
      if (ended !== null) throw new Error(`${path} cannot be saved: ${ended}`);
      unsaved = next;
      await waitForAnswer(LONGEST_SAVE_MS, queue.commit(next), () => new SaveTimeout(path));
    },
    supersede(next) {
      low.data = next;
      durable = next;
    },
  };
  return {
    document: document as unknown as StoredDocument<object>,
    async saveAgain() {
      if (ended !== null || durable === empty) return;
      await (queue.isIdle() ? queue.commit(durable) : queue.idle());
    },
    idle: () => queue.idle(),
    end: (why) => {
      ended = why;
    },
  };
}

/** The same store, whose commits are run by `run`. */
export function wrapCommits(store: Store, run: (commit: () => Promise<void>) => Promise<void>): Store {
  return {
    ...store,
    async document(which, shape) {
      const document = await store.document(which, shape);
      return {
        get value() {
          return document.value;
        },
        get unsaved() {
          return document.unsaved;
        },
        finding: document.finding,
        commit: (next) => run(() => document.commit(next)),
        supersede: (next) => document.supersede(next),
      };
    },
  };
}

/** One write at a time; while it runs, the newest queued value replaces older ones. */
export interface CommitQueue<T> {
  /** Resolves once this or a newer value is durable; rejects with the error of its write. */
  commit(value: T): Promise<void>;
  isIdle(): boolean;
  /** Resolves when nothing is being written or queued, whatever the results. */
  idle(): Promise<void>;
}

interface Turn<T> {
  value: T;
  /** Shared by all commits that this value has replaced. */
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

  return { commit, isIdle: () => running === null, idle: async () => void (await running) };
}
