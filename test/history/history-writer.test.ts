/** The history in its file: what was committed is there once, whatever becomes of the process, the file and the disk. */
import {
  mkdirSync,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runInHistoryThread } from '../../src/daemon/recording/history-tasks.ts';
import { createSqliteStore, openHistoryFile } from '../../src/history/sqlite.ts';
import { readHistory, recordedFall, recordedHistory, placeInFile, transitionsIn } from '../support/recorded-history.ts';
import { historySuite } from './suite.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOTHING = { states: null, phones: null, alerts: [], unrecorded: [] };

async function ids(directory: string): Promise<string[]> {
  const kept = await readHistory(directory, (reader) => transitionsIn(reader));
  return kept.map(({ transition }) => transition.id);
}

historySuite(placeInFile);

describe('the file', () => {
  it('is for the eyes of its owner', async () => {
    const { history, directory } = recordedHistory(START);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    await history.flush();
    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);
    expect(modes.every((mode) => mode === 0o600)).toBe(true);
    await history.close();
  });

  it('a history that grows beyond its size loses its oldest and gives the room back', async () => {
    const mostBytes = 400_000;
    const { history, directory, pass } = recordedHistory(START, undefined, { mostBytes });
    const long = 'x'.repeat(4_000);
    for (let turn = 0; turn < 10; turn += 1) {
      const some = Array.from({ length: 50 }, (_, index) =>
        recordedFall(`${turn}-${index}`, START - (10 - turn) * 30 * DAY + index, { details: { name: long } as never }),
      );
      history.committed('provider', { ...NOTHING, at: START, unrecorded: some });
      await history.flush();
    }
    pass(2 * MINUTE);
    for (let turn = 0; turn < 400; turn += 1) await history.flush();
    await history.close();
    expect(statSync(join(directory, 'history.db')).size).toBeLessThan(1.2 * mostBytes);
    const left = await ids(directory);
    expect(left.length).toBeGreaterThan(40);
    expect(left.at(-1)).toBe('9-49');
  });
});

