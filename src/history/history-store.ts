/** Where a history is kept, a file or a database: what both take, and what both answer. */

/** The tables both have, with the columns that are written. */
export const TABLES = {
  transitions: {
    columns: ['id', 'at', 'source', 'subject', 'kind', 'status', 'alert', 'number', 'severity', 'title', 'content'],
    key: ['id'],
    again: 'stays',
  },
  alerts: {
    columns: [
      'source',
      'id',
      'number',
      'severity',
      'title',
      'family',
      'notice',
      'status',
      'cause',
      'started_at',
      'opened_at',
      'resolved_at',
    ],
    key: ['source', 'id'],
    again: 'replaced',
  },
  deliveries: {
    columns: [
      'id',
      'at',
      'receiver',
      'message',
      'source',
      'alert',
      'number',
      'outcome',
      'detail',
      'recipients',
      'promised_at',
      'due_at',
      'reminder',
      'transitions',
    ],
    key: ['id'],
    again: 'stays',
  },
  states: {
    columns: ['source', 'subject', 'name', 'at', 'state'],
    key: ['source', 'subject', 'name', 'at'],
    again: 'replaced',
  },
  phones: {
    columns: ['source', 'subject', 'name', 'at', 'total', 'registered', 'away', 'lost'],
    key: ['source', 'subject', 'name', 'at'],
    again: 'replaced',
  },
  readings: { columns: ['source', 'part', 'since', 'until'], key: ['source', 'part', 'since'], again: 'grows' },
  silences: {
    columns: ['id', 'begins_at', 'ends_at', 'created_at', 'comment', 'matchers'],
    key: ['id'],
    again: 'replaced',
  },
  notices: {
    columns: [
      'source',
      'id',
      'origin',
      'type',
      'state',
      'subject',
      'url',
      'begins_at',
      'ends_at',
      'began_at',
      'ended_at',
      'created_at',
      'over_at',
      'components',
    ],
    key: ['source', 'id'],
    again: 'replaced',
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      columns: readonly string[];
      key: readonly string[];
      /** What becomes of a row whose key is there already. */
      again: 'stays' | 'replaced' | 'grows';
    }
  >
>;

export type HistoryTable = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as readonly HistoryTable[];

export type HistoryValue = string | number | null;
/** PostgreSQL takes no text that is no Unicode, and no character 0. */
export function toWritable(value: HistoryValue): HistoryValue {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value;
}

/** A value for each column of its table. */
export type HistoryRow = Readonly<Record<string, HistoryValue>>;
/** Phones of a site that turned out to be lost since an earlier time. */
export interface Backdated {
  source: string;
  subject: string;
  name: string;
  /** In rows from then on, and before the other time, so many more are lost. */
  since: number;
  until: number;
  count: number;
}

/** What is written together. Within a table no two rows have the same key. */
export interface Batch extends Readonly<Record<HistoryTable, readonly HistoryRow[]>> {
  /** Of rows that were there before this batch. */
  readonly backdated?: readonly Backdated[];
}

/**
 * Asks in SQL that both understand. Tables go by the names above, `things` gives those of states and phones their number,
 * `rowid` is the order in which transitions came; a value stands as `$name`. Rejects with what the database says.
 */
export interface HistoryQueries {
  ask(sql: string, values?: Readonly<Record<string, HistoryValue>>): Promise<Record<string, unknown>[]>;
  /** For FROM: the texts of a list in JSON, as `one.value`. */
  each(list: string): string;
  /** Beside GROUP BY: the values of a column as a list in JSON, in whatever order, which is that of its neighbours. */
  gathered(column: string): string;
}

/** What is wrong with a history. */
export type HistoryTrouble =
  /** It is put aside and begun anew at once. */
  | 'damaged'
  /** Somebody else holds it; it is waited for a while, and then begun anew. */
  | 'locked'
  /** The disk or the database takes nothing; it is tried again. */
  | 'refused'
  /** The database cannot be reached, which is told with the state: it is tried again. */
  | 'away'
  /** Somebody else writes it by now. */
  | 'over';

export interface HistoryStore {
  /** Rejects with what the disk or the database says. */
  open(): Promise<OpenHistoryStore>;
  troubleOf(error: unknown): HistoryTrouble;
  /** A sentence for people. */
  reasonOf(trouble: HistoryTrouble, error: unknown): string;
  /**
   * The next opening finds nothing: a file is put aside for a person to look at, and its new name comes back; rows of a
   * database are removed. Rejects with what the disk or the database says.
   */
  beginAnew(): Promise<string | null>;
}

export interface OpenHistoryStore extends HistoryQueries {
  /** All of it or nothing. What is there already stays, is replaced or grows, as its table says; losses are backdated before. */
  write(batch: Batch): Promise<void>;
  /** One small step: takes away what is older than this. True where there is more to do. */
  prune(before: number): Promise<boolean>;
  /** Of what is kept, as far as it counts against its bound. */
  bytes(): Promise<number>;
  /** Reads all of it, beside whoever writes, which takes seconds. Rejects where some of it is damaged. */
  check(): Promise<void>;
  close(): void;
}
