/** Past notices are read once, slowly, into the history: nobody is told, nothing is doubled, and a kill loses nothing. */
import { afterEach, expect, it, vi } from 'vitest';
import type { PastNotice } from '../../src/core/history/past-notice.ts';
import { describePageStanding } from '../../src/core/view/standing/page-standing.ts';
import { formatImportProgress } from '../../src/core/view/standing/import-progress.ts';
import { MINUTE, SECOND, START } from '../support/paper-daemon.ts';
import { allOf, CLEAR } from '../laws/paper-reader.ts';
import { limitedPage } from '../support/limited-page.ts';
import { openPast, type PastOfAPage } from '../support/past-of-a-page.ts';
import { TRIES_ALL } from '../support/runs.ts';

const DAY = 24 * 60 * MINUTE;
const LISTS = 1;

function stateOf({ daemon }: PastOfAPage) {
  return daemon.sources[0]?.state;
}

/** As `status` and the page say it. */
function readingOf(page: PastOfAPage): string | null {
  const state = stateOf(page);
  const source = state === undefined ? null : describePageStanding(state).source;
  const reading = source?.type === 'status page' ? (source.reading ?? null) : null;
  return reading === null ? null : formatImportProgress(reading);
}

function ids(notices: readonly PastNotice[] | undefined): string[] {
  return (notices ?? []).map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b));
}

afterEach(() => void vi.useRealTimers());

const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1));

it('reads 500 of them, one request a second, and tells an outage meanwhile within a sweep', async () => {
  const page = await openPast({ count: 500 });
  await page.pass(15 * SECOND);
  expect(readingOf(page)).toBe('reading past notices: 250 notices listed so far');
  await page.pass(4 * MINUTE - 15 * SECOND);
  expect(stateOf(page)?.past).toMatchObject({ total: 500, finishedAt: null });
  expect(readingOf(page)).toBe('reading past notices: 215 of 500');
  page.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await page.pass(31 * SECOND);
  expect(page.people.taken.map(({ alert }) => alert.title)).toContain('Calls fail');
  await page.pass(6 * MINUTE);
  expect(stateOf(page)?.past).toMatchObject({ total: 500, settled: 500, listed: [] });
  expect(stateOf(page)?.past?.finishedAt).not.toBeNull();
  expect(readingOf(page)).toBeNull();
  // Past the first, an empty list of the recent past and 20 pages of the distant one.
  expect(page.requests).toHaveLength(LISTS + 20 + 500);
  const gaps = page.requests.slice(1).map(({ at }, index) => at - (page.requests[index]?.at ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(SECOND);
  await page.stop();
  const record = await page.record();
  expect(ids(record?.notices)).toEqual(numbers(500));
  expect(new Set(record?.notices.map(({ origin }) => origin))).toEqual(new Set(['imported']));
  expect(record?.since).toBe(Date.parse('2025-03-02T09:00:05.000Z'));
});

it('comes to the same record where it is killed at every tenth request', async () => {
  const whole = await openPast({ count: 60 });
  await whole.pass(5 * MINUTE);
  await whole.stop();
  const killed = await openPast({ count: 60, killEvery: 10 });
  await killed.pass(20 * MINUTE);
  await killed.stop();
  expect(killed.requests.length).toBeLessThan(100);
  const [expected, found] = [await whole.record(), await killed.record()];
  expect(found?.notices).toEqual(expected?.notices);
  expect(ids(found?.notices)).toEqual(numbers(60));
  expect(found?.since).toBe(expected?.since);
});

it('asks at most 5 times a second, the watch and all starts included, and tells an outage meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const count = TRIES_ALL ? 500 : 80;
  const whole = await openPast({ count });
  await whole.pass(10 * MINUTE);
  await whole.stop();
  const page = await openPast({ count, killEvery: 10, other: limitedPage });
  await page.pass(MINUTE);
  const id = page.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await page.pass(31 * SECOND);
  expect(page.people.taken.map(({ alert }) => alert.title)).toContain('Calls fail');
  expect(stateOf(page)?.past).toMatchObject({ total: count, finishedAt: null });
  page.world.closeNotice(id);
  while (stateOf(page)?.past?.finishedAt === null) await page.pass(MINUTE);
  await page.stop();
  const times = page.requests.map(({ at }) => at);
  const busiest = times.map((at, index) => times.slice(index).filter((later) => later - at < SECOND).length);
  expect(Math.max(...busiest)).toBe(5);
  expect(page.kills()).toBeGreaterThanOrEqual(count / 10);
  const [expected, found] = [await whole.record(), await page.record()];
  // The incident meanwhile was watched, and is in no list of what was long over.
  expect(found?.notices.filter((notice) => notice.id !== String(id))).toEqual(expected?.notices);
  expect(found?.since).toBe(expected?.since);
}, 240_000);

it('tells nobody, opens no alert and enters no transition', async () => {
  const page = await openPast({ count: 30 });
  await page.pass(2 * MINUTE);
  expect(stateOf(page)?.alerts).toEqual([]);
  const kinds = page.programs.taken.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));
  expect(new Set(kinds)).toEqual(new Set(['source.baseline']));
  await page.stop();
  expect((await page.record())?.notices).toHaveLength(30);
});