describe('trouble', () => {
  it.each([
    ['is no database', (path: string) => writeFileSync(path, 'a letter to a friend'.repeat(500))],
    [
      'was written by a later version',
      (path: string) => {
        const database = new DatabaseSync(path);
        database.exec('PRAGMA user_version = 99; CREATE TABLE t (a)');
        database.close();
      },
    ],
    [
      'lacks a table',
      (path: string) => {
        const database = new DatabaseSync(path);
        database.exec('PRAGMA user_version = 1');
        database.close();
      },
    ],
  ])('a file that %s is put aside, told once, and begun anew', async (_, spoil) => {
    const { history, directory, told, pass } = recordedHistory(START);
    spoil(join(directory, 'history.db'));
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    await history.flush();
    expect(told.map(({ what }) => what)).toEqual(['its history was begun anew']);
    pass(MINUTE);
    await history.flush();
    expect(await ids(directory)).toEqual(['t1']);
    expect(readdirSync(directory).filter((name) => name.includes('aside'))).toHaveLength(1);
    expect(told).toHaveLength(1);
    await history.close();
  });

  it('a file that somebody takes away while it is open is begun anew, and nothing is written where nobody finds it', async () => {
    const { history, directory, told, pass } = recordedHistory(START);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    await history.flush();
    rmSync(join(directory, 'history.db'));
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t2', START)] });
    await history.flush();
    pass(MINUTE);
    await history.flush();
    expect(await ids(directory)).toEqual(['t2']);
    expect(told).toHaveLength(1);
    expect(told[0]?.reason).toBe('The database cannot be used: it was taken away. Everything else goes on.');
    await history.close();
  });

  it('a file that breaks while it is open is put aside as well', async () => {
    const { history, directory } = recordedHistory(START);
    const many = Array.from({ length: 90 }, (_, index) => recordedFall(`t${index}`, START + index));
    history.committed('provider', { ...NOTHING, at: START, unrecorded: many });
    await history.close();
    const path = join(directory, 'history.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(7, 4096));
    const again = recordedHistory(START, directory);
    again.history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('u1', START)] });
    await again.history.flush();
    expect(again.told).toHaveLength(1);
    again.pass(MINUTE);
    await again.history.flush();
    expect(await ids(directory)).toEqual(['u1']);
    await again.history.close();
  });

  it('what breaks of a file while it is open is found by the look of the day, told once and begun anew', async () => {
    const { directory, history: first } = recordedHistory(START);
    const long = { details: { name: 'x'.repeat(2_000) } as never };
    const many = Array.from({ length: 400 }, (_, index) => recordedFall(`t${index}`, START + index, long));
    first.committed('provider', { ...NOTHING, at: START, unrecorded: many });
    await first.close();
    let looked: Promise<string | null> = Promise.resolve(null);
    let looks = 0;
    const archive = createSqliteStore(
      directory,
      () => START,
      (path) => {
        looks += 1;
        return (looked = runInHistoryThread('fault', { path }));
      },
    );
    const { history, told, pass } = recordedHistory(START, directory, { archive });
    const watch = async (id: string): Promise<void> => {
      history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall(id, START)] });
      await history.flush();
      await looked;
      await setImmediate();
      await history.flush();
    };
    pass(11 * MINUTE);
    await watch('u1');
    expect([looks, await looked, told]).toEqual([1, null, []]);
    const path = join(directory, 'history.db');
    const file = openSync(path, 'r+');
    const { size } = fstatSync(file);
    writeSync(file, Buffer.alloc(40 * 4096, 7), 0, 40 * 4096, Math.floor(size / 8192 / 2) * 4096);
    closeSync(file);
    // SQLite reads none of these pages now.
    await watch('u2');
    expect([looks, told]).toEqual([1, []]);
    pass(25 * 60 * MINUTE);
    await watch('u3');
    expect(looks).toBe(2);
    expect(await looked).toBe('some of it is damaged');
    pass(MINUTE);
    await watch('u4');
    expect(told.map(({ what }) => what)).toEqual(['its history was begun anew']);
    expect(told[0]?.reason).toContain('some of it is damaged');
    expect(readdirSync(directory).filter((name) => /aside-[^/]*Z$/.test(name))).toHaveLength(1);
    expect(await ids(directory)).toContain('u4');
    await history.close();
  });

  it('whoever reads what is damaged has all of it looked through, and no more than once an hour', async () => {
    const { directory } = recordedHistory(START);
    let looks = 0;
    const archive = createSqliteStore(
      directory,
      () => START,
      () => Promise.resolve(String((looks += 1)) === '2' ? 'some of it is damaged' : null),
    );
    const { history, told, pass } = recordedHistory(START, directory, { archive });
    const doubt = async (): Promise<void> => {
      history.doubted();
      history.committed('provider', { ...NOTHING, at: START });
      await history.flush();
      await setImmediate();
    };
    await doubt();
    await doubt();
    expect(looks).toBe(1);
    pass(61 * MINUTE);
    await doubt();
    await doubt();
    expect([looks, told.length]).toEqual([2, 1]);
    await history.close();
  });

  it('a file of a version that kept no silences is read, and gains them when it is written', async () => {
    const { directory, history } = recordedHistory(START);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    await history.close();
    const older = new DatabaseSync(join(directory, 'history.db'));
    older.exec('DROP TABLE silences');
    older.close();
    const before = openHistoryFile(directory);
    expect(before?.isInPlace()).toBe(false);
    expect(await before?.ask('SELECT * FROM silences')).toEqual([]);
    before?.close();
    const { history: again, told } = recordedHistory(START, directory);
    again.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t2', START)] });
    await again.close();
    expect([await ids(directory), told]).toEqual([['t1', 't2'], []]);
    const after = openHistoryFile(directory);
    expect(after?.isInPlace()).toBe(true);
    after?.close();
  });

  it('a file of a version without the indexes of stories is read, and gains them when it is written', async () => {
    const { directory, history } = recordedHistory(START);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    await history.close();
    const path = join(directory, 'history.db');
    const listIndexes = (): unknown[] => {
      const database = new DatabaseSync(path);
      const rows = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`).all();
      database.close();
      return rows.map(({ name }) => name);
    };
    const all = listIndexes();
    const older = new DatabaseSync(path);
    older.exec('DROP INDEX alerts_cause; DROP INDEX transitions_alert; DROP INDEX deliveries_combined');
    older.close();
    expect(await ids(directory)).toEqual(['t1']);
    expect(listIndexes()).toHaveLength(all.length - 3);
    const { history: again, told } = recordedHistory(START, directory);
    again.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t2', START)] });
    await again.close();
    expect(told).toEqual([]);
    expect(new Set(listIndexes())).toEqual(new Set(all));
  });

  it('one that somebody holds is waited for, and then begun anew', async () => {
    const { history, directory, told, pass } = recordedHistory(START);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    await history.flush();
    const other = new DatabaseSync(join(directory, 'history.db'));
    other.exec('BEGIN IMMEDIATE');
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t2', START)] });
    const began = performance.now();
    await history.flush();
    // Whoever reads waits for a lock so long; who writes comes again later.
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(history.isRecorded('t2')).toBe(false);
    expect(told).toEqual([]);
    other.exec('COMMIT');
    pass(MINUTE);
    await history.flush();
    expect(await ids(directory)).toEqual(['t1', 't2']);
    other.exec('BEGIN IMMEDIATE');
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t3', START)] });
    for (let minute = 0; minute < 8; minute += 1) {
      await history.flush();
      pass(MINUTE);
    }
    expect(told.map(({ what }) => what)).toEqual(['its history was begun anew']);
    expect(await ids(directory)).toEqual(['t3']);
    other.close();
    await history.close();
  });

  it('a disk that refuses is told once and asked again', async () => {
    const missing = join(recordedHistory(START).directory, 'not-there');
    const { history, told, pass } = recordedHistory(START, missing);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    for (let minute = 0; minute < 5; minute += 1) {
      await history.flush();
      pass(MINUTE);
    }
    expect(told.map(({ what }) => what)).toEqual(['its history cannot be written']);
    await history.close();
  });

  it('what is refused once is tried again soon, and is no news', async () => {
    const missing = join(recordedHistory(START).directory, 'not-there');
    const { history, told, pass } = recordedHistory(START, missing);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    await history.flush();
    mkdirSync(missing);
    pass(5_000);
    await history.flush();
    expect([told, history.isRecorded('t1')]).toEqual([[], true]);
    await history.close();
  });

  it('a link is not followed', async () => {
    const { history, directory, told, pass } = recordedHistory(START);
    await history.flush();
    symlinkSync('/dev/full', join(directory, 'history.db'));
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    await history.flush();
    pass(MINUTE);
    await history.flush();
    expect(told).toHaveLength(1);
    expect(told[0]?.reason).toMatch(/symbolic link/);
    await history.close();
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });
});
