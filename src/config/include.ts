/** The files a configuration includes. */
import { glob } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export interface Included {
  shown: string;
  path: string;
}

/** The files a pattern names, by name; directories are no files. Patterns start from the directory of the main file. */
export async function expandInclude(pattern: string, main: Included): Promise<Included[]> {
  const directory = dirname(main.path);
  if (!holdsGlob(pattern)) return [place(pattern, main)];
  const found: string[] = [];
  for await (const entry of glob(pattern, { cwd: directory, withFileTypes: true })) {
    if (!entry.isDirectory()) found.push(resolve(directory, entry.parentPath, entry.name));
  }
  return found
    .toSorted()
    .map((path) => place(isAbsolute(pattern) ? path : path.slice(directory.length).replace(/^\/+/, ''), main));
}

function place(path: string, main: Included): Included {
  return { shown: isAbsolute(path) ? path : join(dirname(main.shown), path), path: resolve(dirname(main.path), path) };
}

export function holdsGlob(pattern: string): boolean {
  return /[*?[\]{}]/.test(pattern);
}
