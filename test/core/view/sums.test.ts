/** What could not be read within its time is neither well nor wrong in any sum; what was is said as it is now. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkLines } from '../../../src/cli/status/check-text.ts';
import { formatStatus } from '../../../src/cli/status/status-text.ts';
import { isUnknownPart, isUnknownSource } from '../../../src/core/view/verdict/known.ts';
import type {
  AccountView,
  PageView,
  SystemStatus,
  SourceView,
  ToggleView,
} from '../../../src/core/view/system-status.ts';
import { composeDigest } from '../../../src/core/view/daily-digest.ts';
import { reportStatus } from '../../../src/core/view/status-report.ts';
import { formatWellSums } from '../../../src/core/view/verdict/sums.ts';
import { computeVerdict } from '../../../src/core/view/verdict/verdict.ts';
import { renderBadge } from '../../../src/web/data/badge.ts';
import { renderWallPage } from '../../../src/web/views/wall-page.ts';
import { pageWith } from '../../support/system-status.ts';
import { runs } from '../../support/runs.ts';

const NOW = Date.parse('2026-03-24T04:00:00.000Z');
const LATE = NOW - 48 * 60_000;
const READ = { lastReadAt: NOW - 5_000, unreadMs: 5_000, unsweptMs: 5_000, unreadAfterMs: 180_000, unreachable: false };
const CUT_OFF = { ...READ, lastReadAt: LATE, unreadMs: NOW - LATE, unreachable: true, blind: ['no answer'] };

type Page = SourceView & PageView;
type Account = SourceView & AccountView;

const BASE = { baseUrl: '', title: null, isWell: true, url: null, blind: [], facts: [], troubled: [], ...READ };

function page(name: string, given: Partial<Page> = {}): Page {
  return {
    ...BASE,
    name,
    called: name,
    state: 'Operational',
    type: 'status page',
    page: { name, state: 'operational' },
    components: { total: 0, notOperational: [], all: [] },
    notices: [],
    ...given,
  };
}

function account(name: string, given: Partial<Account> = {}): Account {
  return {
    ...BASE,
    name,
    called: name,
    state: 'registered',
    type: 'account',
    unread: [],
    phones: null,
    toggles: null,
    schedule: { on_schedule: 0, late: 0, off_schedule: 0, missing: 0 },
    ...given,
  };
}

function phones(registered: number, total: number): Account['phones'] {
  return { registered, total, missing: [], sites: [] };
}

function toggles(...all: [boolean | null, boolean | null][]): ToggleView[] {
  return all.map(([status, expected], index) => ({ id: `${index}`, name: `toggle ${index}`, status, expected }));
}

function status(...sources: SourceView[]): SystemStatus {
  return {
    instance: 'hq',
    timezone: 'UTC',
    now: NOW,
    startedAt: 0,
    sources,
    open: [],
    maintenance: [],
    ended: [],
    receivers: [],
    silences: [],
    endedSilences: [],
    unsaved: [],
    members: null,
  };
}

interface Said {
  pages: string | null;
  phones: string | null;
  toggles: string | null;
  whole: string;
}

/** What the page says beside the headings of its sums. */
async function saidOf(of: SystemStatus): Promise<Said> {
  const whole = (await pageWith(of)).replaceAll(/\s+/g, ' ');
  const beside = (id: string): string | null =>
    new RegExp(`id="${id === 'phones' ? '(?:phones|customers)' : id}">[^<]*</h2> <p[^>]*>([^<]*)</p>`).exec(
      whole,
    )?.[1] ?? null;
  return { pages: beside('pages'), phones: beside('phones'), toggles: beside('toggles'), whole };
}

/** Card of a firm whose provider does not answer; null where it does. */
function notKnownCard(whole: string): string | null {
  return /<section class="card w4" aria-labelledby="not-known".*?<\/section>/.exec(whole)?.[0] ?? null;
}

