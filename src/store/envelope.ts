/**
 * How a document stands in its file: one line that says what follows and proves that it is whole, then the document as
 * one line of JSON. Both lines are JSON, so that people can read the file with ordinary tools.
 */
import { hash, webcrypto } from 'node:crypto';

/** Grows only if the two lines themselves change; the schema of a document is its own number. */
const FORMAT = 1;
/** A first line is about 120 bytes; anything longer was not written by this program. */
const LONGEST_HEADER = 1024;
const NEWLINE = 0x0a;

/** What a file turned out to hold. `broken` says why in words that fit after "it is". */
export type Opened =
  | { kind: 'whole'; schema: number; value: unknown }
  | { kind: 'newer-format'; format: number }
  | { kind: 'broken'; why: string };

interface Header {
  linewatch_state: number;
  schema: number;
  bytes: number;
  sha256: string;
}

/** The file's bytes for one document. Rejects only for a value JSON cannot hold, such as a cycle. */
export async function seal(schema: number, value: unknown): Promise<Uint8Array[]> {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError('A document must be a value that JSON can hold.');
  const body = Buffer.from(`${text}\n`);
  const header: Header = { linewatch_state: FORMAT, schema, bytes: body.length, sha256: await digest(schema, body) };
  return [Buffer.from(`${JSON.stringify(header)}\n`), body];
}

/** Verifies and reads what `seal` made. Never rejects: whatever is wrong with the bytes is an answer. */
export async function unseal(bytes: Uint8Array<ArrayBuffer>): Promise<Opened> {
  if (bytes.length === 0) return { kind: 'broken', why: 'empty' };
  const end = bytes.subarray(0, LONGEST_HEADER).indexOf(NEWLINE);
  const header = end < 0 ? null : readHeader(bytes.subarray(0, end));
  if (header === null) return { kind: 'broken', why: 'without a first line that this program wrote' };
  if ('format' in header) return { kind: 'newer-format', format: header.format };
  const body = bytes.subarray(end + 1);
  if (body.length !== header.bytes) {
    const difference = body.length < header.bytes ? 'cut short' : 'too long';
    return { kind: 'broken', why: `${difference} (${body.length} of ${header.bytes} bytes)` };
  }
  if ((await digest(header.schema, body)) !== header.sha256) {
    return { kind: 'broken', why: 'altered (its checksum is wrong)' };
  }
  const value = parse(body);
  if (value === undefined) return { kind: 'broken', why: 'not JSON' };
  return { kind: 'whole', schema: header.schema, value };
}

function readHeader(line: Uint8Array<ArrayBuffer>): Header | { format: number } | null {
  const read = parse(line);
  if (typeof read !== 'object' || read === null) return null;
  const { linewatch_state: format, schema, bytes, sha256 } = read as Partial<Record<keyof Header, unknown>>;
  if (!isCount(format)) return null;
  // The rest of a newer first line may mean something else; that it is newer is all that needs to be known.
  if (format > FORMAT) return { format };
  if (!isCount(schema) || !isCount(bytes) || typeof sha256 !== 'string') return null;
  return { linewatch_state: format, schema, bytes, sha256 };
}

/**
 * The schema is part of what is proven: a flipped digit there must not pass for a newer document. The body is hashed
 * on another thread, because of 5 MB that takes as long as a third of making its JSON.
 */
async function digest(schema: number, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const ofBody = Buffer.from(await webcrypto.subtle.digest('SHA-256', body));
  return hash('sha256', `${schema} ${ofBody.toString('hex')}`);
}

function parse(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as unknown;
  } catch {
    // The caller says that the text is not JSON; the parser's own message would quote from the document.
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
