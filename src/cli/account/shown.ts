/** Values of an answer as a person reads them in a cell or after a label. */
import { oneLine } from '../../core/text/plain.ts';

/** A cell never needs more than this of a text; `--json` has the whole. */
const LONGEST = 2000;

export interface Showing {
  /** IANA name of the zone people read times in. */
  readonly timezone: string;
}

/** Of a field with this name. Text of the provider loses control characters and line breaks. */
export function showValue(name: string, value: unknown, showing: Showing): string {
  if (value === null || value === undefined || value === '') return '-';
  if (isEpoch(name, value)) return showMoment(Number(value), showing);
  switch (typeof value) {
    case 'boolean':
      return value ? 'yes' : 'no';
    case 'string':
      return oneLine(value.slice(0, LONGEST));
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
      isRecord(entry)
        ? showEntry({ name: key, ...entry }, showing)
        : `${oneLine(key)}: ${showValue('', entry, showing)}`,
    )
    .join(', ');
}

/** An object within a cell is told by its name; one without says what it holds. */
function showEntry(entry: unknown, showing: Showing): string {
  if (!isRecord(entry)) return showValue('', entry, showing);
  const { name, ...rest } = entry;
  return typeof name === 'string' && name !== '' ? oneLine(name) : showMany(rest, showing);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Seconds since the Unix epoch, by the names the interface gives them; long ago enough to be none stays a number. */
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
