/** Keeps the file of a history within its time and its size, a small step at a time, so that nothing else waits for it. */
import type { DatabaseSync } from 'node:sqlite';
import { REACH } from './past-notices.ts';

/** Rows of one table that go in one step, and free pages that are given back. */
const ROWS_A_STEP = 200;
const PAGES_A_STEP = 64;

/** Rows that say when something happened, with the column that says so. */
const DATED = [
  { table: 'transitions', when: 'at', key: 'rowid' },
  { table: 'deliveries', when: 'at', key: 'id' },
  { table: 'alerts', when: 'resolved_at', key: 'source, id' },
  { table: 'silences', when: 'ends_at', key: 'id' },
  { table: 'notices', when: 'over_at', key: 'source, id' },
] as const;

/** Rows that say how a thing stood: what held at the beginning of what is kept began before it, and stays. */
const STANDING = ['states', 'phones'] as const;

/** The record of past notices is whole only since what was taken away of it. */
const SHORTENED = `UPDATE notices SET began_at = ?1 WHERE origin = '${REACH}' AND began_at < ?1`;

/**
 * One step, outside a transaction: takes away what is older than this. True where there is more to do. Readings go first:
 * whatever is removed after them lies in time that is unknown by then.
 */
export function prune(database: DatabaseSync, before: number): boolean {
  if (pruneReadings(database, before)) return true;
  changes(database, SHORTENED, before);
  let gone = 0;
  for (const { table, when, key } of DATED) {
    const some = `SELECT ${key} FROM ${table} WHERE ${when} < ?1 LIMIT ${ROWS_A_STEP}`;
    gone = Math.max(gone, changes(database, `DELETE FROM ${table} WHERE (${key}) IN (${some})`, before));
  }
  for (const table of STANDING) {
    const held = `SELECT MAX(at) FROM ${table} h WHERE h.thing = things.thing AND h.at <= ?1`;
    const some = `SELECT t.thing, t.at FROM things JOIN ${table} t ON t.thing = things.thing AND t.at < (${held})`;
    const sql = `DELETE FROM ${table} WHERE (thing, at) IN (${some} LIMIT ${ROWS_A_STEP})`;
    gone = Math.max(gone, changes(database, sql, before));
  }
  const free = pragma(database, 'freelist_count');
  // One step a row: it gives back a page each time it is asked.
  if (free > 0) database.prepare(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`).all();
  return gone >= ROWS_A_STEP || free > PAGES_A_STEP;
}

/** A source that is read without a gap has one row for all of its time: only the part that remains is known. */
function pruneReadings(database: DatabaseSync, before: number): boolean {
  const some = `SELECT source, part, since FROM readings WHERE until < ?1 LIMIT ${ROWS_A_STEP}`;
  const gone = changes(database, `DELETE FROM readings WHERE (source, part, since) IN (${some})`, before);
  changes(database, 'UPDATE OR REPLACE readings SET since = ?1 WHERE since < ?1 AND until >= ?1', before);
  return gone >= ROWS_A_STEP;
}

/** Bytes of what is kept, without what is free. */
export function measureBytes(database: DatabaseSync): number {
  return (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size');
}

function changes(database: DatabaseSync, sql: string, before: number): number {
  return Number(database.prepare(sql).run(before).changes);
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
}
