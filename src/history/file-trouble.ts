/** Classifies errors of the history file by SQLite's codes, and describes them for people. */
import { readErrorCode, explainDiskError } from '../net/failure.ts';
import type { HistoryTrouble } from './history-store.ts';

/** The file is unusable: damaged, or written by another version. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** https://www.sqlite.org/rescode.html: missing table, broken page, no database. */
const DAMAGED = [1, 11, 26];
const BUSY = [5, 6];

export function classifyTrouble(error: unknown): HistoryTrouble {
  const code = sqliteCode(error);
  if (code === null) return error instanceof Unusable ? 'damaged' : 'refused';
  if (BUSY.includes(code)) return 'locked';
  return DAMAGED.includes(code) ? 'damaged' : 'refused';
}

/** Primary SQLite code; null for other errors. */
function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

/** A reason for people; null for errors that are not SQLite's. */
export function explainReadFailure(error: unknown): string | null {
  if (error instanceof Unusable) return error.message;
  const code = sqliteCode(error);
  if (code === null) return readErrorCode(error) === null ? null : explainDiskError(error);
  if (BUSY.includes(code)) return 'another program holds it';
  return DAMAGED.includes(code) ? 'it is damaged' : 'the disk refuses it';
}

export function explainTrouble(kind: HistoryTrouble, error: unknown): string {
  if (kind === 'locked') return 'Another program holds the database and does not let it go.';
  if (error instanceof Unusable) return `The database cannot be used: ${error.message}.`;
  if (kind === 'damaged') return 'The database is damaged.';
  if (sqliteCode(error) !== null) return 'The disk refuses the database: it is full, read-only or failing.';
  const code = readErrorCode(error);
  return code === null || code.startsWith('ERR_')
    ? 'It cannot be written for a reason that nobody foresaw.'
    : `The database cannot be opened: ${explainDiskError(error)}.`;
}
