/** The last 24 hours of accounts, their sites and pages, out of rows of the history. */
import { expect, test } from 'vitest';
import type { LostPhonesRow, ReadingRow } from '../../../src/core/history/rows.ts';
import { computeRecentHours, listSiteSpans, type TroubleSpan } from '../../../src/core/view/recent.ts';

const HOUR = 3_600_000;
const SPAN = { since: 0, until: 24 * HOUR };

function reading(source: string, since: number, until: number, part: ReadingRow['part'] = 'registrations'): ReadingRow {
  return { source, part, since: since * HOUR, until: until * HOUR };
}

function loss(site: string, at: number, lost: number): LostPhonesRow {
  return { source: 'acme', site, at: at * HOUR, lost };
}

function brief(spans: readonly TroubleSpan[] | null | undefined): string[] | null {
  return spans?.map(({ kind, since, until, most }) => `${kind} ${since / HOUR}-${until / HOUR} ${most}`) ?? null;
}

const LOSSES = [loss('Richmond', -3, 2), loss('Richmond', 4, 5), loss('Richmond', 6, 0), loss('Parramatta', 5, 1)];

test('a site has its losses and the gaps of its account, another site the gaps alone', () => {
  const readings = [reading('acme', 0, 10), reading('acme', 12, 24)];
  const recent = computeRecentHours({ losses: LOSSES, states: [], readings }, SPAN);
  const of = (site: string) => brief(listSiteSpans(recent, 'acme', site));
  expect(of('Richmond')).toEqual(['lost 0-6 5', 'gap 10-12 0']);
  expect(of('Parramatta')).toEqual(['lost 5-24 1', 'gap 10-12 0']);
  expect(of('Geelong')).toEqual(['gap 10-12 0']);
  expect(brief(recent.sources.get('acme'))).toEqual(['lost 0-24 6', 'gap 10-12 0']);
  expect(recent.offline.map(({ at, offline }) => [at / HOUR, offline])).toEqual([
    [-3, 2],
    [4, 5],
    [5, 6],
    [6, 1],
  ]);
});

test('an account without a loss has its gaps, and one that was never read has nothing', () => {
  const readings = [reading('calm', 8, 24), reading('page', 0, 24, 'page')];
  const recent = computeRecentHours({ losses: [], states: [], readings }, SPAN);
  expect(brief(recent.sources.get('calm'))).toEqual(['never 0-8 0']);
  expect(brief(listSiteSpans(recent, 'calm', 'Richmond'))).toEqual(['never 0-8 0']);
  expect([recent.sources.get('other'), listSiteSpans(recent, 'other', 'Richmond')]).toEqual([undefined, null]);
  expect([recent.readSince, recent.writtenUntil]).toEqual([8 * HOUR, 24 * HOUR]);
});

test('a page has the states of its components', () => {
  const state = (at: number, value: string) => ({
    source: 'page',
    subject: 'component/1',
    name: 'SIP',
    at: at * HOUR,
    state: value,
  });
  const states = [
    state(-1, 'operational'),
    state(3, 'major_outage'),
    state(5, 'under_maintenance'),
    state(6, 'operational'),
  ];
  const recent = computeRecentHours({ losses: [], states, readings: [reading('page', 0, 24, 'page')] }, SPAN);
  expect(brief(recent.sources.get('page'))).toEqual(['down 3-5 0', 'work 5-6 0']);
});
