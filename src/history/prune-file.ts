/** Enforces retention and size of the history file in small steps, so that nothing else waits. */
import type { DatabaseSync } from 'node:sqlite';
import { REACH } from './past-notices.ts';

/** Rows removed and pages freed per step. */
const ROWS_A_STEP = 200;
const PAGES_A_STEP = 64;

/** Tables of events, with their time column. */
const DATED = [
  { table: 'transitions', when: 'at', key: 'rowid' },
  { table: 'deliveries', when: 'at', key: 'id' },
  { table: 'alerts', when: 'resolved_at', key: 'source, id' },
  { table: 'silences', when: 'ends_at', key: 'id' },
  { table: 'notices', when: 'over_at', key: 'source, id' },
] as const;

/** Tables of states: keep the last state before the cutoff. */
const STANDING = ['states', 'phones'] as const;

/** The record of past notices is complete only since the cutoff. */
const SHORTENED = `UPDATE notices SET began_at = ?1 WHERE origin = '${REACH}' AND began_at < ?1`;

/**
 * One step outside a transaction: removes rows older than this. True if more remain. Coverage goes first: rows removed
 * later lie in time that is then unknown.
 */
export function prune(database: DatabaseSync, before: number): boolean {
  if (pruneCoverage(database, before)) return true;
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
  // Each step frees one page.
  if (free > 0) database.prepare(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`).all();
  return gone >= ROWS_A_STEP || free > PAGES_A_STEP;
}

/** A continuously read source has one row for all time: truncate it. */
function pruneCoverage(database: DatabaseSync, before: number): boolean {
  const some = `SELECT source, part, since FROM readings WHERE until < ?1 LIMIT ${ROWS_A_STEP}`;
  const gone = changes(database, `DELETE FROM readings WHERE (source, part, since) IN (${some})`, before);
  changes(database, 'UPDATE OR REPLACE readings SET since = ?1 WHERE since < ?1 AND until >= ?1', before);
  return gone >= ROWS_A_STEP;
}

/** Used bytes without free pages. */
export function measureBytes(database: DatabaseSync): number {
  return (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size');
}

function changes(database: DatabaseSync, sql: string, before: number): number {
  return Number(database.prepare(sql).run(before).changes);
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
}
