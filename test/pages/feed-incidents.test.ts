/** Feeds of one entry for each update: which of them are one incident, and what is no news. */
import { describe, expect, it } from 'vitest';
import { paragraph, rss, SITE, watchFeed, type Entry, type FeedWatch } from './feed-watch.ts';
import { MINUTE, NOON } from './vendor-watch.ts';

const OLD: Entry = { id: 'o', title: 'Resolved - Old', text: 'Over.', at: NOON - 48 * 60 * MINUTE, link: SITE };

function openIds({ page }: FeedWatch): string[] {
  return (page.watch.state.snapshot.notices ?? []).filter(({ closedAt }) => closedAt === null).map(({ id }) => id);
}

function openAlerts({ page }: FeedWatch): number {
  return page.watch.state.alerts.filter(({ family, status }) => family === 'notice' && status === 'open').length;
}

/** Entries of a feed that grows by one at each look, and what is told of each. */
async function grown(entries: readonly Entry[]): Promise<{ told: string[][]; watch: FeedWatch }> {
  const watch = await watchFeed();
  const told: string[][] = [];
  for (const index of entries.keys()) {
    watch.show(rss([...entries.slice(0, index + 1).toReversed(), OLD]));
    told.push(await watch.news());
  }
  return { told, watch };
}

describe('an incident keeps its id when its second entry arrives', () => {
  const STATED = [
    ['notice.opened investigating'],
    ['notice.state identified'],
    ['notice.update identified'],
    ['notice.closed resolved'],
  ];
  const titles = ['Investigating - No calls', 'Identified - No calls', 'Identified - No calls', 'Resolved - No calls'];
  const behind = titles.map((title) => title.split(' - ').toReversed().join(' - '));

  it.each([
    ['the address of their incident', titles, () => `${SITE}/incidents/7`],
    ['the address of their incident and the state behind the title', behind, () => `${SITE}/incidents/7`],
    ['addresses within that of their incident', titles, (nth: number) => `${SITE}/incidents/7#update-${nth}`],
    ['an address for each update', titles, (nth: number) => `${SITE}/updates/${nth}`],
    ['an address for each update and the state behind the title', behind, (nth: number) => `${SITE}/updates/${nth}`],
    ['the address of the page', titles, () => SITE],
  ])('of entries with %s', async (_, named, linkOf) => {
    const entries = named.map((title, nth) => ({
      id: `g${nth}`,
      title,
      link: linkOf(nth),
      at: NOON + nth * MINUTE,
      text: `Text ${nth}.`,
    }));
    const { told, watch } = await grown(entries);
    expect(told).toEqual(STATED);
    expect(openAlerts(watch)).toBe(0);
  });

  it('of a title that gets its state only at its end', async () => {
    const { told, watch } = await grown([
      { id: 'a', title: 'No calls', link: `${SITE}/updates/1`, text: 'Status: investigating' },
      { id: 'b', title: 'No calls - Resolved', link: `${SITE}/updates/2`, at: NOON + MINUTE, text: 'Calls work.' },
    ]);
    expect(told).toEqual([['notice.opened investigating'], ['notice.closed resolved']]);
    expect(openAlerts(watch)).toBe(0);
  });
});

describe('an incident is another one', () => {
  it('with the same subject after the end of the first', async () => {
    const entries = ['Investigating', 'Resolved', 'Investigating'].map((word, nth) => {
      const at = NOON + nth * MINUTE;
      return { id: `g${nth}`, title: `${word} - No calls`, link: `${SITE}/updates/${nth}`, at, text: `Text ${nth}.` };
    });
    const { told, watch } = await grown(entries);
    expect(told).toEqual([
      ['notice.opened investigating'],
      ['notice.closed resolved'],
      ['notice.opened investigating'],
    ]);
    expect(openIds(watch)).toEqual([`${SITE}/updates/2`]);
  });

  it('with the same subject at another address, where addresses are of incidents: the end of one ends no other', async () => {
    const entry = (id: number, word: string, nth: number): Entry => {
      const at = NOON + nth * MINUTE;
      return { id: `g${nth}`, title: `${word} - No calls`, link: `${SITE}/incidents/${id}`, at, text: `Text ${nth}.` };
    };
    const { watch } = await grown([
      entry(7, 'Investigating', 0),
      entry(7, 'Identified', 1),
      entry(8, 'Investigating', 2),
      entry(8, 'Resolved', 3),
    ]);
    expect(openIds(watch)).toEqual([`${SITE}/incidents/7`]);
  });

  it('with the same subject where each text has its own times', async () => {
    const { show, news, ...rest } = await watchFeed();
    const entry = (id: number, word: string): Entry => ({
      title: 'No calls',
      link: `${SITE}/incidents/${id}`,
      text: paragraph('Mar 2, 11:50 UTC', word, 'Text.'),
    });
    show(rss([entry(8, 'Resolved'), entry(7, 'Investigating'), OLD]));
    await news();
    expect(openIds({ show, news, ...rest })).toEqual([`${SITE}/incidents/7`]);
  });

  it.each(['Status: investigating', 'Calls fail.'])('with the same title, whatever it says: %s', async (text) => {
    const entries = [1, 2, 3].map((nth) => ({ id: `${nth}`, title: 'Trunk down', link: `${SITE}/i/${nth}`, text }));
    const { watch } = await grown(entries);
    expect(openIds(watch)).toHaveLength(3);
  });
});

describe('a time that moves while the text stays is no news', () => {
  it.each([
    ['of one entry', () => [{ id: 'a', title: 'No calls', text: '<b>Investigating</b> - Calls fail.' }]],
    [
      'of entries of one update',
      () => ['Investigating', 'Identified'].map((word) => ({ id: word, title: `${word} - No calls`, text: 'Text.' })),
    ],
    ['of news', () => [{ id: 'a', title: 'Cables', text: 'A cable lies in the way.' }]],
  ])('%s', async (_, make) => {
    const { page, show, news } = await watchFeed();
    const entries = make().map((entry) => ({ ...entry, link: `${SITE}/incidents/7` }));
    const shown = (nth: number): string => rss(entries.map((entry) => ({ ...entry, at: NOON + nth * MINUTE })));
    show(shown(0));
    expect(await news()).toHaveLength(1);
    page.messages();
    for (const nth of [1, 2, 3]) {
      show(shown(nth));
      expect(await news()).toEqual([]);
    }
    expect(page.messages()).toEqual([]);
  });

  it('and a text that is written anew at a new time is', async () => {
    const { show, news } = await watchFeed();
    const entry = { id: 'a', title: 'No calls', link: `${SITE}/incidents/7` };
    show(rss([{ ...entry, text: '<b>Investigating</b> - Calls fail.' }]));
    await news();
    show(rss([{ ...entry, at: NOON + MINUTE, text: '<b>Investigating</b> - Calls still fail.' }]));
    expect(await news()).toEqual(['notice.update investigating']);
  });

  it('nor is an entry in the words of the one before it', async () => {
    const entries = [0, 1, 2].map((nth) => ({
      id: `g${nth}`,
      title: 'Investigating - No calls',
      link: `${SITE}/incidents/7`,
      at: NOON + nth * MINUTE,
      text: nth === 2 ? 'Calls fail in Europe.' : 'Calls fail.',
    }));
    const { told } = await grown(entries);
    expect(told).toEqual([['notice.opened investigating'], [], ['notice.update investigating']]);
  });
});
