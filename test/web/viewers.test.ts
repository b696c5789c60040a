/** Who may look, and who may change something: from this machine, with a password, through a proxy, and nobody else. */
import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createViewers, cookie, type LookSettings } from '../../src/web/viewers.ts';
import { hashPassword, isPassword } from '../../src/web/password.ts';

/** Of little cost: what one of full cost takes is tried once, below. */
const HASH = cheapHash('correct horse');
const OTHER = '192.0.2.7';

function cheapHash(password: string): string {
  const salt = Buffer.from('salt of the tests');
  const hash = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 });
  return ['scrypt', 16, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

function viewersWith(given: Partial<LookSettings>, at = { now: 0 }): ReturnType<typeof createViewers> {
  const settings = { users: { alex: HASH, kim: HASH }, proxyUserHeader: null, mayChange: ['alex'], silences: false };
  return createViewers(
    () => ({ ...settings, ...given }),
    () => at.now,
  );
}

const looking = (peer: string, headers: Record<string, string> = {}) => ({
  peer,
  header: (name: string) => headers[name.toLowerCase()],
});
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test('at this machine nobody is asked, and changes something only where that is allowed', async () => {
  expect(await viewersWith({}).viewer(looking('127.0.0.1'))).toMatchObject({
    name: null,
    whyNotChange: expect.stringContaining('http.silences'),
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
  expect(await viewers.signIn('alex', 'wrong', OTHER)).toEqual({ refusal: 'Name or password is wrong.' });
  expect(await viewers.signIn('nobody', 'correct horse', OTHER)).toEqual({ refusal: 'Name or password is wrong.' });
  expect(await viewers.signIn('__proto__', 'correct horse', OTHER)).toHaveProperty('refusal');
  const signed = await viewers.signIn('alex', 'correct horse', OTHER);
  if (!('session' in signed)) throw new Error(signed.refusal);
  const { session } = signed;
  const asked = looking(OTHER, { cookie: `a=b; linewatch=${session}` });
  expect(await viewers.viewer(asked)).toEqual({ name: 'alex', isSignedIn: true, whyNotChange: null });
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
    whyNotChange: expect.stringContaining('may_change'),
  });
  // What was right is not tried again each time.
  for (let time = 0; time < 20; time += 1) expect(await viewers.viewer(asked)).toMatchObject({ name: 'kim' });
  expect(await viewers.viewer(looking(OTHER, { authorization: basic('kim:wrong') }))).toBeNull();
});

test('passwords are tried five times in a minute and no more, the right one too', async () => {
  const at = { now: 0 };
  const viewers = viewersWith({}, at);
  for (let time = 0; time < 5; time += 1) await viewers.signIn('alex', 'wrong', `192.0.2.${time}`);
  expect(await viewers.signIn('alex', 'correct horse', '192.0.2.99')).toEqual({
    refusal: expect.stringContaining('wait a minute'),
  });
  at.now = 61_000;
  expect(await viewers.signIn('alex', 'correct horse', '192.0.2.99')).toHaveProperty('session');
}, 60_000);

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
  expect(cookie('linewatch=../../x')).toBeUndefined();
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
