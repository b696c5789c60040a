/** Every reader gets through a text of one piece over and over: in its texts, in place of all it says, and around it. */
import { afterEach, describe, expect, it } from 'vitest';
import { toReadableText } from '../../src/core/text/markup.ts';
import { identifyPage } from '../../src/pages/detect.ts';
import type { PageReader } from '../../src/pages/page-reader.ts';
import { loadPageType, PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { openVendorPage } from '../../src/pages/vendor-client.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { NOON, paperHttp, standIn, type PaperAnswer } from '../pages/vendor-watch.ts';
import { paragraph, rss, SITE } from '../pages/feed-watch.ts';
import { escapeXml, PIECES, repeated, TEXT, withText } from '../support/repeated-text.ts';
import { cases } from '../support/runs.ts';
import { startVendorHost, type VendorHost } from '../support/vendor-host.ts';

const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');
const [USUAL, LONG] = [64 * 1024, 1_200_000];
const unhurried = { run: <T>(attempt: () => Promise<T>) => attempt(), waiting: () => 0 };
const { signal } = new AbortController();
const open: VendorHost[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

/** With the body in place of every text. */
function withBodies(value: unknown, body: string): unknown {
  if (typeof value === 'string') return body;
  if (Array.isArray(value)) return value.map((each) => withBodies(each, body));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withBodies(each, body)]));
}

async function readerOf(type: VendorTypeName, alter: (answer: PaperAnswer) => PaperAnswer): Promise<PageReader> {
  const world = createStatusWorld({ clock: { now: () => NOON }, name: 'C', components: [{ id: 11, name: 'Voice' }] });
  world.openNotice({ subject: 'No calls', components: ['Voice'], content: TEXT });
  const { base, answer } = standIn(type, world);
  const http = paperHttp(base, ({ pathname, search }) => {
    const real = answer(`${pathname}${search}`);
    return real === undefined ? { status: 404 } : alter(real);
  });
  const options = { baseUrl: base, limiter: unhurried, http, wallClock: () => NOON };
  return openVendorPage(await loadPageType(type), options);
}

async function subjectsRead(reader: PageReader): Promise<string[] | 'missed'> {
  await reader.document?.(signal);
  const notices = await reader.notices('present', signal);
  return notices.kind === 'missed' ? 'missed' : notices.items.map(({ subject }) => subject);
}

const SIZES = [
  [USUAL, 4],
  [LONG, 12],
] as const;

describe.each(TYPES)('a page of type %s', (type) => {
  it.each(SIZES)('reads its notice with a text of %i characters', async (size, oneIn) => {
    for (const piece of cases(PIECES, oneIn, TYPES.indexOf(type))) {
      // Between two others a pattern finds only behind the last piece that it has to try again.
      const body = `x${repeated(piece, size)}.`;
      const subjects = await subjectsRead(
        await readerOf(type, (answer) => ('value' in answer || 'status' in answer ? answer : withText(answer, body))),
      );
      // A feed of so many entities is refused.
      const isRefused = subjects === 'missed' && type === 'feed' && size === LONG;
      expect([piece, isRefused ? ['No calls'] : subjects]).toEqual([piece, ['No calls']]);
    }
  });

  it.each(SIZES)('reads or refuses texts of %i characters in place of all it says', async (size, oneIn) => {
    for (const piece of cases(PIECES, oneIn, TYPES.indexOf(type))) {
      const body = repeated(piece, size);
      const reader = await readerOf(type, (answer) =>
        'json' in answer ? { json: withBodies(answer.json, body) as object } : { body, type: 'application/xml' },
      );
      const subjects = await subjectsRead(reader);
      expect([piece, subjects]).not.toEqual([piece, ['No calls']]);
    }
  });
});

/** Places in a feed. */
const FEED: [string, (body: string) => string][] = [
  ['a title', (body) => `<item><guid>1</guid><title>${escapeXml(body)}</title></item>`],
  ['an id', (body) => `<item><guid>${escapeXml(body)}</guid><title>No calls</title></item>`],
  ['a link', (body) => `<item><guid>1</guid><link>${escapeXml(body)}</link><title>No calls</title></item>`],
  ['a time', (body) => `<item><guid>1</guid><pubDate>${escapeXml(body)}</pubDate><title>No calls</title></item>`],
  ['a tag', (body) => `<item a="${escapeXml(body).replaceAll('"', '')}"><guid>1</guid><title>No calls</title></item>`],
  ['a text in which nothing is escaped', (body) => `<item><guid>1</guid><title><![CDATA[${body}]]></title></item>`],
];

it.each(FEED)('a feed is read or refused with it in %s', async (place, write) => {
  const row = FEED.findIndex(([name]) => name === place);
  for (const piece of cases(PIECES, 4, row)) {
    const body = `<rss><channel><title>C</title>${write(repeated(piece, USUAL))}</channel></rss>`;
    const subjects = await subjectsRead(await readerOf('feed', () => ({ body, type: 'application/rss+xml' })));
    expect([piece, subjects === 'missed' ? 1 : subjects.length]).toEqual([piece, 1]);
  }
});

it.each([' ', '\n'])('a feed of thirty long entries with %j in each is read', async (piece) => {
  const text = paragraph('Mar 2, 11:50 UTC', 'Investigating', `x${repeated(piece, 60_000)}.`);
  const entries = Array.from({ length: 30 }, (_, nth) => ({
    title: 'No calls',
    link: `${SITE}/incidents/${nth}`,
    text,
  }));
  const subjects = await subjectsRead(
    await readerOf('feed', () => ({ body: rss(entries), type: 'application/rss+xml' })),
  );
  expect(subjects).toEqual(entries.map(({ title }) => title));
});

describe('detection ends', () => {
  const found = async (type: string, body: string): Promise<string> => {
    const host = await startVendorHost(() => ({ headers: { 'content-type': type }, body }));
    open.push(host);
    return (await identifyPage(host.url, { limiter: unhurried }, signal, null)).kind;
  };

  it('at a page of 280 bytes of comments', async () => {
    for (const type of ['text/plain', 'application/xml', 'text/html']) {
      expect(await found(type, '<!---->'.repeat(40))).toBe('undetected');
    }
  });

  it.each([
    [USUAL, 4],
    [LONG, 24],
  ] as const)('at a page of %i characters', async (size, oneIn) => {
    for (const [nth, type] of ['text/html', 'application/xml'].entries()) {
      for (const piece of cases(PIECES, oneIn, nth)) {
        expect([piece, await found(type, repeated(piece, size))]).toEqual([piece, 'undetected']);
      }
    }
  });

  it('and a feed behind a declaration and comments is one', async () => {
    const front = `<?xml version="1.0"?>\n${'<!-- x -->\n'.repeat(40)}`;
    const rss = '<rss><channel><title>C</title><item><guid>1</guid><title>No calls</title></item></channel></rss>';
    expect(await found('application/rss+xml', `${front}${rss}`)).toBe('detected');
  });
});

it('a text is made fit to read', () => {
  for (const piece of PIECES) {
    const text = toReadableText(repeated(piece, USUAL));
    expect(text.length).toBeLessThanOrEqual(USUAL * 2);
  }
});
