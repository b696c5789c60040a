/** The files one document may have on disk, and how one of them is put in another's place without a gap. */
import { join } from 'node:path';
import { readErrorCode } from '../net/failure.ts';
import { ignoreCodes, type Disk } from './disk.ts';

export interface Copies {
  /** The directory of this kind of document, and the state directory it is in. */
  directory: string;
  stateDirectory: string;
  /** The last commit. */
  current: string;
  /** The commit before it, kept in case the current one turns out broken. */
  previous: string;
  /** Being written; never read. */
  temp: string;
  /** About to become `previous`; never read. */
  previousTemp: string;
}

/** `kind` is the name of a directory in the state directory, `base` the file's name without its ending. */
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

/** Filesystems without hard links say so in one of these ways; EMLINK is one with too few of them. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'] as const;

/** Writes a new file whose content survives a power cut. What stood under this name before is left to its other names. */
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
 * Puts the content of `from` in the place of `to` as well; `to` is at every instant either what it was or the whole new
 * content. `by` is a name free to use on the way.
 */
export async function duplicate(disk: Disk, from: string, to: string, by: string): Promise<void> {
  await linkCopy(disk, from, by);
  await disk.rename(by, to);
  // Renaming does nothing when both names already meant the same content, and then the name on the way is left over.
  await unlinkIfThere(disk, by);
}

/** Gives the content of `from` the name `by` as well, whatever had that name before. */
export async function linkCopy(disk: Disk, from: string, by: string): Promise<void> {
  const linked = await ignoreCodes(NO_LINKS, () => inFreePlace(disk, by, () => disk.link(from, by)));
  if (!linked) await writeWhole(disk, by, await disk.read(from));
}

/** What a killed process left over under a name that is free to use is seldom there: it is removed when it is met. */
async function inFreePlace<T>(disk: Disk, path: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
    await unlinkIfThere(disk, path);
    return make();
  }
}

/** Rejects with what the disk says, but for a file that is not there. */
export async function unlinkIfThere(disk: Disk, path: string): Promise<void> {
  await ignoreCodes(['ENOENT'], () => disk.unlink(path));
}
