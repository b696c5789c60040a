/** The page of one alert: what is still offline, customers and their share, who has it, and how it is given back. */
import { expect, test } from 'vitest';
import { renderAlertPage } from '../../src/web/alert/alert-page.ts';
import { firmNight, recoveringNight, storyOfOpen, type Stood } from '../support/firm-statuses.ts';

const VIEWER = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };
const PARTS = { trouble: null, form: { by: '', comment: '' }, callers: null };

type Viewer = Parameters<typeof renderAlertPage>[0]['viewer'];

async function show(
  { status }: Stood,
  story: Parameters<typeof renderAlertPage>[1],
  history: Parameters<typeof renderAlertPage>[2] = null,
  viewer: Viewer = VIEWER,
): Promise<string> {
  return String(await renderAlertPage({ status, viewer, refreshSeconds: null }, story, history, PARTS));
}

function textOf(page: string): string {
  return page
    .slice(page.indexOf('<main'), page.indexOf('</main>'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('own loss is the headline, its customers stand below it, and their numbers add up', async () => {
  const night = firmNight();
  const page = await show(night, storyOfOpen(night, 4));
  const text = textOf(page);
  expect(text).toContain('112 of 371 phones offline');
  expect(text).toContain('At 11 customers. Since');
  expect(text).toMatch(/To do 11 customers: nothing to do at their sites\. Southern Cross Voice has found the fault/);
  // Another alert's cause is not advised on here.
  expect(text).not.toContain('check power');
  expect(text).toMatch(/Affects 11 customers 112 phones/);
  const rows = [...page.matchAll(/<b>(\d+)<\/b> <span class="soft">offline/g)].map(([, count]) => Number(count));
  expect(rows).toEqual(rows.toSorted((a, b) => b - a));
  expect(rows.reduce((sum, count) => sum + count, 0)).toBe(112);
  expect(text).not.toContain('all back');
  expect(text).toMatch(/At 11 customers|Brighton 14/);
});

test('while it recovers those still offline stand first, and the others are back', async () => {
  const night = recoveringNight();
  const [story] = night.stories;
  const text = textOf(await show(night, story!, night.pasts.get(4)));
  const offline = (night.status.open.find(({ number }) => number === 4)?.parts ?? []).reduce(
    (sum, { phones }) => sum + (phones?.offline ?? 0),
    0,
  );
  expect(text).toContain(`${offline} of 371 phones still offline`);
  expect(text).toMatch(/At \d customers; it was 112 phones at 11\./);
  expect(text).toMatch(
    /Bayside Dental Group 24 of 38 at most .*Marram.*all back.*Pardalote Real Estate 1 of 21 at most/,
  );
  expect(text).toContain(`${112 - offline} of 112 phones are back`);
});

test('an alert that is over says what it cost, and offers nothing to do', async () => {
  const night = recoveringNight();
  const page = await show(night, night.stories[2]!, night.pasts.get(5));
  expect(textOf(page)).toContain('Over: 112 phones were offline at 11 customers');
  expect(page).not.toMatch(/value="(release|take)"|To do/);
});

test('an alert without a phone keeps its title and lists its parts', async () => {
  const night = firmNight();
  const text = textOf(await show(night, storyOfOpen(night, 3)));
  expect(text).toContain('Yarra Fibre: fibre cut in Carlton');
  expect(text).not.toMatch(/phones offline|customers? \d+ phones/);
});

test('who has it may be relieved: with a name by one button, without one by a form, signed out not at all', async () => {
  const night = recoveringNight();
  const [story] = night.stories;
  const named = await show(night, story!, null, { ...VIEWER, name: 'Sam' });
  expect(named).toMatch(/<button class="" name="do" value="release"[^>]*>Release/);
  expect(named).not.toContain('name="by"');
  const nameless = await show(night, story!);
  expect(nameless).toMatch(/name="by"[^]*value="release">Release/);
  const out = await show(night, story!, null, { ...VIEWER, whyNotChange: 'Sign in first.', maySignIn: true });
  expect(out).not.toContain('value="release"');
  const free = await show(firmNight(), storyOfOpen(firmNight(), 4), null, { ...VIEWER, name: 'Sam' });
  expect(free).toMatch(/value="take"[^>]*>Acknowledge #4/);
  expect(free).not.toContain('value="release"');
});

test('the number of an absorbed alert leads to the one that absorbed it, and says so', async () => {
  const night = firmNight();
  const story = storyOfOpen(night, 4, { also: [6, 9] });
  const parts = { status: night.status, viewer: VIEWER, refreshSeconds: null };
  const asked = textOf(String(await renderAlertPage(parts, story, null, { ...PARTS, asked: 6 })));
  expect(asked).toContain('#6 was merged into #4 : both have the same cause.');
  expect(asked).toContain('with #6 and #9 merged into it');
  const own = textOf(String(await renderAlertPage(parts, story, null, { ...PARTS, asked: 4 })));
  expect(own).not.toContain('was merged into');
  expect(own).toContain('with #6 and #9 merged into it');
});

test('the hours below the curve are round ones', async () => {
  const night = recoveringNight();
  const page = await show(night, night.stories[0]!, night.pasts.get(4));
  const hours = [...page.matchAll(/y="98%" text-anchor="middle">(\d\d:\d\d)</g)].map(([, hour]) => hour);
  expect(hours).toEqual(['15:00', '15:05', '15:10', '15:15']);
});
