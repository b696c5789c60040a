/** The state directory as a store, with a few files per document. One process owns it: see `lock.ts`. */
import { join } from 'node:path';
import { toCopies, unlinkIfThere, type Copies } from './copies.ts';
import { wrapDiskError, ignoreCodes, type Disk } from './disk.ts';
import { decodeName, toDirectory, encodeName, type DocumentKind, type DocumentName } from './document-name.ts';
import { createDurableAdapter } from './durable-adapter.ts';
import { limitConcurrency } from './concurrency.ts';
import { openStore, type DocumentAdapter, type DocumentShape, type Store } from './store.ts';

export interface FilesOptions {
  directory: string;
  disk: Disk;
  /** `read`: for commands beside a running daemon. The disk is never changed, and commits are refused. */
  access: 'read' | 'write';
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Documents written at once. A document takes three times its size in memory while it is written, and at a start a
 * thousand accounts save theirs together. More at once would not be faster: the runtime writes with four threads.
 */
const WRITES_AT_ONCE = 8;

/** Disk errors are `DiskError`. */
export function openFiles({ directory, disk, access, now }: FilesOptions): Store {
  const limitWrites = limitConcurrency(WRITES_AT_ONCE);

  function copiesFor(which: DocumentName): Copies {
    return toCopies(directory, toDirectory(which.kind), encodeName(which));
  }

  async function list(kind: DocumentKind): Promise<string[]> {
    const path = join(directory, toDirectory(kind));
    let files: string[] = [];
    await wrapDiskError('list', path, () =>
      ignoreCodes(['ENOENT'], async () => {
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
    await wrapDiskError('remove', copies.current, async () => {
      await unlinkIfThere(disk, copies.temp);
      await unlinkIfThere(disk, copies.previousTemp);
      await unlinkIfThere(disk, copies.previous);
      // Delete the previous copy durably first: alone it would be restored.
      const there = await ignoreCodes(['ENOENT'], () => disk.syncDirectory(copies.directory));
      await unlinkIfThere(disk, copies.current);
      if (there) await disk.syncDirectory(copies.directory);
    });
  }

  return openStore({
    place: directory,
    pathOf: (which) => copiesFor(which).current,
    adapter: <T>(which: DocumentName, shape: DocumentShape<T>): DocumentAdapter<T> => {
      const adapter = createDurableAdapter<T>({ disk, copies: copiesFor(which), access, now, ...shape });
      return { ...adapter, write: (value) => limitWrites(() => adapter.write(value)) };
    },
    list,
    remove,
  });
}
