/** What the store throws when the disk refuses: one error type with a stable code, so that the daemon can decide. */
import { codeOf, whyRefused } from '../net/failure.ts';

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
