/** A history in a directory of its own, on clocks the test moves: nothing is written before the test says so. */
import { describeOwnEvent } from '../../src/core/wording/own-events.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryStore, HistoryQueries } from '../../src/history/history-store.ts';
import type { TransitionRecord } from '../../src/core/history/record.ts';
import { createHistory, type History, type HistoryOptions } from '../../src/history/history-writer.ts';
import { createSqliteStore, openHistoryFile } from '../../src/history/sqlite.ts';
import { createReader } from '../../src/history/history-reader.ts';
import type { HistoryReader, TransitionQuery } from '../../src/core/history/rows.ts';

/** Directory of a history in a test. */
export interface KeptPlace {
  archive(now: () => number): HistoryStore;
  /** Null where there is nothing yet. */
  open(): (HistoryQueries & { close(): void }) | null;
}

export interface RecordedHistory {
  history: History;
  told: { what: string; reason: string }[];
  pass(ms: number): void;
}

export function placeInFile(directory = mkdtempSync(join(tmpdir(), 'linewatch-history-'))): KeptPlace {
  return { archive: (now) => createSqliteStore(directory, now), open: () => openHistoryFile(directory) };
}

export function recordedIn(place: KeptPlace, start: number, options: Partial<HistoryOptions> = {}): RecordedHistory {
  let passed = 0;
  const told: RecordedHistory['told'] = [];
  return {
    told,
    history: createHistory({
      archive: place.archive(() => start + passed),
      keepMs: () => 400 * 24 * 3600 * 1000,
      now: () => start + passed,
      monotonic: () => passed,
      // The test flushes in its place.
      later: () => undefined,
      report: (event) => void told.push(describeOwnEvent(event)),
      ...options,
    }),
    pass: (ms) => void (passed += ms),
  };
}

export function recordedHistory(
  start: number,
  directory = mkdtempSync(join(tmpdir(), 'linewatch-history-')),
  options: Partial<HistoryOptions> = {},
): RecordedHistory & { directory: string } {
  return { directory, ...recordedIn(placeInFile(directory), start, options) };
}

export function readHistory<T>(directory: string, question: (reader: HistoryReader) => T | Promise<T>): Promise<T> {
  return readFrom(placeInFile(directory), question);
}

export async function readFrom<T>(place: KeptPlace, question: (reader: HistoryReader) => T | Promise<T>): Promise<T> {
  const opened = place.open();
  if (opened === null) throw new Error('there is no history');
  try {
    return await question(createReader(opened));
  } finally {
    opened.close();
  }
}

/** All that a query finds. */
export async function transitionsIn(reader: HistoryReader, query: TransitionQuery = {}): Promise<TransitionRecord[]> {
  return (await Array.fromAsync(reader.transitionPages(query))).flat();
}

/** A component that falls, or whatever else is asked for. */
export function recordedFall(
  id: string,
  at: number,
  more: Partial<TransitionRecord['transition']> = {},
): TransitionRecord {
  const transition = {
    id,
    source: 'provider',
    subject: 'component/1',
    kind: 'component.state',
    from: 'operational',
    to: 'degraded',
    at,
    details: { name: 'Trunks', parent_id: null, path: [], notice: null },
    ...more,
  } as TransitionRecord['transition'];
  return { transition, status: 'open', alert: { id: 'a1', number: 1, severity: 'warning', title: 'Trunks degraded' } };
}
