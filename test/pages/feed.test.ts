/** Feeds as they are written: paragraphs with times, entries of one update, and texts of which nobody can say what is new. */
import { expect, it } from 'vitest';
import { HOUR, paragraph, rss, SITE, watchFeed as watched } from './feed-watch.ts';
import { MINUTE, NOON, standingOf, vendorWatch, type PaperAnswer, type VendorWatch } from './vendor-watch.ts';

const knownOf = (page: VendorWatch) => page.watch.state.snapshot.notices?.find(({ id }) => id.endsWith('/No-calls'));

it('tells a paragraph that was added as an update, and one that was rewritten as edited', async () => {
  const { page, show, news } = await watched();
  const first = paragraph('Mar 2, 11:50 UTC', 'Investigating', 'Calls <b>fail</b>.');
  show(rss([{ title: 'No calls', text: first }]));
  expect(await news()).toEqual(['notice.opened investigating']);
  expect(knownOf(page)).toMatchObject({ createdAt: NOON - 10 * MINUTE });
  expect(knownOf(page)?.updates).toEqual([
    { state: 'investigating', content: 'Calls <b>fail</b>.', createdAt: NOON - 10 * MINUTE },
  ]);
  const second = paragraph('Mar 2, 12:01 UTC', 'Update', 'Still so.');
  show(rss([{ title: 'No calls', at: NOON + MINUTE, text: `${second}${first}` }]));
  expect(await news()).toEqual(['notice.update investigating']);
  // A word that is none of ours stays where it stands.
  expect(knownOf(page)?.updates.at(-1)?.content).toContain('Update');
  show(rss([{ title: 'No calls', at: NOON + 2 * MINUTE, text: `${second}${first.replace('fail', 'failed')}` }]));
  expect(await news()).toEqual(['notice.edited Calls <b>failed</b>.']);
  const end = paragraph('Mar 2, 12:03 UTC', 'Resolved', 'Mended.');
  show(rss([{ title: 'No calls', at: NOON + 3 * MINUTE, text: `${end}${second}${first}` }]));
  expect(await news()).toEqual(['notice.edited Calls <b>fail</b>.', 'notice.closed resolved']);
  expect(knownOf(page)).toMatchObject({ endedAt: NOON + 3 * MINUTE });
});

it.each([
  ['Dec 31, 23:50 UTC', Date.parse('2025-12-31T23:50:00Z')],
  ['Mar 2, 06:50 EST', Date.parse('2026-03-02T11:50:00Z')],
  ['Mar 2, 12:50 CET', Date.parse('2026-03-02T11:50:00Z')],
  ['Mar 2, 08:50 -03', Date.parse('2026-03-02T11:50:00Z')],
  ['Mar 2, 17:20 +05:30', Date.parse('2026-03-02T11:50:00Z')],
])('reads %s', async (when, at) => {
  const { page, show, news } = await watched();
  show(rss([{ title: 'No calls', text: paragraph(when, 'Investigating', 'Calls fail.') }]));
  await news();
  expect(knownOf(page)?.updates).toEqual([{ state: 'investigating', content: 'Calls fail.', createdAt: at }]);
});

it.each([
  ['without times', (text: string) => `<p><strong>Investigating</strong> - ${text}</p>`],
  ['in a zone that nobody knows', (text: string) => paragraph('Mar 2, 11:50 QQT', 'Investigating', text)],
  ['in another month', (text: string) => paragraph('Thermidor 2, 11:50 UTC', 'Investigating', text)],
  ['after something else', (text: string) => `Hello. ${paragraph('Mar 2, 11:50 UTC', 'Investigating', text)}`],
])('takes paragraphs %s for one text, in which nobody can say what is new', async (_, write) => {
  const { page, show, news } = await watched();
  show(rss([{ title: 'No calls', text: write('Calls fail.') }]));
  expect(await news()).toEqual(['notice.opened investigating']);
  show(rss([{ title: 'No calls', at: NOON + MINUTE, text: write('Calls failed.') }]));
  expect(await news()).toEqual(['notice.update investigating']);
  expect(knownOf(page)?.updates).toHaveLength(1);
});

