/** Files of a document on disk, and their atomic replacement. */
import { join } from 'node:path';
import { readErrorCode } from '../net/failure.ts';
import { ignoreCodes, type Disk } from './disk.ts';

export interface Copies {
  /** Directory of this kind of document, inside the state directory. */
  directory: string;
  stateDirectory: string;
  /** The last commit. */
  current: string;
  /** The commit before, in case the current one is broken. */
  previous: string;
  /** Being written; never read. */
  temp: string;
  /** About to become `previous`; never read. */
  previousTemp: string;
}

/** `kind`: directory inside the state directory; `base`: file name without extension. */
export function toCopies(stateDirectory: string, kind: string, base: string): Copies {
  const directory = join(stateDirectory, kind);
  const path = join(directory, base);
  return {
    directory,
    stateDirectory,
    current: `${path}.json`,
    previous: `${path}.previous`,
    temp: `${path}.temp`,
    previousTemp: `${path}.previous-temp`,
  };
}

/** Error codes of file systems without hard links; EMLINK: the link limit is reached. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'] as const;

/** Writes a new file and syncs it. An existing file of this name keeps its other links. */
export async function writeWhole(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const file = await inFreePlace(disk, path, () => disk.create(path));
  try {
    await file.write(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Links the content of `from` to `to` atomically: `to` is always either old or new. `by`: a free name for the
 * intermediate step.
 */
export async function duplicate(disk: Disk, from: string, to: string, by: string): Promise<void> {
  await linkCopy(disk, from, by);
  await disk.rename(by, to);
  // `rename` does nothing if both names are links to one file; then the intermediate name remains.
  await unlinkIfThere(disk, by);
}

/** Links the content of `from` to `by`, replacing what was there. */
export async function linkCopy(disk: Disk, from: string, by: string): Promise<void> {
  const linked = await ignoreCodes(NO_LINKS, () => inFreePlace(disk, by, () => disk.link(from, by)));
  if (!linked) await writeWhole(disk, by, await disk.read(from));
}

/** Leftovers of a killed process are rare, so remove them only on collision. */
async function inFreePlace<T>(disk: Disk, path: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
    await unlinkIfThere(disk, path);
    return make();
  }
}

/** Ignores a missing file; other errors reject. */
export async function unlinkIfThere(disk: Disk, path: string): Promise<void> {
  await ignoreCodes(['ENOENT'], () => disk.unlink(path));
}