test('a feed that was read is neither unknown nor operational: it shows no state', async () => {
  const feed = page('feed', { page: null, state: 'Shows no state as a whole' });
  expect(computeVerdict(status(feed))).toMatchObject({ headline: 'Nothing is open', tone: 'ok', unknown: [] });
  expect(computeVerdict(status(page('one'), feed))).toMatchObject({ headline: 'All is well', tone: 'ok' });
  expect((await saidOf(status(page('one'), page('two'), feed))).pages).toBe('both operational');
  const { pages, whole } = await saidOf(status(feed));
  expect(pages).toBeNull();
  expect(whole).toContain('Shows no state as a whole');
  const down = page('one', { isWell: false, state: 'Degraded' });
  expect((await saidOf(status(down, feed))).pages).toBe('degraded');
  for (const unread of [{ ...CUT_OFF, state: feed.state }, { state: null }]) {
    const verdict = computeVerdict(status({ ...feed, ...unread }));
    expect(verdict).toMatchObject({ headline: 'Not known how feed is', tone: 'unk' });
  }
});

test('pages: all operational only where every page was read', async () => {
  const [one, two] = [page('one'), page('two')];
  expect((await saidOf(status(one, two, page('three')))).pages).toBe('all 3 operational');
  expect((await saidOf(status(one, two))).pages).toBe('both operational');
  expect((await saidOf(status(one))).pages).toBe('operational');
  const down = { isWell: false, state: 'Degraded' };
  expect((await saidOf(status(page('one', down)))).pages).toBe('degraded');
  expect((await saidOf(status(page('one', down), two))).pages).toBe('1 of 2 degraded');
  const mixture = status(page('one', down), page('two', { isWell: false, state: 'Major outage' }));
  expect((await saidOf(mixture)).pages).toBe('2 of 2 not operational');
  expect((await saidOf(status(page('one', { isWell: false })))).pages).toBe('not operational');
  expect((await saidOf(status(one, two, page('three', { isWell: false })))).pages).toBe('1 of 3 not operational');
  expect((await saidOf(status(one, two, page('three', CUT_OFF)))).pages).toBe(
    '2 of 3 operational, 1 not known since 03:12',
  );
  const mixed = status(one, page('two', { isWell: false }), page('three', CUT_OFF));
  expect((await saidOf(mixed)).pages).toBe('1 of 3 operational, 1 not, 1 not known since 03:12');
  expect((await saidOf(status(page('one', CUT_OFF)))).pages).toBe('1 not known since 03:12');
  const never = { ...CUT_OFF, lastReadAt: null };
  expect((await saidOf(status(page('one', never), page('two', CUT_OFF)))).pages).toBe('all 2 not known');
});

test('parts of a page that are counted and not named are well only where it was read', async () => {
  const many = page('one', { components: componentsOf(0, 60) });
  expect((await saidOf(status(many))).whole).toContain('60 operational: component 0,');
  const { whole } = await saidOf(status({ ...many, ...CUT_OFF }));
  expect(whole).toContain('60 as last seen: component 0,');
  expect(whole).not.toMatch(/all well|all operational/);
});

test('a look from the command line counts what it read, and gives no number of what it did not', () => {
  const told = (of: SystemStatus): string[] => {
    const { sources, accounts } = reportStatus(of);
    const report = {
      verdict: 'unknown' as const,
      sources: sources.map((source) => ({ ...source, verdict: 'unknown' as const })),
      accounts: accounts.map((each) => ({ ...each, verdict: 'unknown' as const })),
    };
    return checkLines(report, { timezone: 'UTC', now: NOW });
  };
  const [one, acme] = [page('one', { components: componentsOf(1, 3) }), account('acme', { phones: phones(3, 4) })];
  const read = told(status(one, { ...acme, unread: ['toggles'] }));
  expect(read[0]).toContain('registered=3;;;0;4 offline=0;;;0;4 operational=3;;;0;4');
  expect(read[1]).toMatch(/3 of 4 components operational$/);
  const unread = told(status({ ...one, ...CUT_OFF }, { ...acme, unread: ['registrations'] }));
  expect(unread[0]).toContain('registered=U offline=U operational=U');
  expect(unread[1]).toMatch(/3 of 4 components operational when last read$/);
});

