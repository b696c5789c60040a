/** Which way a request came: what counts as local, and for which address a wrong password counts. */
import { expect, test } from 'vitest';
import { identifyClient, identifyWay, type Visit } from '../../src/web/access/access.ts';
import { createSessions, type LookSettings } from '../../src/web/access/sessions.ts';

function visit(given: Partial<Visit> & { headers?: Record<string, string> } = {}): Visit {
  return { peer: '127.0.0.1', httpVersion: '1.1', ...given, headers: { host: '127.0.0.1:8469', ...given.headers } };
}

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.9.1'])('a program at %s is local', (peer) => {
  expect(identifyWay(visit({ peer }), null)).toBe('local');
});

test.each(['127.0.0.1', '127.0.0.1:8469', 'localhost', 'LOCALHOST.:8469', '[::1]:8469', '[::ffff:127.0.0.1]:8469'])(
  'Host %s is this machine',
  (host) => {
    expect(identifyWay(visit({ headers: { host } }), null)).toBe('local');
  },
);

test.each(['lines.example.com', 'monitor:8469', '192.0.2.7:8469', '0.0.0.0:8469', '127.0.0.1.evil.test', ''])(
  'Host %s is not, and came through a proxy',
  (host) => {
    expect(identifyWay(visit({ headers: { host } }), null)).toBe('proxied');
  },
);

const ADDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-anything',
  'x-real-ip',
  'cf-connecting-ip',
  'cf-ray',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'fastly-client-ip',
  'x-original-for',
  'x-envoy-external-address',
];
test.each(ADDED)('the header %s is a proxy’s, even when it names this machine or nothing', (name) => {
  for (const value of ['127.0.0.1', '']) {
    expect(identifyWay(visit({ headers: { [name]: value } }), null)).toBe('proxied');
  }
});

test('so are HTTP/1.0, an origin elsewhere, and the header that names the viewer', () => {
  expect(identifyWay(visit({ httpVersion: '1.0' }), null)).toBe('proxied');
  expect(identifyWay(visit({ headers: { origin: 'https://lines.example.com' } }), null)).toBe('proxied');
  expect(identifyWay(visit({ headers: { origin: 'null' } }), null)).toBe('proxied');
  expect(identifyWay(visit({ headers: { origin: 'http://localhost:8469' } }), null)).toBe('local');
  const named = visit({ headers: { 'x-remote-user': '' } });
  expect(identifyWay(named, 'X-Remote-User')).toBe('proxied');
  expect(identifyWay(named, null)).toBe('local');
});

test('a page of ours that leads here by another name was read through a proxy', () => {
  const from = (referer: string, site: string): string =>
    identifyWay(visit({ headers: { referer, 'sec-fetch-site': site } }), null);
  expect(from('https://lines.example.com/days', 'same-origin')).toBe('proxied');
  expect(from('no address', 'same-origin')).toBe('proxied');
  expect(from('http://localhost:8469/days', 'same-origin')).toBe('local');
  // A link in a page of somebody else.
  expect(from('http://wiki.example.com/', 'cross-site')).toBe('local');
});

test('what programs on this machine send besides speaks against nothing', () => {
  const headers = {
    accept: '*/*',
    'user-agent': 'curl/8',
    'sec-fetch-site': 'none',
    cookie: 'a=b',
    connection: 'close',
  };
  expect(identifyWay(visit({ headers }), 'X-Remote-User')).toBe('local');
});

test.each(['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', undefined])(
  '%s is another machine, whatever it says',
  (peer) => {
    expect(identifyWay(visit({ peer }), null)).toBe('remote');
  },
);

test.each([
  ['192.0.2.7', {}, '192.0.2.7'],
  ['::ffff:192.0.2.7', {}, '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', {}, '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', {}, '2001:db8:1:2::/64'],
  ['192.0.2.7', { 'x-forwarded-for': '10.0.0.1' }, '192.0.2.7'],
  ['127.0.0.1', { 'x-forwarded-for': '10.0.0.1, 198.51.100.4' }, '198.51.100.4'],
  ['::1', { 'x-forwarded-for': '198.51.100.4:4711' }, '198.51.100.4'],
  ['127.0.0.1', { forwarded: 'for=10.0.0.1, for="[2001:db8:1:2::9]:4711";proto=https' }, '2001:db8:1:2::/64'],
  ['127.0.0.1', { 'x-real-ip': '198.51.100.4' }, '198.51.100.4'],
  ['127.0.0.1', { 'x-forwarded-for': 'unknown' }, '127.0.0.1'],
  ['127.0.0.1', {}, '127.0.0.1'],
])('from %s with %j a wrong password counts for %s', (peer, headers, client) => {
  expect(identifyClient(visit({ peer, headers }))).toBe(client);
});

/** Each setting by which people come from elsewhere is enough. */
const GUARDS: Partial<LookSettings>[] = [
  { users: { alex: 'scrypt:16:8:1:AAAA:AAAA' } },
  { proxyUserHeader: 'X-Remote-User' },
  { externalUrl: 'https://lines.example.com' },
];

const OPEN: LookSettings = {
  users: {},
  customersOf: {},
  proxyUserHeader: null,
  mayChange: null,
  silences: true,
  externalUrl: null,
};

const PASSED_ON = [
  visit({ headers: { host: 'lines.example.com' } }),
  visit({ headers: { via: '1.1 proxy' } }),
  visit({ headers: { 'x-forwarded-for': '127.0.0.1' } }),
  visit({ httpVersion: '1.0' }),
];

test.each(GUARDS)(
  'with %j nothing that a proxy passed on is looked at without a name, and this machine is',
  async (guard) => {
    const viewers = createSessions(
      () => ({ ...OPEN, ...guard }),
      () => 0,
    );
    for (const passedOn of PASSED_ON) expect(await viewers.viewer(passedOn)).toBeNull();
    expect(await viewers.viewer(visit())).toMatchObject({ name: null, isSignedIn: false, whyNotChange: null });
  },
);

test('with none of them it is looked at, and changes nothing: a foreign name on this machine never does', async () => {
  const viewers = createSessions(
    () => OPEN,
    () => 0,
  );
  for (const passedOn of PASSED_ON) {
    expect(await viewers.viewer(passedOn)).toMatchObject({ whyNotChange: expect.stringContaining('proxy') });
  }
  expect(await viewers.viewer(visit())).toMatchObject({ whyNotChange: null });
});

test('a page that is open through a proxy ends with the reload that names users', async () => {
  let looks = OPEN;
  const viewers = createSessions(
    () => looks,
    () => 0,
  );
  const [passedOn, local] = [await viewers.viewer(PASSED_ON[0] ?? visit()), await viewers.viewer(visit())];
  if (passedOn === null || local === null) throw new Error('both may look');
  expect([viewers.isCurrent(passedOn), viewers.isCurrent(local)]).toEqual([true, true]);
  looks = { ...OPEN, ...GUARDS[0] };
  expect([viewers.isCurrent(passedOn), viewers.isCurrent(local)]).toEqual([false, true]);
});
