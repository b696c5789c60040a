/** Ninety days out of a history, counted once and then only what is new. */
import { readdirSync, readlinkSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HistoryReader } from '../../src/core/history/rows.ts';
import { toDayState, type DaysView } from '../../src/core/report/days.ts';
import { openKeptHistory } from '../../src/daemon/recording/kept-history.ts';
import { createNinetyDays } from '../../src/history/ninety-days.ts';
import { PAST, WATCHED_DAYS, writePast } from '../support/ninety-days.ts';
import { recordedHistory } from '../support/recorded-history.ts';

type Kept = ReturnType<typeof recordedHistory>;

const NOW = Date.parse('2026-11-24T03:47:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function past(): Promise<Kept> {
  const kept = recordedHistory(NOW);
  await writePast({
    history: kept.history,
    until: NOW,
    page: 'provider',
    account: 'acme',
    components: { 1: 'Hosted PBX', 2: 'Hosted PBX › Registrations', 3: 'SMS', 4: 'Portal' },
    sites: { Richmond: 20, Parramatta: 20 },
  });
  return kept;
}

/** `watch`: methods of the reader in place of its own. */
function daysIn(
  kept: Kept,
  now = () => NOW,
  watch: (reader: HistoryReader) => Partial<HistoryReader> = () => ({}),
): () => Promise<DaysView> {
  const { read } = openKeptHistory({ stateDir: kept.directory, instance: 'hq', database: null });
  return createNinetyDays({
    read: (question) => read((reader) => question({ ...reader, ...watch(reader) })),
    timezone: () => 'Australia/Melbourne',
    now,
  });
}

/** With the sources whose states were asked for by themselves. */
async function askedFor(kept: Kept): Promise<{ view: DaysView; asked: string[] }> {
  const asked: string[] = [];
  const view = await daysIn(
    kept,
    () => NOW,
    (reader) => ({
      states(span, source) {
        if (source !== undefined) asked.push(source);
        return reader.states(span, source);
      },
    }),
  )();
  return { view, asked: asked.toSorted() };
}

function statesOf({ rows }: DaysView, subject: string): string {
  const letters = { well: 'w', 'in part': 'i', trouble: 't', maintenance: 'm', unknown: '-', none: '.' };
  return (rows.find((row) => row.subject === subject)?.days ?? []).map((time) => letters[toDayState(time)]).join('');
}

describe('ninety days', () => {
  it('are a day each of what was seen, and unknown before the watch began', async () => {
    const view = await daysIn(await past())();
    expect(view.days).toHaveLength(90);
    expect(view.days.at(-1)).toMatchObject({ date: '2026-11-24', until: NOW });
    const before = 90 - WATCHED_DAYS - 1;
    const sms = statesOf(view, 'component/3');
    expect(sms.slice(0, before)).toBe('-'.repeat(before));
    expect(sms.match(/t/g)).toHaveLength(2);
    expect(statesOf(view, 'component/4').match(/m/g)).toHaveLength(1);
    expect(statesOf(view, 'component/1').match(/t/g)).toHaveLength(1);
    expect(statesOf(view, 'site/Richmond').match(/[t]/g)).toHaveLength(1);
    // A night and a day in which the account did not answer.
    expect(statesOf(view, 'site/Parramatta').slice(before + 2)).toMatch(/w-{1,2}/);
    expect(view.alerts).toHaveLength(PAST.length);
    expect(view.gaps.map(({ sources }) => sources)).toEqual([['acme', 'provider'], ['acme']]);
    expect([...(view.alertsOf.get('provider\ncomponent/3') ?? [])]).toEqual(['past-101', 'past-105']);
  });

  it('of a history that began today are unknown before, without a question for each source', async () => {
    const kept = recordedHistory(NOW);
    const operational = [{ subject: 'component/3', name: 'SMS', state: 'operational' }];
    for (let at = NOW - 10 * HOUR; at <= NOW; at += HOUR) {
      kept.history.committed('provider', { at, states: operational, phones: null, alerts: [], unrecorded: [] });
      kept.history.swept('provider', { components: null, page: null }, at, 2 * HOUR);
    }
    await kept.history.flush();
    const { view, asked } = await askedFor(kept);
    expect(statesOf(view, 'component/3')).toBe(`${'-'.repeat(89)}i`);
    expect(asked).toEqual([]);
  });

  it('of an older history are asked for one source after the other', async () => {
    const { asked } = await askedFor(await past());
    expect(asked).toEqual(['acme', 'provider']);
  });

  it('let a request through between two queries: several turns of the loop, not one', async () => {
    const kept = await past();
    let [turns, isOver] = [0, false];
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    const asked: number[] = [];
    setImmediate(turn);
    await daysIn(
      kept,
      () => NOW,
      (reader) => ({
        partsIn(span) {
          asked.push(turns);
          return reader.partsIn(span);
        },
      }),
    )();
    isOver = true;
    expect(asked.length).toBeGreaterThan(5);
    const apart = asked.slice(1).map((at, index) => at - (asked[index] ?? at));
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(3);
  });

  it('go on with what is new, over midnight, as if all of it were counted anew', async () => {
    const kept = await past();
    let now = NOW;
    const going = daysIn(kept, () => now);
    await going();
    const degraded = [{ subject: 'component/3', name: 'SMS', state: 'degraded' }];
    for (const later of [HOUR, 9 * HOUR, 10 * HOUR, 11 * HOUR, 40 * HOUR]) {
      now = NOW + later;
      kept.history.committed('provider', {
        at: now - HOUR / 2,
        states: degraded,
        phones: null,
        alerts: [],
        unrecorded: [],
      });
      for (let at = now - HOUR; at <= now; at += HOUR / 6) {
        kept.history.swept('provider', { components: null, page: null }, at, HOUR / 2);
      }
      kept.pass(HOUR);
      await kept.history.flush();
      const anew = await daysIn(kept, () => now)();
      expect(await going()).toEqual(anew);
    }
  });

  it('are the same until something is written', async () => {
    const kept = await past();
    const days = daysIn(kept);
    const [first, second] = await Promise.all([days(), days()]);
    expect(second).toBe(first);
    expect(await days()).toBe(first);
    kept.pass(DAY);
    kept.history.swept('provider', { components: null }, NOW + HOUR, DAY);
    await kept.history.flush();
    expect(await days()).not.toBe(first);
  });

  it('are empty where there is no history, and begin anew where it was put aside', async () => {
    expect((await daysIn(recordedHistory(NOW))()).rows).toEqual([]);
    const kept = await past();
    const days = daysIn(kept);
    expect((await days()).rows.length).toBeGreaterThan(0);
    for (const ending of ['', '-wal', '-shm']) {
      renameSync(join(kept.directory, `history.db${ending}`), join(kept.directory, `aside${ending}`));
    }
    expect((await days()).rows).toEqual([]);
  });

  it('are read from a file that stays open from one question to the next, and is let go where it was put aside', async () => {
    const kept = await past();
    const { read, close } = openKeptHistory({ stateDir: kept.directory, instance: 'hq', database: null });
    const sources = () => read((history) => history.sources());
    const opened = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(kept.directory, 'history.db'));
        } catch {
          return false;
        }
      }).length;
    await kept.history.close();
    expect(opened()).toBe(0);
    expect(await Promise.all([sources(), sources()])).toEqual([
      ['acme', 'provider'],
      ['acme', 'provider'],
    ]);
    const one = opened();
    expect(one).toBeGreaterThan(0);
    await sources();
    expect(opened()).toBe(one);
    renameSync(join(kept.directory, 'history.db'), join(kept.directory, 'aside'));
    expect(await sources()).toBe(null);
    renameSync(join(kept.directory, 'aside'), join(kept.directory, 'history.db'));
    expect(await sources()).toHaveLength(2);
    await close();
    expect(opened()).toBe(0);
  });
});
