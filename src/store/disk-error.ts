/** What the store throws when the disk refuses: one error type with a stable code, so that the daemon can decide. */

/** Words for the codes an operator meets; every other code is shown as it is. */
const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EIO: 'the disk reports an input/output error',
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EISDIR: 'it is a directory',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this machine',
  ELOOP: 'it is a symbolic link, which is not followed',
  ENAMETOOLONG: 'the name is too long',
};

/** The disk refused an operation. `code` is the operating system's code, `path` the file or directory it concerns. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly code: string;
  readonly path: string;

  constructor(doing: string, path: string, cause: unknown) {
    super(`Cannot ${doing} ${path}: ${whyRefused(cause)}.`, { cause });
    this.code = codeOf(cause) ?? 'UNKNOWN';
    this.path = path;
  }
}

/** The operating system's code of an error, such as ENOSPC; null for every other error. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The operating system's reason in words, with its code: `there is no such file or directory (ENOENT)`. */
export function whyRefused(error: unknown): string {
  const code = codeOf(error) ?? 'UNKNOWN';
  return `${WORDS[code] ?? 'the disk refused'} (${code})`;
}

/** Runs one piece of work on the disk; an error with a code becomes a `DiskError`, any other stays what it is. */
export async function onDisk<T>(doing: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DiskError || codeOf(error) === null) throw error;
    throw new DiskError(doing, path, error);
  }
}

/** Like `onDisk`, but an error with one of these codes is expected and answers false. */
export async function unless(codes: readonly string[], work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code !== null && codes.includes(code)) return false;
    throw error;
  }
}
