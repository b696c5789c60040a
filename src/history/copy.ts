/** Copies the history to another store, reads it back and compares it. */
import { createHash } from 'node:crypto';
import {
  TABLE_NAMES,
  TABLES,
  toWritable,
  type HistoryQueries,
  type OpenHistoryStore,
  type HistoryRow,
  type HistoryTable,
} from './history-store.ts';

/** Rows per batch. */
const ROWS_AT_ONCE = 500;

export async function isEmpty({ ask }: HistoryQueries): Promise<boolean> {
  const some = ['transitions', 'alerts', 'deliveries', 'readings', 'silences', 'notices', 'things'].map(
    (table) => `SELECT 1 FROM ${table}`,
  );
  return (await ask(`SELECT 1 AS one WHERE EXISTS (${some.join(' UNION ALL ')})`)).length === 0;
}

/** `to` must be empty. Resolves to the number of rows. Rejects if the copy differs, or with the database's error. */
export async function copyHistory(from: HistoryQueries, to: OpenHistoryStore): Promise<number> {
  let copied = 0;
  for (const table of TABLE_NAMES) {
    const sent = createDigest();
    for await (const rows of pagesOf(from, table)) {
      await to.write({ ...NO_ROWS, [table]: rows });
      sent.add(rows);
    }
    const arrived = createDigest();
    for await (const rows of pagesOf(to, table)) arrived.add(rows);
    if (!sent.equals(arrived)) throw new Error(`The ${table} of the history did not arrive as they were sent.`);
    copied += sent.count();
  }
  return copied;
}

const NO_ROWS = {
  transitions: [],
  alerts: [],
  deliveries: [],
  states: [],
  phones: [],
  readings: [],
  silences: [],
  notices: [],
};

/** Sort keys for paging: each store has its own text order and an index for it. */
const ORDER: Readonly<Record<HistoryTable, readonly string[]>> = {
  transitions: ['rowid'],
  alerts: ['source', 'id'],
  deliveries: ['id'],
  states: ['thing', 'at'],
  phones: ['thing', 'at'],
  readings: ['source', 'part', 'since'],
  silences: ['id'],
  notices: ['source', 'id'],
};

async function* pagesOf({ ask }: HistoryQueries, table: HistoryTable): AsyncGenerator<HistoryRow[]> {
  const { columns } = TABLES[table];
  const order = ORDER[table];
  const isStanding = order[0] === 'thing';
  const from = isStanding ? `${table} t JOIN things ON things.thing = t.thing` : `${table} t`;
  const wanted = [...new Set([...columns, ...order])].map((column) => `${ownerOf(column, isStanding)}.${column}`);
  const key = order.map((column) => `t.${column}`).join(', ');
  const select = `SELECT ${wanted.join(', ')} FROM ${from}`;
  let after: HistoryRow | null = null;
  for (;;) {
    const beyond = after === null ? '' : `WHERE (${key}) > (${order.map((column) => `$${column}`).join(', ')})`;
    const sql = `${select} ${beyond} ORDER BY ${key} LIMIT ${ROWS_AT_ONCE}`;
    const page = (await ask(sql, after ?? {})) as HistoryRow[];
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map((row) => Object.fromEntries(columns.map((column) => [column, toWritable(row[column] ?? null)])));
    after = Object.fromEntries(order.map((column) => [column, last[column] ?? null]));
  }
}

function ownerOf(column: string, isStanding: boolean): string {
  return isStanding && ['source', 'subject', 'name'].includes(column) ? 'things' : 't';
}

interface RowsDigest {
  add(rows: readonly HistoryRow[]): void;
  count(): number;
  equals(other: RowsDigest): boolean;
  sum(): bigint;
}

/** Independent of row order. */
function createDigest(): RowsDigest {
  let [count, sum] = [0, 0n];
  return {
    add(rows) {
      for (const row of rows) {
        const hash = createHash('sha256')
          .update(JSON.stringify(Object.values(row)))
          .digest('hex');
        sum = BigInt.asUintN(256, sum + BigInt(`0x${hash}`));
      }
      count += rows.length;
    },
    count: () => count,
    sum: () => sum,
    equals: (other) => count === other.count() && sum === other.sum(),
  };
}
