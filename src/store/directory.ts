/** The directories documents live in. */
import { dirname } from 'node:path';
import type { Disk } from './disk.ts';
import { unless } from './disk-error.ts';
import { codeOf } from '../net/failure.ts';

/** Makes a directory and what is missing above it, each for its owner alone, and makes their names durable. */
export async function ensureDirectory(disk: Disk, path: string): Promise<void> {
  const made = await makeOne(disk, path);
  // A directory found here may be younger than its parent's last sync: a process may have been killed in between.
  // Where this program may not open a parent that somebody else made, that somebody saw to it.
  await unless(made ? [] : ['EACCES', 'EPERM'], () => disk.syncDirectory(dirname(path)));
}

/** False when it was there already. */
async function makeOne(disk: Disk, path: string): Promise<boolean> {
  try {
    return await unless(['EEXIST'], () => disk.makeDirectory(path));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await ensureDirectory(disk, dirname(path));
    return unless(['EEXIST'], () => disk.makeDirectory(path));
  }
}
