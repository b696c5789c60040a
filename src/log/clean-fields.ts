/**
 * What the fields of a log line may show. Whoever logs an object means a few plain facts; this makes sure that a
 * forgotten credential in it, or an error with a whole request inside, is not written all the same.
 */
import { describeError, hideCredentials } from './error.ts';
import type { Fields } from './log.ts';

/** What is deeper, has more items or is longer than this is no plain fact that somebody meant to log. */
const DEEPEST = 4;
const MOST_ITEMS = 50;
const LONGEST_TEXT = 2000;

/** Keys whose values are secret whoever wrote them. */
const SECRET_KEY = /api[-_]?key|authorization|cookie|credential|passw|secret|token|webhook[-_]?url/i;

/** What every line has of its own; a field of that name gets an underscore behind it. */
const OWN_KEYS: ReadonlySet<string> = new Set(['level', 'time', 'msg']);

/** Values become plain JSON. A name that the log has for itself gets a `_` behind it. */
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
  // Counts and yes or no (`tokens: 3`) give nothing away.
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
