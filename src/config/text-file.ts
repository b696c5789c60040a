/** Reads small text files and says in a sentence why one cannot be read. */
import { open, readdir, stat } from 'node:fs/promises';
import { readErrorCode } from '../net/failure.ts';

/** `openToAll`: every user of this machine may read it. */
type TextReading = { text: string; openToAll: boolean } | { why: string };

/** The bit of a file's mode that lets others read. */
const OTHERS_READ = 0o004;

/** A configuration or a key is small; whatever is larger was named by mistake. */
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

/** True as well for what exists and cannot be read: passing over it in silence would take another file for it. */
export async function isFile(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(readErrorCode(error) ?? '');
  }
}

/** The names in a folder; none where it cannot be read. */
export async function listNames(directory: string): Promise<string[]> {
  return await readdir(directory).catch(() => []);
}
