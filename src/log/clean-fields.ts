/** Sanitises the fields of a log line: plain JSON only, no credentials, and no error with a whole request attached. */
import { describeError, hideCredentials } from './error.ts';
import type { Fields } from './log.ts';

/** Limits of depth, items and length. */
const DEEPEST = 4;
const MOST_ITEMS = 50;
const LONGEST_TEXT = 2000;

/** Keys whose values are always hidden. */
const SECRET_KEY = /api[-_]?key|authorization|cookie|credential|passw|secret|token|webhook[-_]?url/i;

/** Keys of the log itself. A field with such a name gets an underscore appended. */
const OWN_KEYS: ReadonlySet<string> = new Set(['level', 'time', 'msg']);

/** Converts values to plain JSON and renames fields that clash with keys of the log. */
export function cleanFields(fields: Fields, redact: (text: string) => string): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      OWN_KEYS.has(key) ? `${key}_` : cleanText(key, redact),
      cleanEntry(key, value, redact, 0),
    ]),
  );
}

function cleanEntry(key: string, value: unknown, redact: (text: string) => string, depth: number): unknown {
  // Numbers and booleans such as `tokens: 3` reveal nothing.
  if (SECRET_KEY.test(key) && typeof value !== 'number' && typeof value !== 'boolean') return '[hidden]';
  return cleanValue(value, redact, depth);
}

function cleanValue(value: unknown, redact: (text: string) => string, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return cleanText(value, redact);
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : cleanObject(value, redact, depth);
    default:
      return `[${typeof value}]`;
  }
}

function cleanObject(value: object, redact: (text: string) => string, depth: number): unknown {
  if (value instanceof Error) return describeError(value, redact);
  if (value instanceof URL) return cleanText(value.href, redact);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (depth >= DEEPEST) return '[deeper]';
  if (value instanceof Map) return cleanObject(Object.fromEntries(value), redact, depth);
  if (value instanceof Set) return cleanObject([...value], redact, depth);
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => cleanValue(item, redact, depth + 1));
    return value.length > MOST_ITEMS ? [...items, `[${value.length - MOST_ITEMS} more]`] : items;
  }
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const entries = Object.entries(value).slice(0, MOST_ITEMS);
  return Object.fromEntries(
    entries.map(([key, item]) => [cleanText(key, redact), cleanEntry(key, item, redact, depth + 1)]),
  );
}

function cleanText(text: string, redact: (text: string) => string): string {
  const said = hideCredentials(redact(text));
  return said.length > LONGEST_TEXT ? `${said.slice(0, LONGEST_TEXT)}…` : said;
}