test('toggles that were not read are not wrong', async () => {
  const all = toggles(...Array.from({ length: 20 }, (): [boolean, boolean] => [true, false]));
  const read = account('acme', { phones: phones(4, 4), toggles: all });
  expect((await saidOf(status(read))).toggles).toBe('20 of 20 not as scheduled');
  const sinceStart = { lastReadAt: null, unreadMs: 3_000, unsweptMs: Infinity };
  expect((await saidOf(status({ ...read, ...sinceStart }))).toggles).toBe('all 20 not read yet');
  expect((await saidOf(status({ ...read, ...CUT_OFF, unread: ['toggles'] }))).toggles).toBe(
    'all 20 not known since 03:12',
  );
  const right = account('beta', { phones: phones(1, 1), toggles: toggles([true, true], [null, true], [false, null]) });
  expect((await saidOf(status(right))).toggles).toBe('1 of 2 as scheduled, 1 not known since 03:59');
  // A toggle that may be either follows no schedule.
  const free = account('beta', { phones: phones(1, 1), toggles: toggles([true, null], [false, null]) });
  expect((await saidOf(status(free))).toggles).toBe('2 toggles');
});

test('a part that cannot be read leaves the other as it is now', async () => {
  const half = account('acme', {
    ...CUT_OFF,
    unread: ['toggles'],
    phones: phones(58, 59),
    toggles: toggles([true, true]),
  });
  const { phones: count, toggles: switched } = await saidOf(status(half));
  expect([count, switched]).toEqual(['58 registered, 1 offline', '1 not known since 03:12']);
  // Without a sweep that came to its end, nothing was read of either.
  const hung = await saidOf(status({ ...half, unsweptMs: 600_000 }));
  expect([hung.phones, hung.toggles]).toEqual(['59 not known since 03:12', null]);
  expect(notKnownCard(hung.whole)).toMatch(/Your 59 phones.*Your 1 toggle</);
  expect((await saidOf(status(account('acme', { state: null })))).phones).toBe('not known since 03:59');
  expect((await saidOf(status(page('one')))).phones).toBeNull();
});

const reading = fc.record({
  lastReadAt: fc.constantFrom(null, NOW - 5_000, LATE),
  unreadMs: fc.constantFrom(5_000, 180_001),
  unsweptMs: fc.constantFrom(undefined, 5_000, 180_001, Infinity),
  unreachable: fc.boolean(),
});
const anyPage = fc
  .record({ reading, isWell: fc.boolean(), down: fc.nat(3), up: fc.nat(3) })
  .map(({ reading: read, isWell, down, up }) => ({ ...read, isWell, components: componentsOf(down, up) }));
const anyAccount = fc
  .record({
    reading,
    unread: fc.subarray(['registrations', 'toggles'] as const),
    phones: fc.option(fc.tuple(fc.nat(5), fc.nat(5)).map(([up, down]) => phones(up, up + down))),
    toggles: fc.option(
      fc
        .array(fc.tuple(fc.constantFrom(true, false, null), fc.constantFrom(true, false, null)), { maxLength: 4 })
        .map((all) => toggles(...all)),
    ),
  })
  .map(({ reading: read, ...rest }) => ({ ...read, ...rest, state: rest.phones === null ? null : 'registered' }));
const anyStatus = fc
  .record({ pages: fc.array(anyPage, { maxLength: 3 }), accounts: fc.array(anyAccount, { maxLength: 3 }) })
  .map(({ pages, accounts }) =>
    status(
      ...pages.map((given, index) => page(`page ${index}`, given)),
      ...accounts.map((given, index) => account(`account ${index}`, given)),
    ),
  );

function componentsOf(down: number, up: number): Page['components'] {
  const all = Array.from({ length: down + up }, (_, index) => ({
    id: `${index}`,
    name: `component ${index}`,
    state: index < down ? 'outage' : 'operational',
    parentId: null,
    isOperational: index >= down,
    since: LATE,
  }));
  return { total: all.length, all, notOperational: all.filter(({ isOperational }) => !isOperational) };
}

/** Sums of `check`, for programs. */
function measured(of: SystemStatus): string | undefined {
  const { sources, accounts } = reportStatus(of);
  const report = {
    verdict: 'ok' as const,
    sources: sources.map((source) => ({ ...source, verdict: 'ok' as const })),
    accounts: accounts.map((each) => ({ ...each, verdict: 'ok' as const })),
  };
  return checkLines(report, { timezone: 'UTC', now: NOW })[0]?.split(' | ')[1];
}

