/** Through a proxy that adds little or nothing, a real one: nobody looks or changes anything without a name, and users do. */
import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { PROXIES, startPlainProxy, type ProxyKind } from '../support/plain-proxy.ts';
import { ask, openWeb, type Answered, type OpenWebOptions } from './open-web.ts';

const KINDS = Object.keys(PROXIES) as ProxyKind[];
const LOOKED_AT = [
  '/',
  '/?wall',
  '/days',
  '/maintenance',
  '/deliveries',
  '/silences',
  '/alerts/1',
  '/api',
  '/api/status',
];
const OF_PROGRAMS = ['/readyz', '/metrics', '/events', '/badge.svg', '/feed.atom', '/calendar.ics'];
const CHANGING = ['/silences', '/deliveries', '/alerts/1'];
const MUTING = new URLSearchParams({ source: 'provider', length: '3600000' }).toString();

const ALEX = { name: 'alex', passwordHash: cheapHash('correct horse') };
const OUTSIDE = 'lines.example.com';
const GUARDED: OpenWebOptions = { externalUrl: `https://${OUTSIDE}`, silences: true, users: [ALEX] };

/** Of little cost. */
function cheapHash(password: string): string {
  const salt = Buffer.from('salt of the tests');
  const hash = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 });
  return ['scrypt', 16, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

function post(url: string, path: string, headers: Record<string, string> = {}, body = MUTING): Promise<Answered> {
  return ask(url, path, { method: 'POST', headers: { host: OUTSIDE, ...headers }, body });
}

test.each(KINDS)('a proxy that %s lets nobody look or change anything without a name', async (kind) => {
  await using web = await openWeb(GUARDED);
  await using proxy = await startPlainProxy(kind, web.url);
  await web.running.sweep();
  for (const path of [...LOOKED_AT, ...OF_PROGRAMS]) {
    const refused = await ask(proxy.url, path, { headers: { host: OUTSIDE } });
    expect([path, refused.status]).toEqual([path, 401]);
  }
  for (const path of CHANGING) expect([path, (await post(proxy.url, path)).status]).toEqual([path, 401]);
  expect(web.running.daemon.own.state.silences).toEqual([]);
  const shown = await ask(proxy.url, '/', { headers: { host: OUTSIDE, accept: 'text/html' } });
  expect([shown.status, shown.headers.location]).toEqual([303, './sign-in?to=']);
});

test.each(KINDS)('behind a proxy that %s a probe and the sign-in answer, and a user looks and mutes', async (kind) => {
  await using web = await openWeb({ ...GUARDED, mayChange: ['alex'] });
  await using proxy = await startPlainProxy(kind, web.url);
  for (const path of ['/healthz', '/sign-in']) {
    expect((await ask(proxy.url, path, { headers: { host: OUTSIDE } })).status).toBe(200);
  }
  const credentials = new URLSearchParams({ name: 'alex', password: 'correct horse' }).toString();
  const signed = await post(proxy.url, '/sign-in', {}, credentials);
  expect(signed.status).toBe(303);
  const cookie = String(signed.headers['set-cookie']).split(';')[0] ?? '';
  expect((await ask(proxy.url, '/', { headers: { host: OUTSIDE, cookie } })).status).toBe(200);
  expect((await post(proxy.url, '/silences', { cookie })).status).toBe(303);
  expect(web.running.daemon.own.state.silences).toHaveLength(1);
});

test('beside the proxy, this machine itself looks and mutes as before', async () => {
  await using web = await openWeb(GUARDED);
  for (const path of ['/', '/api/status', '/metrics']) expect((await web.ask(path)).status).toBe(200);
  expect((await web.ask('/silences', { method: 'POST', body: MUTING })).status).toBe(303);
});

test.each(KINDS)('with no users, a proxy that %s changes nothing either', async (kind) => {
  await using web = await openWeb({ externalUrl: `https://${OUTSIDE}`, silences: true });
  await using proxy = await startPlainProxy(kind, web.url);
  for (const path of CHANGING) expect([path, (await post(proxy.url, path)).status]).toEqual([path, 401]);
  const refused = await ask(proxy.url, '/', { headers: { host: OUTSIDE } });
  expect([refused.status, refused.body]).toEqual([401, expect.stringContaining('http.users')]);
  expect(web.running.daemon.own.state.silences).toEqual([]);
});

test.each(['adds X-Forwarded-For only', 'is nginx as it comes'] as const)(
  'where nothing is said of people elsewhere, one that %s shows the page and changes nothing',
  async (kind) => {
    await using web = await openWeb({ silences: true });
    await using proxy = await startPlainProxy(kind, web.url);
    expect((await ask(proxy.url, '/')).status).toBe(200);
    for (const path of CHANGING) expect([path, (await post(proxy.url, path)).status]).toEqual([path, 403]);
    expect(web.running.daemon.own.state.silences).toEqual([]);
  },
);

test('a name that somebody else lets point here changes nothing, whatever is configured', async () => {
  for (const given of [{}, GUARDED]) {
    await using web = await openWeb({ silences: true, ...given });
    for (const path of CHANGING) {
      const refused = await web.ask(path, { method: 'POST', headers: { host: 'evil.test' }, body: MUTING });
      expect([path, refused.status]).toEqual([path, 421]);
    }
    // The name of this machine is answered, and may be a name of somebody's on another network.
    const named = await web.ask('/silences', { method: 'POST', headers: { host: 'monitor' }, body: MUTING });
    expect([401, 403]).toContain(named.status);
    expect(web.running.daemon.own.state.silences).toEqual([]);
  }
});

test('a proxy that names the viewer is believed on this machine, and one that names nobody lets nobody in', async () => {
  await using web = await openWeb({ proxyUserHeader: 'X-Remote-User', mayChange: ['alex'], silences: true });
  const asked = (user: string): Promise<Answered> => web.ask('/', { headers: { 'x-remote-user': user } });
  expect((await asked('alex')).status).toBe(200);
  expect((await asked('')).status).toBe(401);
});
