/** What a history does, wherever it is kept: in the file, and in a database that is there for the test. */
import { describe, expect, it } from 'vitest';
import { createAlert, type Alert } from '../../src/core/alert/alert.ts';
import type { DeliveryRecord } from '../../src/core/history/record.ts';
import type { MissedParts } from '../../src/core/observation/listing.ts';
import type { HistoryOptions } from '../../src/history/history-writer.ts';
import {
  readFrom,
  recordedFall,
  recordedIn,
  type KeptPlace,
  transitionsIn,
  type RecordedHistory,
} from '../support/recorded-history.ts';
import { copySuite, silenceOf } from './copy-suite.ts';
import { coverageSuite } from './coverage-suite.ts';
import { pastSuite } from './past-suite.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER };
const NOTHING = { states: null, phones: null, alerts: [], unrecorded: [] };

/** `newPlace`: one in which nothing is yet. */
export function historySuite(newPlace: () => KeptPlace): void {
  function begin(options: Partial<HistoryOptions> = {}): RecordedHistory & { place: KeptPlace } {
    const place = newPlace();
    return { place, ...recordedIn(place, START, options) };
  }

  async function ids(place: KeptPlace): Promise<string[]> {
    const kept = await readFrom(place, (reader) => transitionsIn(reader));
    return kept.map(({ transition }) => transition.id);
  }

  async function hasNothing(place: KeptPlace): Promise<boolean> {
    const opened = place.open();
    opened?.close();
    return opened === null || (await readFrom(place, (reader) => reader.kept())) === null;
  }

  coverageSuite(newPlace);

  describe('the story of an alert', () => {
    const alertOf = (id: string, number: number, startedAt: number, more: Partial<Alert> = {}): Alert => ({
      ...createAlert({ id, number, source: 'provider', startedAt, family: 'notice', now: startedAt }),
      title: id,
      ...more,
    });
    const happened = (id: string, at: number, alert: { id: string; number: number }, source = 'provider') => ({
      ...recordedFall(id, at, { source }),
      alert: { ...alert, severity: 'warning' as const, title: alert.id },
    });
    const sent = (message: string, at: number, alert: string): DeliveryRecord => ({
      id: message,
      at,
      receiver: 'ops',
      message,
      source: 'provider',
      alert,
      number: 1,
      outcome: 'delivered',
      detail: 'taken',
      recipients: [],
      promisedAt: at,
      dueAt: at,
      reminder: 0,
      transitions: [`of ${alert}`],
    });

    it('is that of one life of the state, where its number was given in another one, too', async () => {
      const { place, history } = begin();
      const later = START + 48 * 60 * MINUTE;
      for (const [id, at] of [
        ['first life', START],
        ['second life', later],
      ] as const) {
        const unrecorded = [happened(`of ${id}`, at, { id, number: 1 })];
        history.committed('provider', { ...NOTHING, at, unrecorded, alerts: [alertOf(id, 1, at)] });
        history.delivered('ops', [sent(`m ${id}`, at, id)]);
        await history.flush();
      }
      await history.close();
      const [latest, first, unknown] = await readFrom(place, (reader) =>
        Promise.all([reader.story(1), reader.story(1, 'first life'), reader.story(1, 'third life')]),
      );
      const seen = (story: typeof latest) => [
        story?.alerts.map(({ id }) => id),
        story?.transitions.map(({ transition }) => transition.id),
        story?.deliveries.map(({ message }) => message),
      ];
      expect(seen(latest ?? null)).toEqual([['second life'], ['of second life'], ['m second life']]);
      expect(seen(first ?? null)).toEqual([['first life'], ['of first life'], ['m first life']]);
      expect(unknown).toBeNull();
    });

    it('has the phones that another alert carries which it has caused, and no other ones', async () => {
      const { place, history } = begin();
      const ofPhones = (id: string, number: number, cause: string | null) =>
        alertOf(id, number, START, { source: 'acme', family: 'phones', cause });
      const phones = (registered: number) => [
        { site: 'Richmond', total: 9, registered, away: 0, lost: 9 - registered },
      ];
      history.committed('provider', {
        ...NOTHING,
        at: START,
        unrecorded: [happened('t1', START, { id: 'notice', number: 1 })],
        alerts: [alertOf('notice', 1, START)],
      });
      history.committed('acme', {
        ...NOTHING,
        at: START,
        phones: phones(4),
        unrecorded: [
          happened('t2', START, { id: 'loss', number: 2 }, 'acme'),
          happened('t3', START, { id: 'other', number: 3 }, 'acme'),
        ],
        alerts: [ofPhones('loss', 2, 'notice'), ofPhones('other', 3, null)],
      });
      await history.close();
      const story = await readFrom(place, (reader) => reader.story(1));
      expect(story?.transitions.map(({ transition }) => transition.id)).toEqual(['t1']);
      expect(story?.carried.map(({ transition }) => transition.id)).toEqual(['t2']);
      expect(story?.phones).toMatchObject([{ source: 'acme', registered: 4, total: 9 }]);
    });
  });

  describe('the alert of several sites of an account', () => {
    const site = (more: Partial<Alert>): Alert => ({
      ...createAlert({ id: 'a1', number: 1, source: 'acme', startedAt: START, family: 'phones', now: START + 5 }),
      ...more,
    });
    const gone = site({ severity: 'critical', status: 'resolved', resolvedAt: START + 20, title: 'Perth' });
    const stays = site({ severity: 'warning', startedAt: START + 1, openedAt: START + 6, title: 'Richmond' });

    it.each([
      ['the one that goes on last', [gone, stays]],
      ['the one that goes on first', [stays, gone]],
    ])('is open while phones of one of them are lost: %s', async (_order, alerts) => {
      const { place, history } = begin();
      history.committed('acme', { ...NOTHING, at: START, alerts });
      await history.close();
      const rows = await readFrom(place, (reader) => reader.alerts(ALL));
      const known = { title: 'Richmond', severity: 'critical', startedAt: START, openedAt: START + 5 };
      expect(rows).toMatchObject([{ id: 'a1', status: 'open', resolvedAt: null, ...known }]);
    });

    it('is over with the last of them', async () => {
      const { place, history } = begin();
      const last = { ...stays, status: 'resolved' as const, resolvedAt: START + 30 };
      history.committed('acme', { ...NOTHING, at: START, alerts: [gone, last] });
      await history.close();
      expect(await readFrom(place, (reader) => reader.alerts(ALL))).toMatchObject([
        { status: 'resolved', resolvedAt: START + 30 },
      ]);
    });
  });

  describe('what was committed', () => {
    it('is in the history once, however often it is handed over', async () => {
      const { place, history } = begin();
      const [first, second] = [recordedFall('t1', START), recordedFall('t2', START + 1)];
      history.committed('provider', { ...NOTHING, at: START, unrecorded: [first] });
      expect(history.isRecorded('t1')).toBe(false);
      await history.flush();
      expect(history.isRecorded('t1')).toBe(true);
      history.committed('provider', { ...NOTHING, at: START, unrecorded: [first, second] });
      await history.flush();
      expect(await ids(place)).toEqual(['t1', 't2']);
      await history.close();
      const again = recordedIn(place, START);
      again.history.committed('provider', { ...NOTHING, at: START, unrecorded: [first, second] });
      await again.history.close();
      expect(await ids(place)).toEqual(['t1', 't2']);
    });

    it('is read as it was', async () => {
      const { place, history } = begin();
      const hostile = recordedFall('t1', START, { details: { name: '<b>"; DROP TABLE' } as never, vendor: true });
      history.committed('provider', { ...NOTHING, at: START, unrecorded: [hostile] });
      await history.close();
      expect(await readFrom(place, (reader) => transitionsIn(reader, { kinds: ['component.state'] }))).toEqual([
        hostile,
      ]);
      expect(await readFrom(place, (reader) => transitionsIn(reader, { kinds: ['page.state'] }))).toEqual([]);
      expect(await readFrom(place, (reader) => transitionsIn(reader, { since: START + 1 }))).toEqual([]);
    });

    it('stands as it stood until it stands otherwise', async () => {
      const { place, history } = begin();
      const states = (state: string) => [{ subject: 'component/1', name: 'Trunks', state }];
      const commit = (at: number, state: string) =>
        history.committed('provider', { ...NOTHING, at, states: states(state) });
      commit(START, 'operational');
      commit(START + 1, 'operational');
      await history.flush();
      commit(START + 2, 'degraded');
      await history.close();
      const again = recordedIn(place, START).history;
      again.committed('provider', { ...NOTHING, at: START + 3, states: states('degraded') });
      again.committed('provider', { ...NOTHING, at: START + 4, states: [] });
      await again.close();
      const rows = await readFrom(place, (reader) => reader.states({ since: START + 1, until: START + 10 }));
      expect(rows.map(({ at, state }) => [at - START, state])).toEqual([
        [0, 'operational'],
        [2, 'degraded'],
        [4, null],
      ]);
    });

    it('holds each way a known component stood, where it fell and recovered before one writing', async () => {
      const { place, history, told } = begin();
      const commit = (at: number, state: string) =>
        history.committed('provider', {
          ...NOTHING,
          at,
          states: [{ subject: 'component/1', name: 'Trunks', state }],
        });
      commit(START, 'operational');
      await history.flush();
      commit(START + 1, 'degraded');
      commit(START + 2, 'operational');
      await history.flush();
      await history.close();
      expect(told).toEqual([]);
      const rows = await readFrom(place, (reader) => reader.states({ since: START, until: START + 10 }));
      expect(rows.map(({ at, state }) => [at - START, state])).toEqual([
        [0, 'operational'],
        [1, 'degraded'],
        [2, 'operational'],
      ]);
    });

    it('counts phones by site at each change', async () => {
      const { place, history } = begin();
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
      await history.close();
      const rows = await readFrom(place, (reader) => reader.phones(ALL));
      expect(rows.map(({ site: name, at, registered, total }) => [name, at - START, registered, total])).toEqual([
        ['', 0, 5, 5],
        ['Richmond', 0, 5, 5],
        ['Richmond', 1, 2, 5],
        ['', 2, 0, 0],
      ]);
    });
  });

  describe('readings', () => {
    const GOOD: MissedParts = { components: null, notices: null };
    const BAD: MissedParts = { components: { kind: 'missed', code: 'timeout', why: 'no answer' }, notices: null };

    it('leave a gap where a part was not read', async () => {
      const { place, history } = begin();
      for (const [minute, parts] of [GOOD, GOOD, BAD, GOOD, GOOD].entries()) {
        history.swept('provider', parts, START + minute * MINUTE, 2 * MINUTE);
      }
      await history.close();
      const spans = await readFrom(place, (reader) => reader.readings(ALL));
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
      const place = newPlace();
      for (const minute of lives) {
        const { history } = recordedIn(place, START);
        history.swept('provider', GOOD, START + minute * MINUTE, 2 * MINUTE);
        await history.close();
      }
      const spans = (await readFrom(place, (reader) => reader.readings(ALL))).filter(
        ({ part }) => part === 'components',
      );
      expect(spans.map(({ since, until }) => [(since - START) / MINUTE, (until - START) / MINUTE])).toEqual([
        [0, 2],
        [30, 31],
      ]);
    });

    it('are written every minute without anything else', async () => {
      const { place, history, pass } = begin();
      history.swept('provider', GOOD, START, 2 * MINUTE);
      await history.flush();
      expect(await hasNothing(place)).toBe(true);
      pass(MINUTE);
      history.swept('provider', GOOD, START + MINUTE, 2 * MINUTE);
      await history.flush();
      expect(await readFrom(place, (reader) => reader.kept())).toEqual({ since: START, until: START + MINUTE });
      await history.close();
    });
  });

  describe('bounds', () => {
    it('what is older than it is kept goes, what held at its beginning stays', async () => {
      const { place, history, pass } = begin({ keepMs: () => 10 * DAY });
      const old = Array.from({ length: 50 }, (_, day) => recordedFall(`t${day}`, START - day * DAY));
      const states = (state: string) => [{ subject: 'component/1', name: 'Trunks', state }];
      history.committed('provider', {
        ...NOTHING,
        at: START - 40 * DAY,
        states: states('operational'),
        unrecorded: old,
      });
      history.committed('provider', { ...NOTHING, at: START - 30 * DAY, states: states('degraded'), unrecorded: old });
      await history.flush();
      pass(2 * MINUTE);
      await history.flush();
      expect(await ids(place)).toHaveLength(10);
      const rows = await readFrom(place, (reader) => reader.states(ALL));
      expect(rows.map(({ state }) => state)).toEqual(['degraded']);
      await history.close();
    });

    it('beyond its size the oldest goes', async () => {
      const mostBytes = 400_000;
      const { place, history, told, pass } = begin({ mostBytes });
      const long = 'x'.repeat(4_000);
      for (let turn = 0; turn < 10; turn += 1) {
        const some = Array.from({ length: 50 }, (_, index) =>
          recordedFall(`${turn}-${index}`, START - (10 - turn) * 30 * DAY + index, {
            details: { name: long } as never,
          }),
        );
        history.committed('provider', { ...NOTHING, at: START, unrecorded: some });
        await history.flush();
      }
      pass(2 * MINUTE);
      for (let turn = 0; turn < 100; turn += 1) await history.flush();
      await history.close();
      expect(told).toEqual([]);
      const left = await ids(place);
      expect(left.length).toBeGreaterThan(40);
      expect(left.length).toBeLessThan(120);
      expect(left.at(-1)).toBe('9-49');
    });
  });

  describe('what is asked', () => {
    const alert = (source: string, id: string, number: number, more: Partial<Alert> = {}): Alert =>
      ({
        source,
        id,
        number,
        severity: 'warning',
        title: `Trouble ${number}`,
        family: 'component',
        notice: null,
        status: 'open',
        cause: null,
        startedAt: START,
        openedAt: START,
        resolvedAt: null,
        ...more,
      }) as Alert;

    const delivery = (id: string, at: number, more: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
      id,
      at,
      receiver: 'mail',
      message: `m-${id}`,
      source: 'provider',
      alert: 'a1',
      number: 1,
      outcome: 'delivered',
      detail: '250 OK',
      recipients: ['ops@example.com'],
      promisedAt: at,
      dueAt: at,
      reminder: 0,
      transitions: [],
      ...more,
    });

    it('is answered by source, kind, subject and status, and the latest of so many', async () => {
      const { place, history } = begin();
      const falls = ['a', 'b', 'c'].map((id, index) =>
        recordedFall(id, START + Math.floor(index / 2), { source: id === 'c' ? 'carrier' : 'provider' }),
      );
      const info = {
        ...recordedFall('d', START, { kind: 'component.added', subject: 'component/9' }),
        status: 'info',
      } as const;
      history.committed('provider', { ...NOTHING, at: START, unrecorded: [...falls, info] });
      await history.close();
      const asked = async (query: object): Promise<string[]> =>
        (await readFrom(place, (reader) => transitionsIn(reader, query))).map(({ transition }) => transition.id);
      expect(await asked({})).toEqual(['a', 'b', 'd', 'c']);
      expect(await asked({ sources: ['carrier', 'nobody'] })).toEqual(['c']);
      expect(await asked({ kinds: ['component.added'] })).toEqual(['d']);
      expect(await asked({ subjects: ['component/1'], until: START + 1 })).toEqual(['a', 'b']);
      expect(await asked({ statuses: [] })).toEqual([]);
      expect(await asked({ numbers: [7, 1], kinds: ['component.added'] })).toEqual(['d']);
      expect(await asked({ numbers: [2] })).toEqual([]);
      expect(await readFrom(place, (reader) => reader.sources())).toEqual(['carrier', 'provider']);
    });

    it('comes a page at a time, in its order, however many there are of one time and however large', async () => {
      const { place, history } = begin();
      const long = 'x'.repeat(200_000);
      const all = Array.from({ length: 2_500 }, (_, index) =>
        recordedFall(`t${index}`, START + Math.floor(index / 2_000), {
          ...(index % 100 === 0 && { details: { name: `${long}${index}` } as never }),
        }),
      );
      const told = Array.from({ length: 2_100 }, (_, index) => delivery(`d${String(index).padStart(4, '0')}`, START));
      history.committed('provider', { ...NOTHING, at: START, unrecorded: all });
      history.delivered('mail', told);
      await history.close();
      const pages = await readFrom(place, (reader) => Array.fromAsync(reader.transitionPages({ until: START + 2 })));
      expect(pages.flat()).toEqual(all);
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
      expect(pages.length).toBeGreaterThan(5);
      const deliveries = await readFrom(place, (reader) =>
        Array.fromAsync(reader.deliveryPages({ since: START, until: START + 1 })),
      );
      expect(deliveries.map(({ length }) => length)).toEqual([1_000, 1_000, 100]);
      expect(deliveries.flat().map(({ id }) => id)).toEqual(told.map(({ id }) => id));
      const one = await readFrom(place, (reader) =>
        reader.transitionPages({ since: START })[Symbol.asyncIterator]().next(),
      );
      expect(one.value).toEqual(pages[0]);
    });

    it('is the longest alerts of a source, and how many there are besides', async () => {
      const { place, history } = begin();
      const lasted = (id: string, minutes: number) =>
        alert('provider', id, 1, { status: 'resolved', resolvedAt: START + minutes * MINUTE });
      const alerts = [
        lasted('short', 1),
        lasted('long', 9),
        alert('provider', 'open', 2),
        alert('carrier', 'other', 3),
      ];
      history.committed('provider', { ...NOTHING, at: START, alerts });
      await history.close();
      const found = await readFrom(place, (reader) => reader.longestAlerts(ALL, 'provider', 2));
      expect([found.alerts.map(({ id }) => id), found.leftOut]).toEqual([['open', 'long'], 1]);
    });

    it('is the story of an alert, with messages that told of others as well', async () => {
      const { place, history } = begin();
      const unrecorded = [recordedFall('t1', START), recordedFall('t2', START + 1)];
      history.committed('provider', { ...NOTHING, at: START, unrecorded, alerts: [alert('provider', 'a1', 1)] });
      history.committed('hq', { ...NOTHING, at: START, alerts: [alert('hq', 'a2', 2)] });
      history.delivered('mail', [
        delivery('d1', START + 5, { transitions: ['t1'] }),
        delivery('d2', START + 6, { alert: 'a2', number: 2, transitions: ['t0', 't2'] }),
        delivery('d3', START + 7, { alert: 'a2', number: 2, transitions: ['t0'] }),
      ]);
      await history.flush();
      const resolved = alert('provider', 'a1', 1, { status: 'resolved', resolvedAt: START + 9 });
      history.committed('provider', { ...NOTHING, at: START + 9, unrecorded, alerts: [resolved] });
      await history.close();
      const story = await readFrom(place, (reader) => reader.story(1));
      expect(story?.alerts).toMatchObject([
        { source: 'provider', number: 1, status: 'resolved', resolvedAt: START + 9 },
      ]);
      expect(story?.transitions).toEqual(unrecorded);
      expect(story?.deliveries.map(({ id }) => id)).toEqual(['d1', 'd2']);
      expect(story?.deliveries[0]).toEqual(delivery('d1', START + 5, { transitions: ['t1'] }));
      expect(await readFrom(place, (reader) => reader.story(4_294_967_296))).toBeNull();
      const open = await readFrom(place, (reader) => reader.alerts({ since: START + 10, until: START + 20 }));
      expect(open.map(({ id }) => id)).toEqual(['a2']);
      const told = await readFrom(place, (reader) =>
        Array.fromAsync(reader.deliveryPages({ since: START + 6, until: START + 7 })),
      );
      expect(told.flat().map(({ id }) => id)).toEqual(['d2']);
    });

    it('is the silences that were in force in the time of an alert, as they were last', async () => {
      const { place, history, pass } = begin({ keepMs: () => 10 * DAY });
      const unrecorded = [recordedFall('t1', START)];
      const over = alert('provider', 'a1', 1, { status: 'resolved', resolvedAt: START + 10 * MINUTE });
      history.committed('provider', { ...NOTHING, at: START, unrecorded, alerts: [over] });
      const [before, within, after] = [
        silenceOf('before', { from: START - 2 * DAY, until: START - DAY }),
        silenceOf('within', { from: START + MINUTE }),
        silenceOf('after', { from: START + 20 * MINUTE }),
      ];
      history.committed('linewatch', { ...NOTHING, at: START, silences: [before, within, after] });
      await history.flush();
      const ended = { ...within, expiredAt: START + 5 * MINUTE };
      history.committed('linewatch', { ...NOTHING, at: START, silences: [ended, after] });
      await history.flush();
      const story = await readFrom(place, (reader) => reader.story(1));
      expect(story?.silences).toEqual([{ ...within, until: START + 5 * MINUTE }]);
      pass(30 * DAY);
      await history.flush();
      await history.close();
      expect(await readFrom(place, (reader) => reader.story(1))).toBeNull();
    });

    it('is another mark whenever something was written', async () => {
      const { place, history, pass } = begin();
      const marks: string[] = [];
      const mark = async (): Promise<void> => {
        await history.flush();
        marks.push(await readFrom(place, (reader) => reader.mark()));
      };
      history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] });
      await mark();
      history.committed('provider', { ...NOTHING, at: START, alerts: [alert('provider', 'a1', 1)] });
      await mark();
      history.swept('provider', { components: null }, START, MINUTE);
      pass(MINUTE);
      await mark();
      expect(new Set(marks).size).toBe(3);
      await mark();
      expect(marks[3]).toBe(marks[2]);
      await history.close();
    });

    it('is which alerts a component had to do with, and the phones of an alert', async () => {
      const { place, history } = begin();
      const site = (registered: number) => [{ site: 'Richmond', total: 5, registered, away: 0, lost: 5 - registered }];
      history.committed('hq', { ...NOTHING, at: START - 2 * 60 * MINUTE, phones: site(5) });
      history.committed('hq', {
        ...NOTHING,
        at: START,
        phones: site(2),
        alerts: [alert('hq', 'a1', 1, { family: 'phones' }), alert('hq', 'a2', 2, { family: 'toggle' })],
      });
      const phone = recordedFall('t2', START, { subject: 'registration/101' });
      history.committed('provider', { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START), phone] });
      await history.close();
      const span = { since: START, until: START + 1 };
      expect(await readFrom(place, (reader) => reader.partsIn(span))).toEqual([
        { source: 'provider', subject: 'component/1', alert: 'a1' },
      ]);
      const story = await readFrom(place, (reader) => reader.story(1));
      expect(story?.phones.map(({ site: name, registered, at }) => [name, registered, at - START])).toEqual([
        ['Richmond', 5, -120 * MINUTE],
        ['Richmond', 2, 0],
      ]);
      expect(await readFrom(place, (reader) => reader.story(2))).toMatchObject({ alerts: [{ id: 'a2' }], phones: [] });
    });

    it('is told whatever characters a provider sends', async () => {
      const { place, history } = begin();
      const name = 'a\0b\uD800c';
      const hostile = { ...recordedFall('t1', START, { subject: `component/${name}`, details: { name } as never }) };
      const states = ['a\0', 'a'].map((subject) => ({ subject, name, state: 'operational' }));
      history.committed('provider', { ...NOTHING, at: START, unrecorded: [hostile], states });
      await history.close();
      expect(await ids(place)).toEqual(['t1']);
      const [kept] = await readFrom(place, (reader) => transitionsIn(reader));
      expect(kept?.transition.details).toEqual({ name });
    });
  });

  copySuite(newPlace, newPlace);
  pastSuite(newPlace);

  it('what comes while something is being written is written after it', async () => {
    const { place, history } = begin();
    const states = (state: string) => [{ subject: 'component/1', name: 'Trunks', state }];
    history.committed('provider', { ...NOTHING, at: START });
    await history.flush();
    history.committed('provider', {
      ...NOTHING,
      at: START,
      unrecorded: [recordedFall('t1', START)],
      states: states('a'),
    });
    const writing = history.flush();
    const more = [recordedFall('t1', START), recordedFall('t2', START + 1)];
    history.committed('provider', { ...NOTHING, at: START + 1, unrecorded: more, states: states('b') });
    history.swept('provider', { components: null }, START + 1, MINUTE);
    await writing;
    expect(history.isRecorded('t2')).toBe(false);
    await history.flush();
    expect([history.isRecorded('t1'), history.isRecorded('t2')]).toEqual([true, true]);
    await history.close();
    expect(await ids(place)).toEqual(['t1', 't2']);
    const rows = await readFrom(place, (reader) => reader.states(ALL));
    expect(rows.map(({ at, state }) => [at - START, state])).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
  });
}
