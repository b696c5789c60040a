/** Compressed responses: which are, which are not, and that the first piece of a page does not wait for the last. */
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { createGunzip, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { firmNight } from '../support/firm-statuses.ts';
import { openStood } from '../support/stood-web.ts';

const GZIP = { 'accept-encoding': 'gzip, deflate, br' };

interface Received {
  headers: IncomingMessage['headers'];
  body: Buffer;
}

async function fetchRaw(url: string, headers: Record<string, string>, method = 'GET'): Promise<Received> {
  const asked = request(url, { headers, method, agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return { headers: response.headers, body: Buffer.concat(pieces) };
}

test('a night of twenty customers is sent in less than 40 kB, style and script included', async () => {
  await using web = await openStood(firmNight());
  const plain = await fetchRaw(`${web.url}/`, {});
  expect(plain.headers['content-encoding']).toBeUndefined();
  const page = plain.body.toString();
  let bytes = 0;
  for (const path of ['', .../(?<=(?:href|src)="\.\/)(?:style|live)-\w+\.(?:css|js)/g[Symbol.matchAll](page)].map(
    String,
  )) {
    const { headers, body } = await fetchRaw(`${web.url}/${path}`, GZIP);
    expect(headers['content-encoding'], path).toBe('gzip');
    expect(headers.vary).toContain('Accept-Encoding');
    if (path === '') expect(gunzipSync(body).toString()).toBe(page);
    bytes += body.length;
  }
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(40_000);
});

test.each([
  ['font', (page: string) => /inter-\w+\.woff2/.exec(page)?.[0] ?? ''],
  ['badge', () => 'badge.svg'],
  ['calendar', () => 'calendar.ics'],
  ['metrics', () => 'metrics'],
])('the %s is sent as it is', async (_name, pathOf) => {
  await using web = await openStood(firmNight());
  const page = (await fetchRaw(`${web.url}/`, {})).body.toString();
  const { headers, body } = await fetchRaw(`${web.url}/${pathOf(page)}`, GZIP);
  expect(headers['content-encoding']).toBeUndefined();
  expect(body.length).toBeGreaterThan(0);
});

test('only what a client takes is compressed, and a head has no body', async () => {
  await using web = await openStood(firmNight());
  for (const encoding of ['identity', 'br', 'gzip;q=0', '']) {
    const { headers, body } = await fetchRaw(`${web.url}/api/status`, { 'accept-encoding': encoding });
    expect(headers['content-encoding'], encoding).toBeUndefined();
    expect(body.toString()).toMatch(/^\{/);
  }
  const { headers, body } = await fetchRaw(`${web.url}/`, GZIP, 'HEAD');
  expect(headers['content-encoding']).toBeUndefined();
  expect(body.length).toBe(0);
});

test('another site learns nothing from lengths: its own words in the address leave the page as it is', async () => {
  await using web = await openStood(firmNight());
  const encodingOf = async (path: string, from: string): Promise<string | undefined> =>
    (await fetchRaw(`${web.url}/${path}`, { ...GZIP, 'sec-fetch-site': from })).headers['content-encoding'];
  expect(await encodingOf('?q=Kelso', 'cross-site')).toBeUndefined();
  expect(await encodingOf('silences?source=kelso-freight', 'same-site')).toBeUndefined();
  expect(await encodingOf('?q=Kelso', 'same-origin')).toBe('gzip');
  expect(await encodingOf('?q=Kelso', 'none')).toBe('gzip');
  expect(await encodingOf('alerts/4', 'cross-site')).toBe('gzip');
});

test('the head of ninety days arrives, compressed, before the days are counted', async () => {
  const counted = Promise.withResolvers<string>();
  await using web = await openStood({ ...firmNight(), days: counted.promise });
  const asked = request(`${web.url}/days`, { headers: GZIP, agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  expect(response.headers['content-encoding']).toBe('gzip');
  const text = response.pipe(createGunzip()).setEncoding('utf8');
  const [head] = (await once(text, 'data')) as [string];
  expect(head).toContain('<main id="main">');
  expect(head).not.toContain('The days cannot be read.');
  counted.resolve('The days cannot be read.');
  let rest = '';
  for await (const piece of text) rest += String(piece);
  expect(rest).toContain('The days cannot be read.');
});