it('knows when planned work is to be, over the turn of the year, and when it has begun', async () => {
  const { page, show, news } = await watched();
  const written = (end: string): string =>
    `<p><strong>THIS IS A SCHEDULED EVENT Dec <var data-var='date'>31</var>, <var data-var='time'>22:00</var> - ${end} UTC</strong></p>`;
  const announced = paragraph('Mar 2, 11:50 UTC', 'Scheduled', 'We work.');
  show(
    rss([{ title: 'No calls', at: NOON, text: `${written("Jan <var data-var='date'>1</var>, 02:00")}${announced}` }]),
  );
  expect(await news()).toEqual(['notice.opened scheduled']);
  // The nearest of those that it may be is two months ago.
  expect(knownOf(page)).toMatchObject({
    beginsAt: Date.parse('2025-12-31T22:00:00Z'),
    endsAt: Date.parse('2026-01-01T02:00:00Z'),
    beganAt: null,
  });
  const begun = paragraph('Mar 2, 12:01 UTC', 'In progress', 'We begin.');
  show(rss([{ title: 'No calls', at: NOON + MINUTE, text: `${written('23:30')}${begun}${announced}` }]));
  expect(await news()).toEqual(['notice.rescheduled', 'notice.state underway', 'maintenance.overrun']);
  expect(knownOf(page)).toMatchObject({ beganAt: NOON + MINUTE, endsAt: Date.parse('2025-12-31T23:30:00Z') });
});

it('ends what was opened again at its last end, and not at its review', async () => {
  const { page, show, news } = await watched();
  const words = [
    ['Mar 2, 12:00 UTC', 'Investigating'],
    ['Mar 2, 12:01 UTC', 'Resolved'],
    ['Mar 2, 12:02 UTC', 'Investigating'],
    ['Mar 2, 12:03 UTC', 'Resolved'],
    ['Mar 2, 12:09 UTC', 'Postmortem'],
  ] as const;
  const shows = (count: number): void => {
    const texts = words.slice(0, count).map(([when, word], index) => paragraph(when, word, `Text ${index}.`));
    show(rss([{ title: 'No calls', at: NOON + count * MINUTE, text: texts.toReversed().join('') }]));
  };
  shows(1);
  expect(await news()).toEqual(['notice.opened investigating']);
  shows(2);
  expect(await news()).toEqual(['notice.closed resolved']);
  expect(knownOf(page)).toMatchObject({ endedAt: NOON + MINUTE });
  shows(3);
  expect(await news()).toEqual(['notice.reopened investigating']);
  expect(knownOf(page)).toMatchObject({ endedAt: null });
  shows(4);
  expect(await news()).toEqual(['notice.closed resolved']);
  expect(knownOf(page)).toMatchObject({ endedAt: NOON + 3 * MINUTE });
  shows(5);
  expect(await news()).toEqual(['notice.update resolved']);
  expect(knownOf(page)).toMatchObject({ endedAt: NOON + 3 * MINUTE });
});

it('knows an entry of one update by when it was published, also where it was rewritten', async () => {
  const { show, news } = await watched();
  const [link, first] = [`${SITE}/incidents/7`, { id: 'a', title: 'Investigating - No calls', text: 'Calls fail.' }];
  const second = { id: 'b', title: 'Identified - No calls', text: 'A cable.', at: NOON + MINUTE };
  const entries = [second, first].map((each) => ({ ...each, link }));
  const other = { id: 'o', title: 'Resolved - Old', text: 'Over.', at: NOON - 48 * HOUR, link: `${SITE}/incidents/1` };
  show(rss([...entries.slice(1), other]));
  expect(await news()).toEqual(['notice.opened investigating']);
  show(rss([...entries, other]));
  expect(await news()).toEqual(['notice.state identified']);
  show(rss([second, { ...first, text: 'Calls failed.' }].map((each) => ({ ...each, link })).concat(other)));
  expect(await news()).toEqual(['notice.edited Calls failed.']);
});

it('tells what was old news when it was first seen with its word, once it is an incident', async () => {
  const { page, show, news } = await watched();
  const old = { id: 'n', at: NOON - 48 * HOUR, text: 'A cable lies in the way.', link: `${SITE}/incidents/9` };
  show(rss([{ ...old, title: 'A cable' }]));
  expect(await news()).toEqual([]);
  show(rss([{ ...old, title: 'Investigating - A cable' }]));
  expect(await news()).toEqual(['notice.type unplanned', 'notice.reopened investigating']);
  const details = page.watch.transitions.at(-1)?.details;
  expect(details).toMatchObject({ updates: [{ content: 'A cable lies in the way.' }] });
});

