/** Reads small text files and says in a sentence why one cannot be read. */
import { open } from 'node:fs/promises';
import { codeOf } from '../net/failure.ts';

/** `openToAll`: every user of this machine may read it. */
type TextReading = { text: string; openToAll: boolean } | { why: string };

/** The bit of a file's mode that lets others read. */
const OTHERS_READ = 0o004;

/** A configuration or a key is small; whatever is larger was named by mistake. */
const MOST_BYTES = 1_000_000;

export async function readTextFile(path: string): Promise<TextReading> {
  try {
    await using file = await open(path, 'r');
    const status = await file.stat();
    if (status.isDirectory()) return { why: 'it is a directory; name a file' };
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of file.createReadStream({ autoClose: false, end: MOST_BYTES })) {
      const bytes: Uint8Array = chunk;
      chunks.push(bytes);
      size += bytes.length;
    }
    if (size > MOST_BYTES) return { why: `it is larger than ${MOST_BYTES / 1_000_000} MB` };
    return { text: decode(chunks, size), openToAll: (status.mode & OTHERS_READ) !== 0 };
  } catch (error) {
    return { why: explain(error) };
  }
}

function decode(chunks: readonly Uint8Array[], size: number): string {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function explain(error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'the permission to read it is missing';
    case 'EISDIR':
      return 'it is a directory; name a file';
    case 'ELOOP':
      return 'its symbolic links lead in a circle';
    case 'ENAMETOOLONG':
      return 'its name is too long';
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'it is not UTF-8 text';
    default:
      return `it cannot be read (${code ?? 'unknown reason'})`;
  }
}
