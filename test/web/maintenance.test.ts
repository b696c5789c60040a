/** Planned work: by week, what it may cut off, and the months beside it. */
import { expect, test } from 'vitest';
import type { DaysView } from '../../src/core/report/days.ts';
import type { MaintenanceView, SystemStatus } from '../../src/core/view/system-status.ts';
import { formatMaintenanceCsv } from '../../src/web/views/maintenance-done.ts';
import { renderMaintenancePage } from '../../src/web/views/maintenance-page.ts';
import { daysOf } from '../support/firm-days.ts';
import { firmNight } from '../support/firm-statuses.ts';
import { VIEWED_AT } from '../support/views.ts';

const VIEWER = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };
const DAY = 86_400_000;

async function show(status: SystemStatus, days: DaysView | null = null): Promise<string> {
  return String(await renderMaintenancePage({ status, viewer: VIEWER, refreshSeconds: null }, days));
}

function textOf(page: string): string {
  return page
    .slice(page.indexOf('<main'), page.indexOf('</main>'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('work is listed for this week, later and done, with what it may cut off', async () => {
  const { status } = firmNight();
  const text = textOf(await show(status));
  expect(text).toContain('The next begins Wed 12:17, in 21 h. 1 site may be cut off.');
  expect(text).toMatch(/This week 2 works .*Voicemail storage.*Fibre work, Carlton exchange.*Later 1 work .*Customer/);
  // Of the fibre's page alone: the provider's page is no page of that site.
  expect(text.match(/May cut off/g)).toHaveLength(1);
  expect(text).toMatch(/Fibre work, Carlton exchange .{0,80}May cut off Kelso Freight at Richmond, 8 phones\./);
  expect(text).toMatch(/Done in 30 days 1 of 2 ended within the window, 1 called off /);
  expect(text).toMatch(/SMS gateway .*1 h 50 min 15:20–17:10 .*Fibre work, Kew exchange.*called off/);
  expect(text).toMatch(/Call recording storage .*1 h 25 min , 25 min over 15:17–16:42/);
});

test('an empty list is not drawn, and a calendar frames the days of the work', async () => {
  const { status } = firmNight();
  const page = await show(status);
  expect(page.match(/<caption/g)).toHaveLength(2);
  expect(page).toMatch(/<a href="#work-21"[^>]*>25</);
  expect(page).toMatch(/id="work-21"/);
  expect(page).toMatch(/class="today"\s*>24</);
  const empty = await show({ ...status, maintenance: [] });
  expect(textOf(empty)).toContain('No work is announced.');
  expect(empty).not.toMatch(/This week|Later|Done|framed|href="#work/);
});

test('a Sunday night ends the week in the reader’s zone, over a change of the clock', async () => {
  const { status } = firmNight();
  // 5 April 2026, 03:00 in Melbourne: clocks are set back; it is a Sunday.
  const at = Date.parse('2026-04-05T13:30:00Z');
  const work = { ...status.maintenance[0], number: 31, affected: [], words: null, url: null } as MaintenanceView;
  const late = { ...work, number: 32, subject: 'Monday’s', beginsAt: Date.parse('2026-04-05T14:00:00Z') };
  const soon = { ...work, subject: 'Sunday’s', beginsAt: Date.parse('2026-04-05T13:59:00Z') };
  const planned = [soon, late].map((one) => ({ ...one, phase: 'to come' as const, endsAt: one.beginsAt + 60_000 }));
  const text = textOf(await show({ ...status, now: at, maintenance: planned }));
  expect(text).toMatch(/This week 1 work .*Sunday’s.*Later 1 work .*Monday’s/);
  expect(at - VIEWED_AT).toBeGreaterThan(DAY);
});

test('done work of ninety days has its real times and the phones that were lost meanwhile', async () => {
  const { status, days } = daysOf(firmNight());
  const text = textOf(await show(status, days));
  expect(text).toMatch(/Done in 90 days 2 of 4 ended within the window, 1 called off Announced Work Took Phones lost/);
  expect(text).toMatch(/SMS gateway Southern Cross Voice 1 h 50 min 15:20–17:10 none/);
  expect(text).toMatch(
    /1 h 12 min , 12 min over .{11} 19 Bayside Dental Group at Brighton and Marram Logistics at Altona/,
  );
  // Neither the state nor the history knows: from before the watch, and not in the history.
  expect(text.match(/not measured/g)).toHaveLength(2);
  expect(text.match(/SMS gateway/g)).toHaveLength(1);
});

test('losses at sites without a line of the page’s are not those of its work', async () => {
  const { status, days } = daysOf(firmNight());
  const [work] = days.works;
  if (work === undefined) throw new Error('there is work');
  const measured = ['kelso-freight'];
  const losses = ['Richmond', 'Dandenong'].map((site) => ({ account: 'kelso-freight', site, phones: 3 }));
  const fibre = { ...work, number: 90, source: 'yarra', subject: 'Fibre', losses, measured };
  const shown = textOf(await show({ ...status, maintenance: [] }, { ...days, works: [fibre] }));
  expect(shown).toMatch(/Fibre Yarra Fibre .* 3 Kelso Freight at Richmond/);
  expect(shown).not.toContain('Dandenong');
  const others = { ...fibre, measured: ['bayside-dental-group'] };
  expect(textOf(await show({ ...status, maintenance: [] }, { ...days, works: [others] }))).toContain('not measured');
});

test('the export has all planned work, to come and done', () => {
  const { status, days } = daysOf(firmNight());
  const lines = formatMaintenanceCsv(status, days).trimEnd().split('\r\n');
  expect(lines).toHaveLength(1 + 3 + 5);
  expect(lines[0]).toContain('"page","work","phase","announced_from"');
  expect(lines[1]).toBe(
    '"Southern Cross Voice","Customer Portal upgrade","to come","2026-04-07T04:17:00.000Z","2026-04-07T05:02:00.000Z",,,,,""',
  );
  expect(lines.at(-2)).toMatch(
    /,720,19,"Bayside Dental Group at Brighton, 14 phones; Marram Logistics at Altona, 5 phones"$/,
  );
  expect(lines.find((line) => line.includes('cancelled'))).toMatch(/,,,,,""$/);
});
