/**
 * Bodies of JSON: strict UTF-8 within limits. A long list or map may be parsed in slices, between which the event loop
 * goes on.
 */
import { setImmediate } from 'node:timers/promises';
import { LIMITS } from '../core/observation/limits.ts';
import { redactValue } from '../net/secret-search.ts';
import { ProviderError, type ProviderErrorCode } from './errors.ts';
import { formatAdvice, type Ask, type Reply } from './transport.ts';

/** Skips a byte-order mark. Invalid JSON is rejected without quoting it. */
export function readJson(reply: Reply, ask: Ask): { value: unknown; extent: Extent } {
  const broken = createBreach(reply, ask);
  if (reply.body.byteLength === 0) throw broken('is empty');
  const extent = measureJson(reply.body);
  refuseExcess(extent, broken);
  const text = decodeText(reply.body, broken);
  try {
    return { value: JSON.parse(text) as unknown, extent };
  } catch {
    throw broken(isWebPage(text) ? `is a web page and not JSON${formatAdvice(ask)}` : describeBrokenJson(text));
  }
}

type Breach = (why: string, code?: ProviderErrorCode) => ProviderError;

function createBreach({ status }: Reply, ask: Ask): Breach {
  return (why, code = 'contract_broken') =>
    new ProviderError(code, ask, ({ of }) => `the answer${of} ${why}`, { status });
}

function refuseExcess(extent: Extent, broken: Breach): void {
  const excess = excessOf(extent);
  if (excess !== null) throw broken(excess.why, excess.code);
}

function decodeText(bytes: Uint8Array, broken: Breach, ignoreBOM = false): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    throw broken('is not valid UTF-8');
  }
}

/** Parsed in one piece of the event loop: a few milliseconds. */
const SLICE_BYTES = 64 * 1024;

/**
 * The same value as of `readJson`, and the same errors. A long list or map is parsed in slices of whole rows, so that
 * ten thousand rows do not hold the event loop. `strike` redacts secrets.
 */
export async function readJsonInSlices(
  reply: Reply,
  ask: Ask,
  strike: (text: string) => string = (text) => text,
): Promise<{ value: unknown; extent: Extent }> {
  const { body } = reply;
  const start = findStart(body);
  const [open, close] = body[start] === LIST ? ['[', ']'] : ['{', '}'];
  if (body.byteLength <= SLICE_BYTES || (body[start] !== LIST && body[start] !== OBJECT)) {
    const { value, extent } = readJson(reply, ask);
    return { value: redactValue(value, strike), extent };
  }
  const broken = createBreach(reply, ask);
  const scan = startScan(start);
  const rows: [string, unknown][] = [];
  for (let from = start + 1; ;) {
    scanJson(body, scan, from + SLICE_BYTES);
    refuseExcess(scan.extent, broken);
    const isLast = scan.index >= body.byteLength;
    const text = decodeText(body.subarray(from, scan.index), broken, true);
    const isLacking = from > start + 1 && (isLast ? text.trim() === close : text.trim() === '');
    const slice = isLacking ? null : parseRows(isLast ? `${open}${text}` : `${open}${text}${close}`);
    if (slice === null) throw broken('is broken or cut off JSON');
    for (const row of Object.entries(redactSlice(slice, text, strike))) rows.push(row);
    if (isLast) break;
    from = scan.index + 1;
    scan.index = from;
    await setImmediate();
  }
  const value = open === '[' ? rows.map(([, row]) => row) : Object.fromEntries(rows);
  return { value, extent: scan.extent };
}

/** Null for broken JSON. */
function parseRows(text: string): object | null {
  try {
    return JSON.parse(text) as object;
  } catch {
    return null;
  }
}

/** Searches the text itself first, which takes a quarter of the time; an escaped character could hide a secret in it. */
function redactSlice(slice: object, text: string, strike: (text: string) => string): object {
  const isClean = !text.includes('\\') && strike(text) === text;
  return isClean ? slice : (redactValue(slice, strike) as object);
}

/** Index of the first byte after a byte-order mark and blanks. */
function findStart(body: Uint8Array): number {
  let index = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  while (BLANKS.has(body[index] ?? 0)) index += 1;
  return index;
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The parser's message quotes the body, which may contain secrets: describe only its kind. */
function describeBrokenJson(text: string): string {
  return /^\s*[{[]/.test(text) ? 'is broken or cut off JSON' : 'is not JSON';
}

function isWebPage(text: string): boolean {
  return /^\s*</.test(text);
}

/** Size of a body, counted on its bytes: parsing first could take many times the memory. */
export interface Extent {
  /** Objects and lists. */
  containers: number;
  values: number;
  depth: number;
}

/** Stops at the first exceeded limit. */
export function measureJson(body: Uint8Array): Extent {
  const scan = startScan(0);
  scanJson(body, scan, Infinity);
  return scan.extent;
}

/** Progress through a body, between two values. */
interface JsonScan {
  index: number;
  depth: number;
  extent: Extent;
}

function startScan(index: number): JsonScan {
  return { index, depth: 0, extent: { containers: 0, values: 0, depth: 0 } };
}

/**
 * Stops at the first comma between two rows from `until` on, at the first exceeded limit, or at the end. Outside
 * strings, brackets and commas are single bytes in UTF-8.
 */
function scanJson(body: Uint8Array, scan: JsonScan, until: number): void {
  const { extent } = scan;
  let { index, depth } = scan;
  let inText = false;
  for (; index < body.length; index += 1) {
    const byte = body[index];
    if (inText) {
      if (byte === BACKSLASH) {
        index += 1;
      } else if (byte === QUOTE) {
        inText = false;
      }
    } else if (byte === QUOTE) {
      inText = true;
    } else if (byte === COMMA) {
      extent.values += 1;
      if (depth === 1 && index >= until) break;
    } else if (byte === LIST || byte === OBJECT) {
      extent.containers += 1;
      extent.values += 1;
      depth += 1;
      extent.depth = Math.max(extent.depth, depth);
      if (excessOf(extent) !== null) break;
    } else if (byte === LIST_END || byte === OBJECT_END) {
      depth -= 1;
    }
  }
  [scan.index, scan.depth] = [index, depth];
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The exceeded limit as end of a sentence; null if none. */
function excessOf({ containers, values, depth }: Extent): { code: ProviderErrorCode; why: string } | null {
  if (depth > LIMITS.depth) {
    return { code: 'contract_broken', why: `nests more than ${LIMITS.depth} deep` };
  }
  if (containers > LIMITS.containers) {
    return { code: 'too_large', why: `holds more than ${LIMITS.containers} objects and lists` };
  }
  return values > LIMITS.values ? { code: 'too_large', why: `holds more than ${LIMITS.values} values` } : null;
}