it('asks for nothing at a second start, nor once the record is pruned', async () => {
  const page = await openPast({ count: 30 });
  await page.pass(2 * MINUTE);
  const asked = page.requests.length;
  await page.restart({ keepMs: DAY });
  await page.pass(3 * 60 * MINUTE);
  expect(page.requests).toHaveLength(asked);
  await page.stop();
  const record = await page.record();
  expect(record?.notices).toEqual([]);
  // What was taken away is not claimed to be known.
  expect(record?.since).toBeGreaterThan(START - DAY);
  await page.restart();
  await page.pass(5 * MINUTE);
  expect(page.requests).toHaveLength(asked);
  await page.stop();
});

it('leaves out what is older than was asked for, and reads the rest where more is asked for later', async () => {
  const page = await openPast({ count: 60, months: 3 });
  await page.pass(3 * MINUTE);
  const few = stateOf(page)?.past?.total ?? 0;
  expect(few).toBeGreaterThan(5);
  expect(few).toBeLessThan(25);
  const asked = page.requests.length;
  await page.restart({ months: 12 });
  await page.pass(5 * MINUTE);
  await page.stop();
  expect(ids((await page.record())?.notices)).toEqual(numbers(60));
  // The lists once more, and of the notices those that were missing.
  expect(page.requests.length - asked).toBe(LISTS + 3 + 60 - few);
});

it('is off where it is off', async () => {
  const page = await openPast({ count: 30, months: 0 });
  await page.pass(2 * MINUTE);
  expect(page.requests).toEqual([]);
  await page.stop();
  expect(await page.record()).toBeNull();
});

it('begins after what the provider has archived, and passes over what makes no sense', async () => {
  const page = await openPast({
    count: 40,
    answering(what) {
      if (/^\d+$/.test(what) && Number(what) <= 10) return { kind: 'absent', status: 404 };
      return what === '25' ? { kind: 'missed', code: 'contract_broken', why: 'no readable notice' } : null;
    },
  });
  const tenth = page.world.documents().details.get(10);
  await page.pass(30 * MINUTE);
  expect(stateOf(page)?.past?.finishedAt).not.toBeNull();
  expect(stateOf(page)?.past).toMatchObject({ unreadable: ['25'] });
  await page.stop();
  const record = await page.record();
  expect(record?.since).toBe(Date.parse(String(tenth?.ended_at)));
  expect(ids(record?.notices)).toEqual(numbers(40).filter((id) => Number(id) > 10 && id !== '25'));
});

it('waits while the provider does not answer, and goes on', async () => {
  let isDown = false;
  const page = await openPast({
    count: 30,
    answering: () => (isDown ? { kind: 'missed', code: 'unreachable', why: 'no answer' } : null),
    weather: () => (isDown ? allOf('missed') : CLEAR),
  });
  await page.pass(20 * SECOND);
  isDown = true;
  const before = page.requests.length;
  await page.pass(60 * MINUTE);
  expect(stateOf(page)?.past?.finishedAt).toBeNull();
  // The rests grow to five minutes.
  expect(page.requests.length - before).toBeLessThan(25);
  isDown = false;
  await page.pass(10 * MINUTE);
  await page.stop();
  const record = await page.record();
  expect(ids(record?.notices)).toEqual(numbers(30));
});

it('counts what was watched once, as watched', async () => {
  const page = await openPast({ count: 5 });
  await page.pass(30 * SECOND);
  const id = page.world.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await page.pass(10 * MINUTE);
  page.world.closeNotice(id);
  await page.pass(MINUTE);
  // All of it is read anew, as after a loss of the state.
  await page.restart({ months: Infinity });
  await page.pass(10 * MINUTE);
  await page.restart({ months: 0 });
  await page.pass(MINUTE);
  await page.stop();
  const record = await page.record();
  expect(record?.notices.filter((notice) => notice.id === String(id))).toMatchObject([
    { origin: 'watched', subject: 'Calls fail' },
  ]);
  expect(record?.notices).toHaveLength(6);
});

it('is told in the message of a new notice, and in its event', async () => {
  const page = await openPast({ count: 40 });
  await page.pass(2 * MINUTE);
  page.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  page.world.openNotice({
    subject: 'Work',
    type: 'planned',
    beginsAt: START + DAY,
    endsAt: START + 2 * DAY,
    components: ['Trunks'],
  });
  await page.pass(MINUTE);
  const opened = page.programs.taken.flatMap(({ changes }) =>
    changes.flatMap(({ transition }) => (transition.kind === 'notice.opened' ? [transition.details] : [])),
  );
  expect(opened.map(({ record }) => record?.map(({ name, months }) => [name, months]))).toEqual(
    expect.arrayContaining([[['Trunks', 12]], undefined]),
  );
  await page.stop();
});
