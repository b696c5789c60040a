/** What was committed is in the history once, whatever becomes of the process, the file and the disk. */
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Parts } from '../../src/core/observation/listing.ts';
import { openHistoryReader } from '../../src/history/reader.ts';
import { readHistory, recordedFall, recordedHistory } from '../support/recorded-history.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER };
const NOTHING = { states: null, phones: null, alerts: [], unrecorded: [] };

async function ids(directory: string): Promise<string[]> {
  const kept = await readHistory(directory, (reader) => reader.transitions({}));
  return kept.map(({ transition }) => transition.id);
}

describe('what was committed', () => {
  it('is in the history once, however often it is handed over', async () => {
    const { history, directory } = recordedHistory(START);
    const [first, second] = [recordedFall('t1', START), recordedFall('t2', START + 1)];
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [first] });
    expect(history.isRecorded('t1')).toBe(false);
    history.flush();
    expect(history.isRecorded('t1')).toBe(true);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [first, second] });
    history.flush();
    expect(await ids(directory)).toEqual(['t1', 't2']);
    history.close();
    const again = recordedHistory(START, directory);
    again.history.committed('provider', { ...NOTHING, at: START, unrecorded: [first, second] });
    again.history.close();
    expect(await ids(directory)).toEqual(['t1', 't2']);
  });

  it('is read as it was', async () => {
    const { history, directory } = recordedHistory(START);
    const hostile = recordedFall('t1', START, { details: { name: '<b>"; DROP TABLE' } as never });
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [hostile] });
    history.close();
    expect(await readHistory(directory, (reader) => reader.transitions({ kinds: ['component.state'] }))).toEqual([
      hostile,
    ]);
    expect(await readHistory(directory, (reader) => reader.transitions({ kinds: ['page.state'] }))).toEqual([]);
    expect(await readHistory(directory, (reader) => reader.transitions({ since: START + 1 }))).toEqual([]);
  });

  it('is for the eyes of its owner', async () => {
    const { history, directory } = recordedHistory(START);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    history.flush();
    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);
    expect(modes.every((mode) => mode === 0o600)).toBe(true);
    history.close();
  });

  it('stands as it stood until it stands otherwise', async () => {
    const { history, directory } = recordedHistory(START);
    const states = (state: string) => [{ subject: 'component/1', name: 'Trunks', state }];
    const commit = (at: number, state: string) =>
      history.committed('provider', { ...NOTHING, at, states: states(state) });
    commit(START, 'operational');
    commit(START + 1, 'operational');
    history.flush();
    commit(START + 2, 'degraded');
    history.close();
    const again = recordedHistory(START, directory).history;
    again.committed('provider', { ...NOTHING, at: START + 3, states: states('degraded') });
    again.committed('provider', { ...NOTHING, at: START + 4, states: [] });
    again.close();
    const rows = await readHistory(directory, (reader) => reader.states({ since: START + 1, until: START + 10 }));
    expect(rows.map(({ at, state }) => [at - START, state])).toEqual([
      [0, 'operational'],
      [2, 'degraded'],
      [4, null],
    ]);
  });

  it('counts phones by site at each change', async () => {
    const { history, directory } = recordedHistory(START);
    const site = (name: string, registered: number) => ({
      site: name,
      total: 5,
      registered,
      away: 0,
      lost: 5 - registered,
    });
    const commit = (at: number, phones: ReturnType<typeof site>[]) =>
      history.committed('hq', { ...NOTHING, at, phones });
    commit(START, [site('Richmond', 5), site('', 5)]);
    commit(START + 1, [site('Richmond', 2), site('', 5)]);
    commit(START + 2, [site('Richmond', 2)]);
    history.close();
    const rows = await readHistory(directory, (reader) => reader.phones(ALL));
    expect(rows.map(({ site: name, at, registered, total }) => [name, at - START, registered, total])).toEqual([
      ['Richmond', 0, 5, 5],
      ['', 0, 5, 5],
      ['Richmond', 1, 2, 5],
      ['', 2, 0, 0],
    ]);
  });
});

