/**
 * How a document stands in its file: one line that says what follows and proves that it is whole, then the document as
 * one line of JSON. Both lines are JSON, so that people can read the file with ordinary tools. A document of an older
 * schema is brought up to the one this program knows.
 */
import { hash, webcrypto } from 'node:crypto';
import { StateRefused } from './finding.ts';

/** Grows only if the two lines themselves change; the schema of a document is its own number. */
const FORMAT = 1;
/** A first line is about 120 bytes; anything longer was not written by this program. */
const LONGEST_HEADER = 1024;
const NEWLINE = 0x0a;
/** Bytes; so many take about 0.1 ms. */
const HASHED_AT_ONCE = 64 * 1024;

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
export async function seal(schema: number, value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError('A document must be a value that JSON can hold.');
  const body = Buffer.from(`${text}\n`);
  const header: Header = { linewatch_state: FORMAT, schema, bytes: body.length, sha256: await digest(schema, body) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
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
 * The schema is part of what is proven: a flipped digit there must not pass for a newer document. A large body is hashed
 * on another thread, because of 5 MB that takes as long as a third of making its JSON; a small one is hashed in less than
 * the way to that thread and back.
 */
async function digest(schema: number, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const ofBody =
    body.length < HASHED_AT_ONCE
      ? hash('sha256', body)
      : Buffer.from(await webcrypto.subtle.digest('SHA-256', body)).toString('hex');
  return hash('sha256', `${schema} ${ofBody}`);
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

/** One step: takes a document of schema `to - 1` and gives one of schema `to`. Must not change its argument. */
export interface Migration {
  to: number;
  change: (value: unknown) => unknown;
}

/**
 * The value in the schema this program knows.
 * Throws `StateRefused` when the document is newer, when a step is missing, or when a step fails.
 */
export function migrate(
  path: string,
  found: { schema: number; value: unknown },
  known: { schema: number; migrations: readonly Migration[] },
): unknown {
  if (found.schema > known.schema) {
    throw new StateRefused(
      'newer-schema',
      path,
      `${path} was written by a newer Linewatch (schema ${found.schema}; this one knows up to ${known.schema}). ` +
        'It was left as it is: run the newer version, or give this one another state_dir.',
    );
  }
  let value = found.value;
  for (let to = found.schema + 1; to <= known.schema; to += 1) {
    const step = known.migrations.find((migration) => migration.to === to);
    if (step === undefined) {
      throw new StateRefused(
        'unknown-schema',
        path,
        `${path} has schema ${found.schema}, and this Linewatch (schema ${known.schema}) has no way up from ${to - 1}. ` +
          'It was left as it is: run a version in between first, or give this one another state_dir.',
      );
    }
    value = take(path, step, value);
  }
  return value;
}

function take(path: string, step: Migration, value: unknown): unknown {
  try {
    return step.change(value);
  } catch (cause) {
    throw new StateRefused(
      'unknown-schema',
      path,
      `${path} could not be brought from schema ${step.to - 1} to ${step.to}. It was left as it is.`,
      cause,
    );
  }
}
