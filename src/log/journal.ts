/**
 * Entries in the native protocol of systemd's journal: a sentence plus fields that `journalctl` shows with `-o verbose`
 * or `-o json` and filters by (`LINEWATCH_SOURCE=provider`). `systemd/notify.pl` connects the socket and passes on its
 * descriptor. Without a socket the fields follow the sentence as text.
 */
import { writeSync } from 'node:fs';

export interface JournalLine {
  /** For people. */
  sentence: string;
  /** Syslog priority: 3 error, 4 warning, 6 info, 7 debug. */
  priority: number;
  fields: Readonly<Record<string, unknown>>;
}

/** The journal rejects longer field names. */
const LONGEST_NAME = 64;

/** Format: https://systemd.io/JOURNAL_NATIVE_PROTOCOL. */
export function encodeJournalEntry({ sentence, priority, fields }: JournalLine): Buffer {
  const own: [string, string][] = [
    ['MESSAGE', sentence],
    ['PRIORITY', String(priority)],
    ['SYSLOG_IDENTIFIER', 'linewatch'],
  ];
  const others = listFields(fields).map(([key, value]): [string, string] => [toFieldName(key), value]);
  return Buffer.concat([...own, ...others].map(([name, value]) => encodeField(name, value)));
}

/** Values with line breaks are preceded by their length. */
function encodeField(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  if (!value.includes('\n')) return Buffer.concat([Buffer.from(`${name}=`), bytes, Buffer.from('\n')]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')]);
}

/** `retryInMs` → `LINEWATCH_RETRY_IN_MS`. */
function toFieldName(key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return `LINEWATCH_${words.toUpperCase()}`.slice(0, LONGEST_NAME);
}

/** One line: `Opened #2 critical: Inbound calls failing (provider) event=transition kind=notice.opened`. */
export function formatJournalText({ sentence, fields }: Omit<JournalLine, 'priority'>): string {
  const after = listFields(fields).map(
    ([key, value]) => `${key}=${/^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`,
  );
  const words = sentence.split('\n').map((line) => line.trim());
  return [...words, ...after].join(' ');
}

function listFields(fields: JournalLine['fields']): [string, string][] {
  return Object.entries(fields).flatMap(([key, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[key, formatValue(value)]],
  );
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  // Lists of names: `sources=provider,head-office`.
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(',');
  return JSON.stringify(value);
}

/**
 * Sends entries over the descriptor that the environment names; null if it names none. Returns false if the journal
 * rejects an entry: too long, busy or restarting. The line is then written as text.
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
