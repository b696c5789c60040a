/** What the page of another vendor may send to whoever reads on without counting: bounded, and a sentence says what it was. */
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReadOrMissed } from '../../src/core/observation/listing.ts';
import { openVendorPage } from '../../src/pages/vendor-client.ts';
import type { PageReader } from '../../src/pages/page-reader.ts';
import { loadPageType, PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { startVendorHost, type HostReaction, type VendorHost } from '../support/vendor-host.ts';
import { cases } from '../support/runs.ts';

const MB = 1024 * 1024;
const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');
const unhurried = { run: <T>(attempt: () => Promise<T>) => attempt(), waiting: () => 0 };
const { signal } = new AbortController();
const open: VendorHost[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

async function readerOf(type: VendorTypeName, reaction: HostReaction): Promise<PageReader> {
  const host = await startVendorHost(() => reaction);
  open.push(host);
  const baseUrl = `${host.url}${type === 'statusio' ? '/1.0/status/533c6539221ae15e3f000031' : ''}`;
  return openVendorPage(await loadPageType(type), { baseUrl, limiter: unhurried });
}

/** Why nothing was read, and how long it took. */
async function refused(type: VendorTypeName, reaction: HostReaction): Promise<{ why: string; ms: number }> {
  const reader = await readerOf(type, reaction);
  const began = process.cpuUsage();
  const seen: ReadOrMissed<unknown> | undefined = await reader.document?.(signal);
  const { user, system } = process.cpuUsage(began);
  return { why: seen?.kind === 'missed' ? seen.why : 'it was read', ms: (user + system) / 1000 };
}

/** So much of the same, packed: made once for all that are asked to unfold it. */
const bombs = new Map<string, Uint8Array>();
function bomb(bytes: number, character: string): Uint8Array {
  const key = `${bytes} ${character}`;
  const made = bombs.get(key) ?? gzipSync(Buffer.alloc(bytes, character), { level: 1 });
  bombs.set(key, made);
  return made;
}

function utf16(text: string, bytes: readonly [number, number], isBig: boolean): Uint8Array {
  const body = Buffer.from(`  ${text}`, 'utf16le');
  if (isBig) body.swap16();
  body.set(bytes);
  return body;
}

const xml = (body: string | Uint8Array): HostReaction => ({ headers: { 'content-type': 'application/rss+xml' }, body });
const rss = (inside: string): string => `<?xml version="1.0"?><rss><channel><title>T</title>${inside}</channel></rss>`;
const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i};`.repeat(10)}">`).join('');

