/**
 * Lines for systemd's journal: a sentence, and its fields as fields of the journal, which `journalctl` shows with
 * `-o verbose` or `-o json` and finds by (`LINEWATCH_SOURCE=provider`). They go over a socket that `systemd/notify.pl` has
 * connected and handed down, in the native protocol of the journal; without one the fields stand after the sentence.
 */
import { writeSync } from 'node:fs';

/** A line of the log as values. */
export interface JournalLine {
  /** A sentence for people. */
  sentence: string;
  /** Of syslog: 3 error, 4 warning, 6 info, 7 debug. */
  priority: number;
  fields: Readonly<Record<string, unknown>>;
}

/** Longer ones the journal does not take. */
const LONGEST_NAME = 64;

/** The entry in the journal's native protocol: https://systemd.io/JOURNAL_NATIVE_PROTOCOL. */
export function encodeJournalEntry({ sentence, priority, fields }: JournalLine): Buffer {
  const own: [string, string][] = [
    ['MESSAGE', sentence],
    ['PRIORITY', String(priority)],
    ['SYSLOG_IDENTIFIER', 'linewatch'],
  ];
  const others = shown(fields).map(([key, value]): [string, string] => [fieldName(key), value]);
  return Buffer.concat([...own, ...others].map(([name, value]) => entryField(name, value)));
}

/** A value of several lines is preceded by its length. */
function entryField(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  if (!value.includes('\n')) return Buffer.concat([Buffer.from(`${name}=`), bytes, Buffer.from('\n')]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')]);
}

/** `retryInMs` is `LINEWATCH_RETRY_IN_MS`. */
function fieldName(key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return `LINEWATCH_${words.toUpperCase()}`.slice(0, LONGEST_NAME);
}

/** `Opened #2 critical: Inbound calls failing (provider) event=transition kind=notice.opened`, on one line. */
export function formatJournalText({ sentence, fields }: Omit<JournalLine, 'priority'>): string {
  const after = shown(fields).map(
    ([key, value]) => `${key}=${/^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`,
  );
  const words = sentence.split('\n').map((line) => line.trim());
  return [...words, ...after].join(' ');
}

function shown(fields: JournalLine['fields']): [string, string][] {
  return Object.entries(fields).flatMap(([key, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[key, textOf(value)]],
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  // Names, mostly: `sources=provider,head-office`.
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(',');
  return JSON.stringify(value);
}

/**
 * Sends one entry over the descriptor that the environment names; null where it names none. False where the journal did
 * not take it: it is too long, or the journal is busy or being restarted. The line then goes the way of all others.
 */
export function openJournalSocket(descriptor: string | undefined): ((entry: Buffer) => boolean) | null {
  if (descriptor === undefined || !/^\d+$/.test(descriptor)) return null;
  return (entry) => {
    try {
      return writeSync(Number(descriptor), entry) === entry.length;
    } catch {
      return false;
    }
  };
}
