/** Interface of the stores of the history: a SQLite file or a PostgreSQL database. */

/** Tables of both stores, with their columns. */
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
      /** Action if the key exists. */
      again: 'stays' | 'replaced' | 'grows';
    }
  >
>;

export type HistoryTable = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as readonly HistoryTable[];

export type HistoryValue = string | number | null;
/** PostgreSQL rejects ill-formed Unicode and NUL. */
export function toWritable(value: HistoryValue): HistoryValue {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value;
}

/** One value per column of its table. */
export type HistoryRow = Readonly<Record<string, HistoryValue>>;
/** Phones of a site found to be lost since an earlier time. */
export interface Backdated {
  source: string;
  subject: string;
  name: string;
  /** Adds the losses to rows from here until the other time. */
  since: number;
  until: number;
  count: number;
}

/** Written in one transaction. Keys are unique within a table. */
export interface Batch extends Readonly<Record<HistoryTable, readonly HistoryRow[]>> {
  /** Applies to rows stored before this batch. */
  readonly backdated?: readonly Backdated[];
}

/**
 * Queries in SQL that both stores understand. Tables have the names above; `things` numbers the subjects of states and
 * phones; `rowid` is the order of transitions; parameters are `$name`. Rejects with the database's error.
 */
export interface HistoryQueries {
  ask(sql: string, values?: Readonly<Record<string, HistoryValue>>): Promise<Record<string, unknown>[]>;
  /** For FROM: texts of a JSON list as `one.value`. */
  each(list: string): string;
  /** With GROUP BY: values of a column as a JSON list. The order is arbitrary, but equal for all columns. */
  gathered(column: string): string;
}

/** Kinds of failure. */
export type HistoryTrouble =
  /** The store is replaced by a new one at once. */
  | 'damaged'
  /** Another process holds the lock. Retried for a while, then replaced by a new store. */
  | 'locked'
  /** Disk or database refuse writes. Retried. */
  | 'refused'
  /** The database is unreachable, which is reported with the state. Retried. */
  | 'away'
  /** Another process has taken over writing. */
  | 'over';

export interface HistoryStore {
  /** Rejects with the error of disk or database. */
  open(): Promise<OpenHistoryStore>;
  classify(error: unknown): HistoryTrouble;
  /** A sentence for people. */
  explain(trouble: HistoryTrouble, error: unknown): string;
  /**
   * Clears the store for the next opening. A file is renamed for inspection and its new name returned; database rows
   * are deleted. Rejects with the error of disk or database.
   */
  reset(): Promise<string | null>;
}

export interface OpenHistoryStore extends HistoryQueries {
  /** Atomic. Existing rows stay, are replaced or grow, depending on the table; backdating comes first. */
  write(batch: Batch): Promise<void>;
  /** Removes one batch of rows older than this. True if more remain. */
  prune(before: number): Promise<boolean>;
  /** Size as far as it counts towards the limit. */
  bytes(): Promise<number>;
  /** Reads everything beside the writer, which takes seconds. Rejects if something is damaged. */
  check(): Promise<void>;
  close(): void;
}
