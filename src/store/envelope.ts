/**
 * File format of a document: a header line with schema and checksum, then the document as one line of JSON. Both lines
 * are JSON, readable with ordinary tools. Older schemas are migrated on reading.
 */
import { hash, webcrypto } from 'node:crypto';
import { StateRefused } from './finding.ts';

/** Version of the format itself; each document has its own schema number. */
const FORMAT = 1;
/** A header has about 120 bytes; a longer first line is not ours. */
const LONGEST_HEADER = 1024;
const NEWLINE = 0x0a;
/** Bytes hashed in one go, which takes about 0.1 ms. */
const HASHED_AT_ONCE = 64 * 1024;

/** Content of a file. `broken`: the reason, to follow "it is". */
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

/** Bytes of the file. Rejects only for values that JSON cannot represent, such as cycles. */
export async function seal(schema: number, value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError('A document must be a value that JSON can hold.');
  const body = Buffer.from(`${text}\n`);
  const header: Header = { linewatch_state: FORMAT, schema, bytes: body.length, sha256: await digest(schema, body) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
}

/** Verifies and parses. Never rejects: damage is a result. */
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
  // The rest of a newer header may differ in meaning; its version suffices.
  if (format > FORMAT) return { format };
  if (!isCount(schema) || !isCount(bytes) || typeof sha256 !== 'string') return null;
  return { linewatch_state: format, schema, bytes, sha256 };
}

/**
 * Covers the schema, so that a flipped digit cannot pass for a newer document. Large bodies are hashed in a worker
 * thread: 5 MB take a third of the time of serialising them. Small ones are faster here than the round trip.
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
    // Reported by the caller: the parser's message would quote the document.
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** Migrates from schema `to - 1` to `to`. Must not change its argument. */
export interface Migration {
  to: number;
  change: (value: unknown) => unknown;
}

/** Migrates to the current schema. Throws `StateRefused` for a newer document, a missing step or a failing step. */
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
