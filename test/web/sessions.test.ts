/** Who may look, and who may change something: from this machine, with a password, through a proxy, and nobody else. */
import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Visit } from '../../src/web/access/access.ts';
import { createSessions, readSessionCookie, type LookSettings } from '../../src/web/access/sessions.ts';
import { hashPassword, isPassword } from '../../src/web/access/password.ts';

/** Of little cost: what one of full cost takes is tried once, below. */
const HASH = cheapHash('correct horse');
const OTHER = '192.0.2.7';

function cheapHash(password: string): string {
  const salt = Buffer.from('salt of the tests');
  const hash = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 });
  return ['scrypt', 16, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

function viewersWith(given: Partial<LookSettings>, at = { now: 0 }): ReturnType<typeof createSessions> {
  const settings: LookSettings = {
    users: { alex: HASH, kim: HASH },
    customersOf: {},
    proxyUserHeader: null,
    mayChange: ['alex'],
    silences: false,
    externalUrl: null,
  };
  return createSessions(
    () => ({ ...settings, ...given }),
    () => at.now,
  );
}

function looking(peer: string, headers: Record<string, string> = {}): Visit {
  return { peer, httpVersion: '1.1', headers: { host: '127.0.0.1:8469', ...headers } };
}
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test('at this machine nobody is asked, and changes something only where that is allowed', async () => {
  expect(await viewersWith({ users: {} }).viewer(looking('127.0.0.1'))).toMatchObject({
    name: null,
    whyNotChange: expect.stringContaining('http.silences'),
    maySignIn: false,
    customers: null,
  });
  expect(await viewersWith({}).viewer(looking('127.0.0.1'))).toMatchObject({
    name: null,
    whyNotChange: expect.stringContaining('Sign in'),
    maySignIn: true,
  });
  expect(await viewersWith({ silences: true }).viewer(looking('::1'))).toMatchObject({
    name: null,
    whyNotChange: null,
  });
});

test('from elsewhere, or passed on from there, nobody looks without a name', async () => {
  const viewers = viewersWith({ silences: true });
  expect(await viewers.viewer(looking(OTHER))).toBeNull();
  expect(await viewers.viewer(looking('127.0.0.1', { 'x-forwarded-for': OTHER }))).toBeNull();
});

test('a session is for who knows the password, and over at its time, after the sign-out and without the user', async () => {
  const at = { now: 0 };
  const users: Record<string, string> = { alex: HASH, kim: HASH };
  const viewers = viewersWith({ users }, at);
  expect(await viewers.signIn('alex', 'wrong', looking(OTHER))).toEqual({ refusal: 'Name or password is wrong.' });
  expect(await viewers.signIn('nobody', 'correct horse', looking(OTHER))).toEqual({
    refusal: 'Name or password is wrong.',
  });
  expect(await viewers.signIn('__proto__', 'correct horse', looking(OTHER))).toHaveProperty('refusal');
  const signed = await viewers.signIn('alex', 'correct horse', looking(OTHER));
  if (!('session' in signed)) throw new Error(signed.refusal);
  const { session } = signed;
  const asked = looking(OTHER, { cookie: `a=b; linewatch=${session}` });
  expect(await viewers.viewer(asked)).toEqual({
    name: 'alex',
    isSignedIn: true,
    whyNotChange: null,
    maySignIn: false,
    customers: null,
  });
  expect(await viewers.viewer(looking(OTHER, { cookie: `linewatch=${'x'.repeat(43)}` }))).toBeNull();
  delete users['alex'];
  expect(await viewers.viewer(asked)).toBeNull();
  users['alex'] = HASH;
  at.now = 13 * 3_600_000;
  expect(await viewers.viewer(asked)).toBeNull();
  at.now = 0;
  viewers.signOut(session);
  expect(await viewers.viewer(asked)).toBeNull();
});

test('who only looks changes nothing', async () => {
  const viewers = viewersWith({});
  const asked = looking(OTHER, { authorization: basic('kim:correct horse') });
  expect(await viewers.viewer(asked)).toEqual({
    name: 'kim',
    isSignedIn: false,
    maySignIn: false,
    customers: null,
    whyNotChange: expect.stringContaining('may_change'),
  });
  // What was right is not tried again each time.
  for (let time = 0; time < 20; time += 1) expect(await viewers.viewer(asked)).toMatchObject({ name: 'kim' });
  expect(await viewers.viewer(looking(OTHER, { authorization: basic('kim:wrong') }))).toBeNull();
});

test('a name is tried five times in a minute from one address and no more, the right password too', async () => {
  const at = { now: 0 };
  const viewers = viewersWith({}, at);
  for (let time = 0; time < 5; time += 1) await viewers.signIn('alex', 'wrong', looking(OTHER));
  const refused = { refusal: expect.stringContaining('wait a minute') };
  expect(await viewers.signIn('alex', 'correct horse', looking(OTHER))).toEqual(refused);
  // Neither another name nor another address has to wait for it.
  expect(await viewers.signIn('kim', 'correct horse', looking(OTHER))).toHaveProperty('session');
  expect(await viewers.signIn('alex', 'correct horse', looking('192.0.2.99'))).toHaveProperty('session');
  at.now = 61_000;
  expect(await viewers.signIn('alex', 'correct horse', looking(OTHER))).toHaveProperty('session');
});

test('wrong tries from a hundred addresses, of the name and of others, lock nobody out', async () => {
  const viewers = viewersWith({});
  for (let from = 0; from < 100; from += 1) {
    await viewers.signIn('alex', 'wrong', looking(`192.0.2.${from}`));
    await viewers.signIn(`name ${from}`, 'wrong', looking(`192.0.2.${from}`));
  }
  expect(await viewers.signIn('alex', 'correct horse', looking('198.51.100.1'))).toHaveProperty('session');
  const asked = looking('198.51.100.2', { authorization: basic('kim:correct horse') });
  expect(await viewers.viewer(asked)).toMatchObject({ name: 'kim' });
});

test('behind a proxy on this machine tries count for the address it adds, and not for what the sender claims', async () => {
  const viewers = viewersWith({});
  const through = (forwarded: string): Visit => looking('127.0.0.1', { 'x-forwarded-for': forwarded });
  for (let time = 0; time < 5; time += 1) await viewers.signIn('alex', 'wrong', through(`10.0.0.${time}, ${OTHER}`));
  expect(await viewers.signIn('alex', 'correct horse', through(`10.0.0.9, ${OTHER}`))).toHaveProperty('refusal');
  expect(await viewers.signIn('alex', 'correct horse', through('192.0.2.99'))).toHaveProperty('session');
  // A header from another machine is only its own word.
  const remote = (forwarded: string): Visit => looking('192.0.2.50', { 'x-forwarded-for': forwarded });
  for (let time = 0; time < 5; time += 1) await viewers.signIn('alex', 'wrong', remote(`10.0.0.${time}`));
  expect(await viewers.signIn('alex', 'correct horse', remote('10.0.0.9'))).toHaveProperty('refusal');
});

test('another password ends the sessions and the remembered logins of the old one, and no others', async () => {
  const users: Record<string, string> = { alex: HASH, kim: HASH };
  const viewers = viewersWith({ users });
  const sessionOf = async (name: string): Promise<Visit> => {
    const signed = await viewers.signIn(name, 'correct horse', looking(OTHER));
    if (!('session' in signed)) throw new Error(signed.refusal);
    return looking(OTHER, { cookie: `linewatch=${signed.session}` });
  };
  const [alex, kim] = [await sessionOf('alex'), await sessionOf('kim')];
  const remembered = looking(OTHER, { authorization: basic('alex:correct horse') });
  const seen = [await viewers.viewer(alex), await viewers.viewer(remembered), await viewers.viewer(kim)];
  expect(seen.map((viewer) => viewer?.name)).toEqual(['alex', 'alex', 'kim']);
  expect(seen.map((viewer) => viewer !== null && viewers.isCurrent(viewer))).toEqual([true, true, true]);
  users['alex'] = cheapHash('battery staple');
  expect(await viewers.viewer(alex)).toBeNull();
  expect(await viewers.viewer(remembered)).toBeNull();
  expect(await viewers.viewer(kim)).toMatchObject({ name: 'kim' });
  // A page that is open stays current no longer than what let it in.
  expect(seen.map((viewer) => viewer !== null && viewers.isCurrent(viewer))).toEqual([false, false, true]);
  const renewed = looking(OTHER, { authorization: basic('alex:battery staple') });
  expect(await viewers.viewer(renewed)).toMatchObject({ name: 'alex' });
});

test('a try at an unknown name is a try at the hash of a user: it takes as long, and fails as it would', async () => {
  const impossible = HASH.replace('scrypt:16:', 'scrypt:17:');
  const viewers = viewersWith({ users: { alex: impossible } });
  for (const name of ['alex', 'stranger']) {
    await expect(viewers.signIn(name, 'correct horse', looking(OTHER))).rejects.toThrow(/scrypt/i);
  }
});

test('what a page asks for at once with one name and password is one try', async () => {
  const viewers = viewersWith({});
  const asked = looking(OTHER, { authorization: basic('kim:correct horse') });
  const all = await Promise.all(Array.from({ length: 12 }, () => viewers.viewer(asked)));
  expect(all.map((viewer) => viewer?.name)).toEqual(Array.from({ length: 12 }, () => 'kim'));
});

test('a proxy on this machine names who looks, and one elsewhere is not believed', async () => {
  const viewers = viewersWith({ users: {}, proxyUserHeader: 'X-Remote-User' });
  const headers = { 'x-remote-user': 'alex', 'x-forwarded-for': OTHER };
  expect(await viewers.viewer(looking('127.0.0.1', headers))).toMatchObject({ name: 'alex', whyNotChange: null });
  expect(await viewers.viewer(looking(OTHER, headers))).toBeNull();
  expect(await viewers.viewer(looking('127.0.0.1', { 'x-forwarded-for': OTHER }))).toBeNull();
});

test('a hash is salted, and none of another form is believed', async () => {
  const hash = await hashPassword('correct horse');
  expect(await hashPassword('correct horse')).not.toBe(hash);
  expect(await isPassword('correct horse', hash)).toBe(true);
  expect(await isPassword('correct horse ', hash)).toBe(false);
  expect(await isPassword('correct horse', HASH)).toBe(true);
  expect(await isPassword('', 'correct horse')).toBe(false);
  expect(readSessionCookie('linewatch=../../x')).toBeUndefined();
});

test('every user may change something where nobody is named for it; whom only a proxy names may not', async () => {
  const viewers = viewersWith({ mayChange: null, proxyUserHeader: 'X-Remote-User' });
  const asked = looking(OTHER, { authorization: basic('kim:correct horse') });
  expect(await viewers.viewer(asked)).toMatchObject({ name: 'kim', whyNotChange: null });
  expect(await viewers.viewer(looking('127.0.0.1', { 'x-remote-user': 'sam' }))).toMatchObject({
    name: 'sam',
    whyNotChange: expect.stringContaining('http.users'),
  });
});

test('who may change something without a name at this machine may do so with one, and not through a proxy', async () => {
  const viewers = viewersWith({ silences: true });
  const kim = { authorization: basic('kim:correct horse') };
  expect(await viewers.viewer(looking('127.0.0.1', kim))).toMatchObject({ name: 'kim', whyNotChange: null });
  const passedOn = { ...kim, 'x-forwarded-for': OTHER };
  expect((await viewers.viewer(looking('127.0.0.1', passedOn)))?.whyNotChange).not.toBeNull();
  expect((await viewers.viewer(looking(OTHER, kim)))?.whyNotChange).not.toBeNull();
});
