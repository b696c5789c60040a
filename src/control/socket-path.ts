/**
 * A unix socket's path may have at most 107 bytes (sun_path in unix(7)), a state directory's path 4,095. A directory
 * that is held open has a second, short path in /proc, and a socket can be made and found through it.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const LONGEST_SOCKET_PATH = 107;

export interface ShortPath {
  path: string;
  /** The short path means nothing once this was called. */
  release(): Promise<void>;
}

/** Rejects with the system's error when the directory is missing or may not be opened. */
export async function shortSocketPath(path: string): Promise<ShortPath> {
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return { path, release: async () => undefined };
  const directory = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    path: join('/proc/self/fd', String(directory.fd), basename(path)),
    release: () => directory.close(),
  };
}