describe('readings', () => {
  const GOOD: Parts = { components: null, notices: null };
  const BAD: Parts = { components: { kind: 'missed', code: 'timeout', why: 'no answer' }, notices: null };

  it('leave a gap where a part was not read', async () => {
    const { history, directory } = recordedHistory(START);
    for (const [minute, parts] of [GOOD, GOOD, BAD, GOOD, GOOD].entries()) {
      history.swept('provider', parts, START + minute * MINUTE, 2 * MINUTE);
    }
    history.close();
    const spans = await readHistory(directory, (reader) => reader.readings(ALL));
    const of = (part: string) =>
      spans.flatMap((span) =>
        span.part === part ? [[(span.since - START) / MINUTE, (span.until - START) / MINUTE]] : [],
      );
    expect(of('components')).toEqual([
      [0, 1],
      [3, 4],
    ]);
    expect(of('notices')).toEqual([[0, 4]]);
  });

  it('go on over a short restart, and not over a long one', async () => {
    const lives = [0, 1, 1.5, 2, 30, 31];
    const { directory } = recordedHistory(START);
    for (const minute of lives) {
      const { history } = recordedHistory(START, directory);
      history.swept('provider', GOOD, START + minute * MINUTE, 2 * MINUTE);
      history.close();
    }
    const spans = (await readHistory(directory, (reader) => reader.readings(ALL))).filter(
      ({ part }) => part === 'components',
    );
    expect(spans.map(({ since, until }) => [(since - START) / MINUTE, (until - START) / MINUTE])).toEqual([
      [0, 2],
      [30, 31],
    ]);
  });

  it('are written every minute without anything else', async () => {
    const { history, directory, pass } = recordedHistory(START);
    history.swept('provider', GOOD, START, 2 * MINUTE);
    history.flush();
    expect(openHistoryReader(directory)).toBeNull();
    pass(MINUTE);
    history.swept('provider', GOOD, START + MINUTE, 2 * MINUTE);
    history.flush();
    expect(await readHistory(directory, (reader) => reader.kept())).toEqual({ since: START, until: START + MINUTE });
    history.close();
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
    history.flush();
    expect(told.map(({ what }) => what)).toEqual(['its history was begun anew']);
    pass(MINUTE);
    history.flush();
    expect(await ids(directory)).toEqual(['t1']);
    expect(readdirSync(directory).filter((name) => name.includes('aside'))).toHaveLength(1);
    expect(told).toHaveLength(1);
    history.close();
  });

  it('a file that breaks while it is open is put aside as well', async () => {
    const { history, directory } = recordedHistory(START);
    const many = Array.from({ length: 90 }, (_, index) => recordedFall(`t${index}`, START + index));
    history.committed('provider', { ...NOTHING, at: START, unrecorded: many });
    history.close();
    const path = join(directory, 'history.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(7, 4096));
    const again = recordedHistory(START, directory);
    again.history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('u1', START)] });
    again.history.flush();
    expect(again.told).toHaveLength(1);
    again.pass(MINUTE);
    again.history.flush();
    expect(await ids(directory)).toEqual(['u1']);
    again.history.close();
  });

  it('one that somebody holds is waited for, and then begun anew', async () => {
    const { history, directory, told, pass } = recordedHistory(START);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    history.flush();
    const other = new DatabaseSync(join(directory, 'history.db'));
    other.exec('BEGIN IMMEDIATE');
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t2', START)] });
    const began = performance.now();
    history.flush();
    expect(performance.now() - began).toBeLessThan(500);
    expect(history.isRecorded('t2')).toBe(false);
    expect(told).toEqual([]);
    other.exec('COMMIT');
    pass(MINUTE);
    history.flush();
    expect(await ids(directory)).toEqual(['t1', 't2']);
    other.exec('BEGIN IMMEDIATE');
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t3', START)] });
    for (let minute = 0; minute < 8; minute += 1) {
      history.flush();
      pass(MINUTE);
    }
    expect(told.map(({ what }) => what)).toEqual(['its history was begun anew']);
    expect(await ids(directory)).toEqual(['t3']);
    other.close();
    history.close();
  });

  it('a disk that refuses is told once and asked again', async () => {
    const missing = join(recordedHistory(START).directory, 'not-there');
    const { history, told, pass } = recordedHistory(START, missing);
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    for (let minute = 0; minute < 5; minute += 1) {
      history.flush();
      pass(MINUTE);
    }
    expect(told.map(({ what }) => what)).toEqual(['its history cannot be written']);
    history.close();
  });

  it('a link is not followed', async () => {
    const { history, directory, told, pass } = recordedHistory(START);
    history.flush();
    symlinkSync('/dev/full', join(directory, 'history.db'));
    history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
    history.flush();
    pass(MINUTE);
    history.flush();
    expect(told).toHaveLength(1);
    expect(told[0]?.reason).toMatch(/symbolic link/);
    history.close();
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });
});

describe('bounds', () => {
  it('what is older than it is kept goes, what held at its beginning stays', async () => {
    const { history, directory, pass } = recordedHistory(START, undefined, { keepMs: () => 10 * DAY });
    const old = Array.from({ length: 50 }, (_, day) => recordedFall(`t${day}`, START - day * DAY));
    const states = (state: string) => [{ subject: 'component/1', name: 'Trunks', state }];
    history.committed('provider', { ...NOTHING, at: START - 40 * DAY, states: states('operational'), unrecorded: old });
    history.committed('provider', { ...NOTHING, at: START - 30 * DAY, states: states('degraded'), unrecorded: old });
    history.flush();
    pass(2 * MINUTE);
    history.flush();
    expect(await ids(directory)).toHaveLength(10);
    const rows = await readHistory(directory, (reader) => reader.states(ALL));
    expect(rows.map(({ state }) => state)).toEqual(['degraded']);
    history.close();
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
      history.flush();
    }
    pass(2 * MINUTE);
    for (let turn = 0; turn < 400; turn += 1) history.flush();
    history.close();
    expect(statSync(join(directory, 'history.db')).size).toBeLessThan(1.2 * mostBytes);
    const left = await ids(directory);
    expect(left.length).toBeGreaterThan(40);
    expect(left.at(-1)).toBe('9-49');
  });
});
