/** Planned work: by week, what it may cut off, and the months beside it. */
import { expect, test } from 'vitest';
import type { MaintenanceView, Picture } from '../../src/core/view/picture.ts';
import { renderMaintenancePage } from '../../src/web/views/maintenance-page.ts';
import { firmNight } from '../support/firm-pictures.ts';
import { VIEWED_AT } from '../support/views.ts';

const VIEWER = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };
const DAY = 86_400_000;

async function show(picture: Picture): Promise<string> {
  return String(await renderMaintenancePage({ picture, viewer: VIEWER, refreshSeconds: null }));
}

function textOf(page: string): string {
  return page
    .slice(page.indexOf('<main'), page.indexOf('</main>'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('work is listed for this week, later and done, with what it may cut off', async () => {
  const { picture } = firmNight();
  const text = textOf(await show(picture));
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
  const { picture } = firmNight();
  const page = await show(picture);
  expect(page.match(/<caption/g)).toHaveLength(2);
  expect(page).toMatch(/<a href="#work-21"[^>]*>25</);
  expect(page).toMatch(/id="work-21"/);
  expect(page).toMatch(/class="today"\s*>24</);
  const empty = await show({ ...picture, maintenance: [] });
  expect(textOf(empty)).toContain('No work is announced.');
  expect(empty).not.toMatch(/This week|Later|Done|framed|href="#work/);
});

test('a Sunday night ends the week in the reader’s zone, over a change of the clock', async () => {
  const { picture } = firmNight();
  // 5 April 2026, 03:00 in Melbourne: clocks are set back; it is a Sunday.
  const at = Date.parse('2026-04-05T13:30:00Z');
  const work = { ...picture.maintenance[0], number: 31, affected: [], words: null, url: null } as MaintenanceView;
  const late = { ...work, number: 32, subject: 'Monday’s', beginsAt: Date.parse('2026-04-05T14:00:00Z') };
  const soon = { ...work, subject: 'Sunday’s', beginsAt: Date.parse('2026-04-05T13:59:00Z') };
  const planned = [soon, late].map((one) => ({ ...one, phase: 'to come' as const, endsAt: one.beginsAt + 60_000 }));
  const text = textOf(await show({ ...picture, now: at, maintenance: planned }));
  expect(text).toMatch(/This week 1 work .*Sunday’s.*Later 1 work .*Monday’s/);
  expect(at - VIEWED_AT).toBeGreaterThan(DAY);
});
