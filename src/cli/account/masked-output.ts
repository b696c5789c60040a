/** Formats values of answers for people, in a cell or after a label. */
import { isObject } from '../../core/text/plain-object.ts';
import { toOneLine } from '../../core/text/plain.ts';
import { MASK, mapEntries, maskSecrets } from '../../provider/field-kinds.ts';
import type { Operation } from '../../provider/operation.ts';

/** Longest text in a cell; `--json` has everything. */
const LONGEST = 2000;

export interface Showing {
  /** IANA time zone for output. */
  readonly timezone: string;
}

/** `name`: the field. External text loses control characters and line breaks. */
export function showValue(name: string, value: unknown, showing: Showing): string {
  if (value === null || value === undefined || value === '') return '-';
  if (isEpoch(name, value)) return showMoment(Number(value), showing);
  switch (typeof value) {
    case 'boolean':
      return value ? 'yes' : 'no';
    case 'string':
      return toOneLine(value.slice(0, LONGEST));
    case 'object':
      return showMany(value, showing);
    default:
      return String(value);
  }
}

function showMany(value: object, showing: Showing): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? 'none' : value.map((entry) => showEntry(entry, showing)).join(', ');
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return 'none';
  return entries
    .map(([key, entry]) =>
      isObject(entry)
        ? showEntry({ name: key, ...entry }, showing)
        : `${toOneLine(key)}: ${showValue('', entry, showing)}`,
    )
    .join(', ');
}

/** Objects in a cell are shown by name, others by content. */
function showEntry(entry: unknown, showing: Showing): string {
  if (!isObject(entry)) return showValue('', entry, showing);
  const { name, ...rest } = entry;
  return typeof name === 'string' && name !== '' ? toOneLine(name) : showMany(rest, showing);
}

/** Epoch seconds, recognised by field name; implausibly early ones stay numbers. */
function isEpoch(name: string, value: unknown): boolean {
  if (!/(^|_)epoch$|^time$|^created_time$/.test(name)) return false;
  const seconds =
    typeof value === 'number' ? value : typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : 0;
  return seconds >= 100_000_000 && seconds < 100_000_000_000;
}

function showMoment(seconds: number, { timezone }: Showing): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(timezone);
  return `${moment.toPlainDate().toString()} ${moment.toPlainTime().toString()}${moment.offset}`;
}

/** Names of undocumented fields that are probably secret. */
const SECRET_NAME = /passw|secret|token|api_?key|private|credential/i;

/** Masks documented secrets, signed URLs, and undocumented fields that look secret. */
export function maskAnswer(operation: Operation, answer: unknown): unknown {
  return maskRest(maskSecrets(operation, answer));
}

function maskRest(value: unknown): unknown {
  if (typeof value === 'string') return withoutSignature(value);
  if (Array.isArray(value)) return value.map(maskRest);
  if (typeof value !== 'object' || value === null) return value;
  return mapEntries(value, (entry, name) => (SECRET_NAME.test(name) && isFilled(entry) ? MASK : maskRest(entry)));
}

function isFilled(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** The query of a URL may grant access: a signature, token or expiry. */
function withoutSignature(text: string): string {
  return text.replaceAll(/\b(https?:\/\/[^\s?#]+)[?#]\S+/gi, `$1?${MASK}`);
}
