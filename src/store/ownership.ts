/**
 * The state directory is this user's, and what lies in it lies there: another user's directory is not used, and a link
 * in it is not followed. Whoever could decide where our files go could have us overwrite any file we may write.
 */
import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk } from './disk-error.ts';
import { documentDirectories } from './document-name.ts';
import { StateRefused } from './finding.ts';
import { codeOf } from '../net/failure.ts';

/** `directory` itself may be reached by a link: that was the choice of whoever wrote the configuration. */
export async function refuseOthers(directory: string, user: number | null): Promise<void> {
  const { uid } = await onDisk('look at', directory, () => stat(directory));
  if (user === null || uid === user) return;
  const message = `The state directory ${directory} belongs to another user (id ${uid}; this runs with id ${user}) and is not used. Give it to this user with chown, run Linewatch as its owner, or name a directory below it as state_dir, which Linewatch makes itself.`;
  throw new StateRefused('not-ours', directory, message);
}

/** The names that are opened by other means than the store's own, which follows no link. */
export async function refuseLinks(directory: string, files: readonly string[]): Promise<void> {
  for (const name of [...files, ...documentDirectories]) {
    const path = join(directory, name);
    if (!(await isLink(path))) continue;
    const message = `${path} is a symbolic link, and none is followed in a state directory. Remove it, or put what it points to in its place.`;
    throw new StateRefused('link', path, message);
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
