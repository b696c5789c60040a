/** The history moves from one place to another. */
import { expect, it } from 'vitest';
import type { Silence } from '../../src/core/alert/silence.ts';
import type { PastNotice } from '../../src/core/history/past-notice.ts';
import { copyHistory, isEmpty } from '../../src/history/copy.ts';
import { toNoticeRow, toReachRow } from '../../src/history/past-notices.ts';
import { readFrom, recordedFall, recordedIn, transitionsIn, type KeptPlace } from '../support/recorded-history.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER };
const NOTHING = { states: null, phones: null, alerts: [], unrecorded: [] };

export function silenceOf(id: string, more: Partial<Silence> = {}): Silence {
  const times = { from: START, until: START + 60 * MINUTE, createdAt: START, expiredAt: null };
  return { id, matchers: { source: ['provider'] }, comment: 'we know', ...times, ...more };
}

/** Two notices that are over, the earlier first. */
export const PAST: readonly PastNotice[] = [
  {
    source: 'provider',
    id: '11',
    origin: 'imported',
    type: 'unplanned',
    state: 'resolved',
    subject: 'Calls fail “é”',
    url: 'https://status.example.test/notices/11',
    beginsAt: null,
    endsAt: null,
    beganAt: START - 10 * DAY,
    endedAt: START - 10 * DAY + 60 * MINUTE,
    createdAt: START - 10 * DAY + MINUTE,
    components: [{ id: '1', name: 'Trunks' }],
  },
  {
    source: 'provider',
    id: '12',
    origin: 'watched',
    type: 'planned',
    state: 'complete',
    subject: 'Work',
    url: null,
    beginsAt: START - DAY,
    endsAt: START - DAY + 60 * MINUTE,
    beganAt: START - DAY,
    endedAt: START - DAY + 90 * MINUTE,
    createdAt: null,
    components: [],
  },
];

/** From one place to another, in both of which nothing is yet. */
export function copySuite(newFrom: () => KeptPlace, newTo: () => KeptPlace): void {
  it('arrives at another place as it was', async () => {
    const [from, to] = [newFrom(), newTo()];
    const { history } = recordedIn(from, START);
    // Ids in another order than that in which they came, and as different languages sort them.
    const unrecorded = Array.from({ length: 1_200 }, (_, index) =>
      recordedFall(`${(index * 7_919) % 1_200}-${index % 2 === 0 ? 'Ä' : 'a'}`, START, {
        subject: `component/${index}`,
      }),
    );
    const states = (state: string) =>
      Array.from({ length: 700 }, (_, id) => ({ subject: `component/${id}`, name: `Trunk ${id} é`, state }));
    const phones = [{ site: '', total: 3, registered: 2, away: 0, lost: 1 }];
    history.committed('provider', { ...NOTHING, at: START, unrecorded, states: states('operational') });
    history.committed('hq', { ...NOTHING, at: START, phones });
    history.committed('provider', { ...NOTHING, at: START + 1, unrecorded, states: states('degraded') });
    history.committed('linewatch', { ...NOTHING, at: START, silences: [silenceOf('s1'), silenceOf('s2')] });
    history.noticed([toReachRow('provider', START), ...PAST.map(toNoticeRow)]);
    history.swept('provider', { components: null }, START, MINUTE);
    await history.close();
    const [source, target] = [from.open(), await to.archive(() => START).open()];
    if (source === null) throw new Error('there is no history');
    expect(await isEmpty(target)).toBe(true);
    expect(await copyHistory(source, target)).toBe(1_200 + 1_400 + 1 + 1 + 2 + 3);
    expect(await isEmpty(target)).toBe(false);
    target.close();
    source.close();
    const told = (place: KeptPlace) => readFrom(place, (reader) => transitionsIn(reader));
    expect(await told(to)).toEqual(await told(from));
    const rest = (place: KeptPlace) =>
      readFrom(place, async (reader) => ({
        states: (await reader.states(ALL)).toSorted((a, b) => a.at - b.at || a.subject.localeCompare(b.subject)),
        phones: await reader.phones(ALL),
        readings: await reader.readings(ALL),
        past: await reader.pageRecords(),
      }));
    expect(await rest(to)).toEqual(await rest(from));
    expect((await rest(to)).past).toEqual([{ source: 'provider', since: START, watchedSince: START, notices: PAST }]);
    await to.archive(() => START).reset();
    const emptied = await to.archive(() => START).open();
    expect(await isEmpty(emptied)).toBe(true);
    emptied.close();
  });
}