describe('a feed', () => {
  it.each([
    [
      'entities that unfold',
      `<!DOCTYPE x [<!ENTITY lol0 "ha">${laughs}]><rss>&lol9;</rss>`,
      'has a document type, which no feed needs',
    ],
    [
      'an entity from elsewhere',
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><rss>&e;</rss>',
      'has a document type',
    ],
    [
      'a document type in UTF-16',
      utf16('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><rss>&e;</rss>', [0xff, 0xfe], false),
      'has a document type',
    ],
    ['elements in elements', '<a>'.repeat(50_000), 'nests more than 100 deep'],
    ['very many elements', rss('<a/>'.repeat(200_000)), 'holds more than 20000 elements and attributes'],
    [
      'very many attributes',
      rss(`<a ${Array.from({ length: 5_000 }, (_, i) => `a${i}=""`).join(' ')}/>`.repeat(10)),
      'holds more than 20000 elements and attributes',
    ],
    ['a tag without end', rss(`<a ${'a '.repeat(MB / 2)}>`), 'is no XML, or cut off'],
    ['very many tags without an end', rss('<a'.repeat(MB / 2)), 'is no XML, or cut off'],
    ['very many texts without an end', rss('<![CDATA['.repeat(MB / 10)), 'is no XML, or cut off'],
    [
      'very many entities',
      rss(`<item><guid>1</guid><title>${'&amp;'.repeat(300_000)}</title></item>`),
      'holds more than 200000 entities',
    ],
    ['more than it may be large', rss('x'.repeat(3 * MB)), `is larger than ${2 * MB} bytes`],
    ['an encoding of its own', '<?xml version="1.0" encoding="x-unheard-of"?><rss/>', 'is in an unknown encoding'],
    ['an error object', '{"error":"no"}', 'is no XML, or cut off'],
    ['another document', '<html><body/></html>', 'is no feed'],
  ])('of %s is refused with a sentence, and soon', async (_, body, why) => {
    const found = await refused('feed', xml(body));
    expect(found.why).toContain(why);
    expect(found.ms).toBeLessThan(3_000);
  });

  it('that unfolds from little is refused before it is all there', async () => {
    const body = bomb(200 * MB, ' ');
    const before = process.memoryUsage().rss;
    const headers = { 'content-type': 'application/rss+xml', 'content-encoding': 'gzip' };
    const { why } = await refused('feed', { headers, body });
    expect(why).toContain(`is larger than ${2 * MB} bytes`);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MB);
  });

  it.each([
    ['a text', '<![CDATA[<!DOCTYPE html><!ENTITY a "b"> <p>Status: investigating</p>]]>'],
    ['a comment', 'x<!-- <!DOCTYPE x [<!ENTITY a "b">]> --><!--> <!doctype> -->'],
    ['a text that is escaped', '&lt;!DOCTYPE html&gt;'],
  ])('with a document type in %s is read', async (_, text) => {
    const item = `<item><guid>1</guid><title>No calls</title><description>${text}</description></item>`;
    const reader = await readerOf('feed', xml(rss(item)));
    await reader.document?.(signal);
    expect(await reader.notices('present', signal)).toMatchObject({ items: [{ subject: 'No calls' }] });
  });

  it.each([
    ['behind a comment', '<!-- x --><!DOCTYPE x [<!ENTITY e "y">]><rss>&e;</rss>'],
    ['in lower case', '<!doctype x><rss/>'],
    ['behind what looks like a text', rss('<!-- <![CDATA[ --><!DOCTYPE x><item/>')],
  ])('with a document type %s is refused', async (_, body) => {
    expect((await refused('feed', xml(body))).why).toContain('has a document type');
  });

  it('in which a document type is hidden from the one that counts unfolds nothing', async () => {
    const entity = `<!ENTITY e "${'y'.repeat(5_000)}">`;
    const hidden = `<?xml version="1.0"?><rss a="> <![CDATA[ "><!DOCTYPE x [${entity}]><b c="]]>"/>`;
    const reader = await readerOf(
      'feed',
      xml(`${hidden}<channel><title>${'&e;'.repeat(50_000)}</title></channel></rss>`),
    );
    expect(await reader.document?.(signal)).toMatchObject({ kind: 'missed' });
  });

  it.each([
    ['the lesser byte first', [0xff, 0xfe] as const, false],
    ['the greater byte first', [0xfe, 0xff] as const, true],
  ])('in UTF-16 with %s is read', async (_, mark, isBig) => {
    const text = rss('<item><guid>1</guid><title>Investigating: Störung – ☎</title></item>').slice(
      '<?xml version="1.0"?>'.length,
    );
    const reader = await readerOf('feed', xml(utf16(text, mark, isBig)));
    await reader.document?.(signal);
    expect(await reader.notices('present', signal)).toMatchObject({ items: [{ subject: 'Störung – ☎' }] });
  });
});

const json = (body: string | Uint8Array, encoding?: string): HostReaction => ({
  headers: { 'content-type': 'application/json', ...(encoding !== undefined && { 'content-encoding': encoding }) },
  body,
});

const ENDLESS: [string, HostReaction, string][] = [
  ['lists in lists', json('['.repeat(100_000)), 'nests more than 100 deep'],
  ['very many objects', json(`[${'{},'.repeat(200_000)}{}]`), 'holds more than 100000 objects and lists'],
  ['more than it may be large', json(`[${'"xxxxxxxxxxxxxxx",'.repeat(700_000)}1]`), 'is larger than'],
  ['a bomb of zeros', json(bomb(100 * MB, '0'), 'gzip'), 'is larger than'],
  ['what is no gzip', json('{}', 'gzip'), 'gave no readable answer'],
  ['a web page', { headers: { 'content-type': 'text/html' }, body: '<html>' }, 'text/html'],
];

describe.each(TYPES.filter((type) => type !== 'feed'))('a page of type %s', (type) => {
  it.each(cases(ENDLESS, 3, TYPES.indexOf(type)))(
    'of %s is refused with a sentence, and soon',
    async (_, reaction, why) => {
      const found = await refused(type, reaction);
      expect(found.why).toContain(why);
      expect(found.ms).toBeLessThan(3_000);
    },
  );
});

it('a page of AWS in UTF-16 is counted before it is parsed, too', async () => {
  const body = utf16('['.repeat(100_000), [0xfe, 0xff], true);
  expect((await refused('aws', json(body))).why).toContain('nests more than 100 deep');
});
