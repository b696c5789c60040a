/** Which files are the configuration: the main one, and those it includes. */
import { glob, lstat, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { codeOf } from '../net/failure.ts';

export const SYSTEM_FILE = '/etc/linewatch/linewatch.yaml';

interface FoundFile {
  /** As the user would name it. */
  shown: string;
  path: string;
}

/** The file asked for, whether it exists or not; else the first that does. `shown` is what the user would call it. */
export async function findConfigFile(
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  systemFile: string,
  user: number | null,
): Promise<FoundFile | { why: string; absent: boolean }> {
  const named = asked ?? (env['LINEWATCH_CONFIG'] === '' ? undefined : env['LINEWATCH_CONFIG']);
  if (named !== undefined) return { shown: named, path: resolve(cwd, named) };
  for (const candidate of ['linewatch.yaml', systemFile]) {
    const path = isAbsolute(candidate) ? candidate : resolve(cwd, candidate);
    if (!(await exists(path))) continue;
    const owner = candidate === systemFile ? null : await strangerAt(path, user);
    if (owner === null) return { shown: candidate, path };
    return {
      absent: false,
      why: `${path} belongs to another user (id ${owner}), and root does not use it unasked; if you trust it, say so: --config ${candidate}`,
    };
  }
  return {
    absent: true,
    why:
      `there is no configuration: neither --config nor $LINEWATCH_CONFIG names one, and neither ${resolve(cwd, 'linewatch.yaml')} ` +
      `nor ${systemFile} exists; "linewatch config init" writes one to start from`,
  };
}

/**
 * Whoever leaves a file in a folder must not decide what root does there: nobody named this file. Null where it is
 * root's own, or where this is not root.
 */
async function strangerAt(path: string, user: number | null): Promise<number | null> {
  if (user !== 0) return null;
  // A link of somebody else's to a file of root's is somebody else's choice.
  const found = await Promise.allSettled([lstat(path), stat(path)]);
  const owners = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value.uid] : []));
  return owners.find((uid) => uid !== 0) ?? null;
}

/** What exists and cannot be read is found as well: passing over it in silence would run another configuration. */
async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
  }
}

/** The files a pattern names, by name; directories are no files. Patterns start from the directory of the main file. */
export async function expandInclude(pattern: string, main: FoundFile): Promise<FoundFile[]> {
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

function place(path: string, main: FoundFile): FoundFile {
  return { shown: isAbsolute(path) ? path : join(dirname(main.shown), path), path: resolve(dirname(main.path), path) };
}

export function holdsGlob(pattern: string): boolean {
  return /[*?[\]{}]/.test(pattern);
}
