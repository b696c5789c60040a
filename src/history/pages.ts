/**
 * Reads large results page by page, by the key of the last row. Each page is a query of its own, so that a slow
 * consumer holds neither lock nor connection.
 */
import type { DeliveryRecord, TransitionRecord } from '../core/history/record.ts';
import type { Span, TransitionQuery } from '../core/history/rows.ts';
import type { HistoryQueries, HistoryValue } from './history-store.ts';
import { toDelivery, toTransition } from './row-readers.ts';

const ROWS_A_PAGE = 1_000;
/** Approximate size of the transitions of a page: a single one may be 100 kB. */
const BYTES_A_PAGE = 500_000;

/** In order of time, then of arrival. */
export async function* readTransitionPages(
  { ask, each }: HistoryQueries,
  { since, until, ...wanted }: TransitionQuery,
): AsyncGenerator<readonly TransitionRecord[]> {
  const { sources, kinds, subjects, statuses, numbers } = wanted;
  const lists = { source: sources, kind: kinds, subject: subjects, status: statuses, number: numbers };
  const asked = Object.entries(lists).flatMap(([column, list]) => (list === undefined ? [] : [{ column, list }]));
  const conditions = asked.map(({ column }) => {
    const one = column === 'number' ? 'CAST(one.value AS INTEGER)' : 'one.value';
    return ` AND ${column} IN (SELECT ${one} FROM ${each(`$${column}`)})`;
  });
  // Sizes are known without reading the contents.
  const next = `SELECT at, rowid AS place, octet_length(content) AS size FROM transitions
    WHERE at >= $at AND at < $until AND (at, rowid) > ($at, $place)${conditions.join('')}
    ORDER BY at, rowid LIMIT ${ROWS_A_PAGE}`;
  const sized = `SELECT place, SUM(size) OVER (ORDER BY at, place) - size AS ahead FROM (${next}) AS next`;
  const page = `SELECT rowid AS place, transitions.* FROM transitions
    WHERE rowid IN (SELECT place FROM (${sized}) AS sized WHERE ahead < ${BYTES_A_PAGE}) ORDER BY at, rowid`;
  const values = Object.fromEntries(asked.map(({ column, list }) => [column, JSON.stringify(list)]));
  const all = { ...values, until: until ?? Number.MAX_SAFE_INTEGER };
  let after = { at: since ?? 0, place: -1 };
  for (;;) {
    const rows = await ask(page, { ...all, ...after });
    const last = rows.at(-1);
    if (last === undefined) return;
    after = { at: Number(last['at']), place: Number(last['place']) };
    yield rows.map(toTransition);
  }
}

export async function* readDeliveryPages(
  { ask }: HistoryQueries,
  { since, until }: Span,
): AsyncGenerator<readonly DeliveryRecord[]> {
  let after: Record<string, HistoryValue> = { at: since, promised: -1, id: '' };
  for (;;) {
    const rows = await ask(
      `SELECT * FROM deliveries WHERE at >= $at AND at < $until AND (at, promised_at, id) > ($at, $promised, $id)
       ORDER BY at, promised_at, id LIMIT ${ROWS_A_PAGE}`,
      { ...after, until },
    );
    const page = rows.map(toDelivery);
    const last = page.at(-1);
    if (last === undefined) return;
    after = { at: last.at, promised: last.promisedAt, id: last.id };
    yield page;
  }
}
