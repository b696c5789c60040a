/** Who is answered, and what is refused: by name, by method, by where a form comes from. */
import { expect, test } from 'vitest';
import { isOwnForm, isOwnHost } from '../../src/web/access/access.ts';
import { openWeb } from './open-web.ts';

const NAMES = { listenHost: '0.0.0.0', hostname: 'Monitor', externalUrl: 'https://lines.example.com/watch' };

test.each([
  ['127.0.0.1:8469', true],
  ['localhost', true],
  ['LOCALHOST:8469', true],
  ['pbx.localhost', true],
  ['[::1]:8469', true],
  ['192.0.2.7:8469', true],
  ['monitor:8469', true],
  ['lines.example.com', true],
  ['lines.example.com.', true],
  ['evil.test', false],
  ['lines.example.com.evil.test', false],
  ['127.0.0.1.evil.test', false],
  ['evil.test:8469@127.0.0.1', false],
  ['127.0.0.1/evil.test', false],
  ['', false],
  [undefined, false],
])('Host %s is one of our own: %s', (host, own) => {
  expect(isOwnHost(host, NAMES)).toBe(own);
});

test.each([
  [{ fetchSite: 'same-origin', origin: 'http://127.0.0.1:8469' }, true],
  [{ fetchSite: 'same-site', origin: 'http://127.0.0.1:8469' }, false],
  [{ fetchSite: 'cross-site', origin: 'http://127.0.0.1:8469' }, false],
  [{ fetchSite: 'none' }, false],
  [{ origin: 'http://127.0.0.1:8469' }, true],
  [{ origin: 'http://127.0.0.1:8470' }, false],
  [{ origin: 'https://lines.example.com' }, true],
  [{ origin: 'http://lines.example.com' }, false],
  [{ origin: 'https://evil.test' }, false],
  [{ origin: 'null' }, false],
  [{}, true],
])('a form with %j is one of our own: %s', (headers, own) => {
  const all = { host: '127.0.0.1:8469', origin: undefined, fetchSite: undefined, ...headers };
  expect(isOwnForm(all, NAMES.externalUrl)).toBe(own);
});

test('a strange name is answered by the probe of life alone', async () => {
  await using web = await openWeb({ externalUrl: 'https://lines.example.com' });
  const headers = { host: 'evil.test' };
  for (const path of ['/', '/metrics', '/readyz', '/calendar.ics', '/silences', '/nothing']) {
    const refused = await web.ask(path, { headers });
    expect(refused.status).toBe(421);
    expect(refused.body).toContain('http.external_url');
  }
  expect((await web.ask('/healthz', { headers })).status).toBe(200);
  // The name itself is answered; behind it nobody looks without users.
  expect((await web.ask('/', { headers: { host: 'lines.example.com' } })).status).toBe(401);
});

test('only reading is answered, and HEAD as GET without its body', async () => {
  await using web = await openWeb();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
    const refused = await web.ask('/', { method });
    expect([method, refused.status, refused.headers.allow]).toEqual([method, 405, 'GET, HEAD']);
  }
  expect(await web.ask('/silences', { method: 'DELETE' })).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD, POST' },
  });
  for (const path of ['/', '/metrics', '/healthz', '/calendar.ics']) {
    const head = await web.ask(path, { method: 'HEAD' });
    expect([path, head.status, head.body]).toEqual([path, 200, '']);
    expect(head.headers['content-type']).toBe((await web.ask(path)).headers['content-type']);
  }
  expect(await web.ask('/nothing')).toMatchObject({ status: 404, headers: { 'x-content-type-options': 'nosniff' } });
  expect((await web.ask('/../../etc/passwd')).status).toBe(404);
});