it('tells an edit of old news as edited, not as opened, and a new paragraph as news again', async () => {
  const { show, news } = await watched();
  const [first, second] = [
    paragraph('Feb 20, 11:50 UTC', 'Note', 'Dig.'),
    paragraph('Feb 21, 11:50 UTC', 'Note', 'On.'),
  ];
  show(rss([{ title: 'A cable', at: NOON - 9 * 24 * HOUR, text: `${second}${first}` }]));
  expect(await news()).toEqual([]);
  const edited = first.replace('Dig', 'We dig');
  show(rss([{ title: 'A cable', at: NOON, text: `${second}${edited}` }]));
  expect(await news()).toEqual([expect.stringMatching(/^notice\.edited .*We dig\./)]);
  const third = paragraph('Mar 2, 12:02 UTC', 'Note', 'More.');
  show(rss([{ title: 'A cable', at: NOON + 2 * MINUTE, text: `${third}${second}${edited}` }]));
  expect(await news()).toEqual(['notice.reopened']);
});

it('keeps an entry what it is where all of them have the address of the page', async () => {
  const { show, news } = await watched();
  const first = { id: 'a', title: 'Investigating - No calls', text: 'Calls fail.', link: SITE };
  show(rss([first]));
  expect(await news()).toEqual(['notice.opened investigating']);
  show(rss([{ id: 'b', title: 'Investigating - Slow texts', text: 'Texts are slow.', link: SITE }, first]));
  expect(await news()).toEqual(['notice.opened investigating']);
});

it('believes no feed that was made before the one that is known, where that says when', async () => {
  const { page, show, news } = await watched();
  const made = (at: number): { made: string } => ({
    made: `<lastBuildDate>${new Date(at).toUTCString()}</lastBuildDate>`,
  });
  show(rss([{ title: 'No calls', text: 'Status: investigating' }], made(NOON + 2 * MINUTE)));
  expect(await news()).toEqual(['notice.opened investigating']);
  show(rss([{ id: 'old', title: 'Long ago', at: NOON - 48 * HOUR, text: '<b>Resolved</b>' }], made(NOON)));
  page.news();
  for (let minute = 0; minute < 60; minute += 1) await page.look();
  expect(page.news()).toEqual([expect.stringMatching(/^source.unreachable .*older document/)]);
});

it('takes the feed of somebody else for another page, and that of a page with another address for the same', async () => {
  const { page, show, news } = await watched();
  const own = [{ title: 'No calls', text: 'Status: investigating' }];
  show(rss(own));
  expect(await news()).toEqual(['notice.opened investigating']);
  show(rss(own, { link: 'http://www.carrier.example/status/' }));
  expect(await news()).toEqual([]);
  show(rss([{ title: 'Not ours at all', text: 'Status: investigating' }], { link: 'https://other.example' }));
  expect(await news()).toEqual(['source.changed other.example']);
  for (let minute = 0; minute < 60; minute += 1) await page.look();
  expect(await news()).toEqual([]);
});

it('reads no more of an entry than a history may hold', async () => {
  const { page, show, news } = await watched();
  const many = Array.from({ length: 900 }, (_, index) => {
    const minute = String(59 - (index % 60)).padStart(2, '0');
    return paragraph(`Mar 2, 10:${minute} UTC`, 'Investigating', `${'x'.repeat(100)} ${index}`);
  });
  show(rss([{ title: 'No calls', text: many.join('') }]));
  expect(await news()).toEqual(['notice.opened investigating']);
  expect(knownOf(page)?.updates.length).toBeGreaterThan(100);
  show(rss([{ title: 'No calls', text: '<small>'.repeat(200_000) }]));
  expect(await news()).toEqual(['notice.update investigating']);
});

it('shows no state as a whole, which is not known only until it is read and where it cannot be', async () => {
  let answer: PaperAnswer = { status: 503 };
  const page = await vendorWatch('feed', () => answer);
  const shown = (): unknown => {
    const source = standingOf(page);
    return { state: source.state, isWell: source.isWell };
  };
  await page.look();
  expect(shown()).toEqual({ state: null, isWell: false });
  answer = { body: rss([{ id: 'a', title: 'No calls', text: 'Over.' }]), type: 'application/rss+xml' };
  await page.look();
  expect(shown()).toEqual({ state: 'Shows no state as a whole', isWell: true });
});