const NOT_KNOWN = /not known|not read yet/;

/** The opposite of whatever is not known. */
function turned(source: SourceView): SourceView {
  if (source.type === 'status page') {
    const { total, notOperational } = source.components;
    const down = notOperational.length;
    return isUnknownSource(source)
      ? { ...source, isWell: !source.isWell, components: componentsOf(total - down, down) }
      : source;
  }
  const { phones: known, toggles: switched } = source;
  return {
    ...source,
    phones:
      known !== null && isUnknownPart(source, 'registrations')
        ? phones(known.total - known.registered, known.total)
        : known,
    toggles:
      switched !== null && isUnknownPart(source, 'toggles')
        ? switched.map((toggle) => ({ ...toggle, status: toggle.status === null ? null : !toggle.status }))
        : switched,
  };
}

test('whatever could not be read makes no sum well and none wrong: its opposite changes none', async () => {
  await fc.assert(
    fc.asyncProperty(anyStatus, async (given) => {
      const other = { ...given, sources: given.sources.map(turned) };
      const [said, same] = [await saidOf(given), await saidOf(other)];
      for (const what of ['pages', 'phones', 'toggles'] as const) expect(same[what]).toBe(said[what]);
      expect(formatWellSums(other)).toBe(formatWellSums(given));
      expect(computeVerdict(other).headline).toBe(computeVerdict(given).headline);
      expect(renderBadge(other)).toBe(renderBadge(given));
      expect(composeDigest(other, 'UTC')).toEqual(composeDigest(given, 'UTC'));
      expect(measured(other)).toBe(measured(given));
    }),
    runs(2_000),
  );
});

test('“all” is said only where all is known and well, and of what is known nothing is said to be unknown', async () => {
  await fc.assert(
    fc.asyncProperty(anyStatus, async (given) => {
      const { pages, toggles: switched, phones: count, whole } = await saidOf(given);
      const ofPages = given.sources.filter(({ type }) => type === 'status page');
      const card = notKnownCard(whole);
      if (card !== null) {
        expect([pages, switched]).toEqual([null, null]);
        for (const source of ofPages) expect(card.includes(`>${source.called}`)).toBe(isUnknownSource(source));
      } else if (ofPages.length > 0) {
        const isAll = ofPages.every((source) => !isUnknownSource(source) && source.isWell);
        expect(/^(?:both |all 3 )?operational$/.test(pages ?? '')).toBe(isAll);
        expect(NOT_KNOWN.test(pages ?? '')).toBe(ofPages.some(isUnknownSource));
      }
      const accounts = given.sources.flatMap((source) => (source.type === 'account' ? [source] : []));
      const lacks = (part: 'registrations' | 'toggles'): boolean => accounts.some((each) => isUnknownPart(each, part));
      const all = accounts.flatMap((each) => each.toggles ?? []);
      const isUnclear = ({ status, expected }: ToggleView): boolean => status === null && expected !== null;
      if (switched !== null) {
        expect(NOT_KNOWN.test(switched)).toBe(lacks('toggles') || all.some(isUnclear));
      }
      if (accounts.length > 0) expect(NOT_KNOWN.test(count ?? '')).toBe(lacks('registrations'));
      if (given.sources.some(isUnknownSource)) expect(computeVerdict(given).tone).toBe('unk');
      const wall = String(
        await renderWallPage({ status: given, viewer: HERE, refreshSeconds: 60 }, { recent: null, days: null }),
      );
      if (ofPages.every(isUnknownSource)) expect(wall).not.toMatch(/All \d+ components? operational/);
      // On the command line each line of what was not read says so.
      const lines = formatStatus(reportStatus(given), { timezone: 'UTC', now: NOW }, '/state');
      for (const source of given.sources) {
        const at = lines.findIndex((line) => line.startsWith(`${source.name} (`));
        const own = lines.slice(at, lines.indexOf('', at)).filter((line) => /^ {2}\d+ (components|of)/.test(line));
        const part = source.type === 'account' ? 'registrations' : 'page';
        for (const line of own) expect(line.includes('when last read')).toBe(isUnknownPart(source, part));
      }
    }),
    runs(2_000),
  );
});

const HERE = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };
