/** What a history knows of its time: when sources were read, as far as that is kept, and since when phones were lost. */
import { describe, expect, it } from 'vitest';
import { createAlert } from '../../src/core/alert/alert.ts';
import type { TransitionRecord } from '../../src/core/history/record.ts';
import type { HistoryOptions } from '../../src/history/history-writer.ts';
import {
  readFrom,
  recordedFall,
  recordedIn,
  transitionsIn,
  type KeptPlace,
  type RecordedHistory,
} from '../support/recorded-history.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER };
const NOTHING = { states: null, phones: null, alerts: [], unrecorded: [] };

/** `newPlace`: one in which nothing is yet. */
export function coverageSuite(newPlace: () => KeptPlace): void {
  function begin(options: Partial<HistoryOptions> = {}): RecordedHistory & { place: KeptPlace } {
    const place = newPlace();
    return { place, ...recordedIn(place, START, options) };
  }

  it('knows a record as long as one of the sources keeps it that have handed it over', async () => {
    const { place, history } = begin();
    const commit = (source: string, ...unrecorded: TransitionRecord[]) =>
      history.committed(source, { ...NOTHING, at: START, unrecorded });
    const shared = recordedFall('t1', START);
    commit('one', shared);
    commit('two', shared);
    await history.flush();
    commit('one', recordedFall('t2', START));
    expect([history.isRecorded('t1'), history.isRecorded('t2')]).toEqual([true, false]);
    commit('two');
    await history.flush();
    expect([history.isRecorded('t1'), history.isRecorded('t2')]).toEqual([false, true]);
    await history.close();
    const kept = await readFrom(place, (reader) => transitionsIn(reader));
    expect(kept.map(({ transition }) => transition.id)).toEqual(['t1', 't2']);
  });

  it('reads of the losses what the span has of them, its beginning and its ends', async () => {
    const { place, history } = begin();
    const site = (name: string, lost: number) => ({ site: name, total: 5, registered: 5 - lost, away: 0, lost });
    // Before the span (0), within (1 to 4), and after it (5).
    const lost: Readonly<Record<string, readonly number[]>> = {
      'lost before': [2, 2, 2, 0, 0, 0],
      'lost within': [0, 3, 1, 0, 0, 0],
      'back before': [0, 0, 0, 0, 0, 4],
      'never lost': [0, 0, 0, 0, 0, 0],
    };
    for (const step of [0, 1, 2, 3, 4, 5]) {
      // Another number of phones, so that each site has a row.
      const phones = Object.entries(lost).map(([name, some]) => ({ ...site(name, some[step] ?? 0), total: 5 + step }));
      history.committed('hq', { ...NOTHING, at: START + step * MINUTE, phones });
      await history.flush();
    }
    await history.close();
    const rows = await readFrom(place, (reader) => reader.losses({ since: START + MINUTE, until: START + 5 * MINUTE }));
    const of = (name: string) =>
      rows.flatMap(({ source, site: at, at: time, lost: count }) =>
        at === name ? [[source, (time - START) / MINUTE, count]] : [],
      );
    expect(of('lost before')).toEqual([0, 1, 2, 3].map((step) => ['hq', step, lost['lost before']?.[step]]));
    expect(of('lost within')).toEqual([1, 2, 3].map((step) => ['hq', step, lost['lost within']?.[step]]));
    expect([of('back before'), of('never lost')]).toEqual([[], []]);
  });

  describe('what is older than is kept', () => {
    const seen = { components: null, page: null };

    it('is unknown, though its source was read without a gap', async () => {
      const { place, history, pass } = begin({ keepMs: () => 10 * DAY });
      const over = {
        ...createAlert({
          id: 'a1',
          number: 1,
          source: 'provider',
          startedAt: START,
          family: 'notice' as const,
          now: START,
        }),
        status: 'resolved' as const,
        resolvedAt: START + MINUTE,
      };
      history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)], alerts: [over] });
      const read = async (minutes: number): Promise<void> => {
        history.swept('provider', seen, START + minutes * MINUTE, 40 * DAY);
        await history.flush();
      };
      await read(0);
      pass(30 * DAY);
      await read(30 * 24 * 60);
      const floor = START + 20 * DAY;
      expect(await readFrom(place, (reader) => reader.kept())).toEqual({ since: floor, until: START + 30 * DAY });
      expect(await readFrom(place, (reader) => reader.alerts(ALL))).toEqual([]);
      const spans = (until: number) =>
        readFrom(place, async (reader) => (await reader.readings(ALL)).map((one) => [one.since, one.until === until]));
      expect(await spans(START + 30 * DAY)).toEqual([
        [floor, true],
        [floor, true],
      ]);
      // The same reading goes on, from what is left of it.
      pass(MINUTE);
      await read(30 * 24 * 60 + 1);
      expect(await spans(START + 30 * DAY + MINUTE)).toEqual([
        [floor, true],
        [floor, true],
      ]);
      await history.close();
      const again = recordedIn(place, START + 30 * DAY + 2 * MINUTE);
      again.history.swept('provider', seen, START + 30 * DAY + 2 * MINUTE, 5 * MINUTE);
      await again.history.close();
      expect(await spans(START + 30 * DAY + 2 * MINUTE)).toEqual([
        [floor, true],
        [floor, true],
      ]);
    });

    it('is what was over before: a young history keeps all of its readings', async () => {
      const { place, history, pass } = begin({ keepMs: () => 40 * DAY });
      for (const minutes of [0, 30 * 24 * 60]) {
        if (minutes > 0) pass(minutes * MINUTE);
        history.swept('provider', seen, START + minutes * MINUTE, 40 * DAY);
        await history.flush();
      }
      await history.close();
      expect(await readFrom(place, (reader) => reader.kept())).toEqual({ since: START, until: START + 30 * DAY });
    });
  });

  describe('a phone that is called lost', () => {
    const at = (minutes: number): number => START + minutes * MINUTE;
    const stand = (registered: number, lost: readonly [string, number][]) => [
      {
        site: 'Richmond',
        total: 5,
        registered,
        away: 0,
        lost: lost.length,
        losses: lost.map(([extension, since]) => ({ extension, since: at(since) })),
      },
    ];
    /** `101` is missing from minute 1 and called lost at 6, `102` from 3 and at 8; `101` is back at 10. */
    const told: readonly [number, ReturnType<typeof stand>][] = [
      [0, stand(5, [])],
      [1, stand(4, [])],
      [3, stand(3, [])],
      [6, stand(3, [['101', 1]])],
      [
        8,
        stand(3, [
          ['101', 1],
          ['102', 3],
        ]),
      ],
      [10, stand(4, [['102', 3]])],
    ];
    const TRUE = [
      [0, 0],
      [1, 1],
      [3, 2],
      [6, 2],
      [8, 2],
      [10, 1],
    ];

    async function counted(flushedAfter: readonly number[], newProcessAfter: number | null): Promise<number[][]> {
      const place = newPlace();
      let { history } = recordedIn(place, START);
      for (const [minutes, phones] of told) {
        history.committed('hq', { ...NOTHING, at: at(minutes), phones });
        if (flushedAfter.includes(minutes)) await history.flush();
        if (minutes !== newProcessAfter) continue;
        await history.close();
        history = recordedIn(place, START).history;
        // A start hands over again how things stand.
        history.committed('hq', { ...NOTHING, at: at(minutes), phones });
      }
      await history.close();
      const rows = await readFrom(place, (reader) => reader.phones({ since: START, until: at(60) }));
      return rows.map((row) => [(row.at - START) / MINUTE, row.lost]);
    }

    it.each([
      ['at once', [], null],
      ['one by one', [0, 1, 3, 6, 8, 10], null],
      ['in two parts', [3], null],
      ['in two parts, later', [6], null],
      ['over a restart before the first', [], 3],
      ['over a restart between the two', [1], 6],
      ['over a restart after the second', [6], 8],
    ] as const)('counts from when it was lost, written %s', async (_, flushedAfter, newProcessAfter) => {
      expect(await counted(flushedAfter, newProcessAfter)).toEqual(TRUE);
    });

    it.each([
      ['at once', []],
      ['one by one', [0, 1, 6]],
      ['in two parts', [0]],
      ['in two parts, later', [1]],
    ] as const)('counts from a time between two rows, written %s', async (_, flushedAfter) => {
      const { place, history } = begin();
      for (const [minutes, phones] of [
        [0, stand(5, [])],
        [1, stand(3, [])],
        [
          6,
          stand(3, [
            ['101', 2],
            ['102', 2],
          ]),
        ],
      ] as const) {
        history.committed('hq', { ...NOTHING, at: at(minutes), phones });
        if ((flushedAfter as readonly number[]).includes(minutes)) await history.flush();
      }
      await history.close();
      const rows = await readFrom(place, (reader) => reader.phones({ since: START, until: at(60) }));
      expect(rows.map((row) => [(row.at - START) / MINUTE, row.lost])).toEqual([
        [0, 0],
        [1, 0],
        [2, 2],
        [6, 2],
      ]);
    });

    it('was not lost where it is back within the hold-off', async () => {
      const { place, history } = begin();
      for (const [minutes, phones] of [
        [0, stand(5, [])],
        [1, stand(4, [])],
        [3, stand(5, [])],
      ] as const) {
        history.committed('hq', { ...NOTHING, at: at(minutes), phones });
      }
      await history.close();
      const rows = await readFrom(place, (reader) => reader.phones(ALL));
      expect(rows.map(({ lost }) => lost)).toEqual([0, 0, 0]);
    });

    it('counts once where its site gets another name', async () => {
      const { place, history } = begin();
      for (const [minutes, phones] of told.slice(0, 4)) {
        history.committed('hq', { ...NOTHING, at: at(minutes), phones });
      }
      const renamed = stand(3, [['101', 1]]).map((one) => ({ ...one, site: 'Head office' }));
      history.committed('hq', { ...NOTHING, at: at(7), phones: renamed });
      await history.close();
      const rows = await readFrom(place, (reader) => reader.phones({ since: START, until: at(60) }));
      expect(rows.map((row) => [row.site, (row.at - START) / MINUTE, row.lost])).toEqual([
        ['Richmond', 0, 0],
        ['Richmond', 1, 1],
        ['Richmond', 3, 1],
        ['Richmond', 6, 1],
        ['Head office', 7, 1],
        ['Richmond', 7, 0],
      ]);
    });
  });
}
