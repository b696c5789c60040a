/** Reads small text files, with errors as sentences. */
import { open, readdir, stat } from 'node:fs/promises';
import { readErrorCode } from '../net/failure.ts';

/** `openToAll`: world-readable. */
type TextReading = { text: string; openToAll: boolean } | { why: string };

/** Read permission for others. */
const OTHERS_READ = 0o004;

/** A larger file was named by mistake. */
const MOST_BYTES = 1_000_000;

/** UTF-8 of at most 1 MB. Never rejects. */
export async function readTextFile(path: string): Promise<TextReading> {
  try {
    await using file = await open(path, 'r');
    const status = await file.stat();
    if (status.isDirectory()) return { why: DIRECTORY };
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.createReadStream({ autoClose: false, end: MOST_BYTES })) {
      const part: Uint8Array = chunk;
      chunks.push(part);
    }
    const bytes = Buffer.concat(chunks);
    if (bytes.length > MOST_BYTES) return { why: `it is larger than ${MOST_BYTES / 1_000_000} MB` };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, openToAll: (status.mode & OTHERS_READ) !== 0 };
  } catch (error) {
    const code = readErrorCode(error) ?? 'unknown reason';
    return { why: REASONS.get(code) ?? `it cannot be read (${code})` };
  }
}

const DIRECTORY = 'it is a directory; name a file';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EACCES', 'the permission to read it is missing'],
  ['EPERM', 'the permission to read it is missing'],
  ['EISDIR', DIRECTORY],
  ['ELOOP', 'its symbolic links lead in a circle'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', 'it is not UTF-8 text'],
]);

/** Also true for unreadable files: skipping one silently would use another file instead. */
export async function isFile(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(readErrorCode(error) ?? '');
  }
}

/** Empty if the folder is unreadable. */
export async function listNames(directory: string): Promise<string[]> {
  return await readdir(directory).catch(() => []);
}
