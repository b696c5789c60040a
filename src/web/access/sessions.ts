/**
 * Sessions and names of viewers. Viewers at this machine need no sign-in; remote ones, and those behind a proxy, need a
 * name and a password, or the proxy names them. Changes are allowed by a separate list.
 */
import { createHash, randomBytes } from 'node:crypto';
import { MINUTE, HOUR } from '../../core/text/duration.ts';
import { identifyClient, identifyWay, type Visit, type AccessWay } from './access.ts';
import type { Viewer } from './sign-in-link.ts';
import { isPassword } from './password.ts';
import { createSignInTries, type TryOutcome } from './sign-in-tries.ts';

export interface LookSettings {
  /** Hash of the password by name. */
  users: Readonly<Record<string, string>>;
  /** Names of the customers that a user sees; absent for all. */
  customersOf: Readonly<Record<string, readonly string[]>>;
  /** Header in which a proxy on this machine names the viewer; null for none. */
  proxyUserHeader: string | null;
  /** Names of users who may change something; null for all users. */
  mayChange: readonly string[] | null;
  /** Changes at this machine need no name. */
  silences: boolean;
  /** Public address; null for this machine's own. */
  externalUrl: string | null;
}

export type Sessions = ReturnType<typeof createSessions>;

export const SESSION_COOKIE = 'linewatch';
/** After this time a new sign-in is required. */
const SESSION_LASTS_MS = 12 * HOUR;
/** Above this number the oldest ends. */
const MOST_SESSIONS = 1_000;

interface Session {
  name: string;
  /** Hash of the password that opened it: the session ends when the password changes or is removed. */
  hash: string;
  until: number;
}

const AT_THIS_MACHINE =
  'This page changes nothing without a name. Use the commands of linewatch on this machine, or allow it with http.silences: true, or sign in as a user of http.users.';
const SIGN_IN = 'Sign in first: this page changes nothing without a name.';
const THROUGH_PROXY =
  'Through a proxy this page changes nothing without a name. Use the commands of linewatch on this machine, or sign in as a user of http.users.';

const REFUSALS: Readonly<Record<Exclude<TryOutcome, 'right'>, string>> = {
  wrong: 'Name or password is wrong.',
  'too many': 'Too many tries: wait a minute, and try again.',
  busy: 'Too many sign in at this moment: wait a few seconds, and try again.',
};

/** `settings` returns the current ones, as a reload may remove a user. `now` in epoch milliseconds. */
export function createSessions(settings: () => LookSettings, now: () => number) {
  /** By hash of the secret: a leak of memory does not reveal usable secrets. */
  const sessions = new Map<string, Session>();
  const tries = createSignInTries(now);
  /** Valid Basic credentials by hash, with the time until which they need no new check. */
  const right = new Map<string, Session>();
  /** Running checks: concurrent requests of a page share one. */
  const trying = new Map<string, Promise<Session | null>>();
  const cameInBy = new WeakMap<Viewer, () => boolean>();

  const named = (name: string, isSignedIn: boolean): Viewer => namedBy(settings(), name, isSignedIn);

  function isOfUser({ name, hash }: Session): boolean {
    return hashOf(settings(), name) === hash;
  }

  function ofSession(secret: string | undefined): Viewer | null {
    if (secret === undefined) return null;
    const key = digest(secret);
    const isOpen = (): boolean => {
      const session = sessions.get(key);
      return session !== undefined && session.until > now() && isOfUser(session);
    };
    if (!isOpen()) return null;
    const viewer = named(sessions.get(key)?.name ?? '', true);
    cameInBy.set(viewer, isOpen);
    return viewer;
  }

  async function ofCredentials(visit: Visit): Promise<Viewer | null> {
    const given = /^Basic ([A-Za-z0-9+/=]{1,1000})$/.exec(visit.headers['authorization'] ?? '')?.[1];
    if (given === undefined) return null;
    const key = digest(given);
    const known = right.get(key);
    const isKnown = known !== undefined && known.until > now() && isOfUser(known);
    const login = isKnown ? known : await tryOnce(`${key} ${identifyClient(visit)}`, key, given, visit);
    if (login === null || !isOfUser(login)) return null;
    const viewer = named(login.name, false);
    cameInBy.set(viewer, () => isOfUser(login));
    return viewer;
  }

  function tryOnce(place: string, key: string, given: string, visit: Visit): Promise<Session | null> {
    const underWay = trying.get(place) ?? tryCredentials(key, given, visit).finally(() => trying.delete(place));
    trying.set(place, underWay);
    return underWay;
  }

  async function tryCredentials(key: string, given: string, visit: Visit): Promise<Session | null> {
    const [name = '', ...rest] = Buffer.from(given, 'base64').toString('utf8').split(':');
    const { outcome, hash } = await check(name, rest.join(':'), visit);
    if (outcome !== 'right') return null;
    forget(right);
    const login = { name, hash, until: now() + 5 * MINUTE };
    right.set(key, login);
    return login;
  }

  async function check(name: string, password: string, visit: Visit): Promise<{ outcome: TryOutcome; hash: string }> {
    const { users } = settings();
    const known = hashOf({ users }, name);
    // An unknown name takes as long as a known one: it is checked against the hash of another.
    const compared = known ?? Object.values(users)[0] ?? null;
    const outcome = await tries.attempt(name, identifyClient(visit), async () => {
      const isRight = await isPassword(password.slice(0, 1_000), compared);
      return isRight && known !== null;
    });
    return { outcome, hash: known ?? '' };
  }

  function forget(map: Map<string, Session>): void {
    for (const [key, { until }] of map) if (until <= now() || map.size >= MOST_SESSIONS) map.delete(key);
  }

  return {
    /** Null if a sign-in is required. */
    async viewer(visit: Visit) {
      const looks = settings();
      const { proxyUserHeader, silences } = looks;
      const way = identifyWay(visit, proxyUserHeader);
      const user = proxyUserHeader === null ? undefined : visit.headers[proxyUserHeader.toLowerCase()];
      if (way === 'proxied' && user !== undefined && user !== '') return named(user.slice(0, 100), false);
      const known = ofSession(readSessionCookie(visit.headers['cookie'])) ?? (await ofCredentials(visit));
      // Permission to change without a name includes permission with one.
      if (known !== null) return silences && way === 'local' && known.customers === null ? unbound(known) : known;
      if (way === 'remote' || (way === 'proxied' && isGuarded(looks))) return null;
      const nameless = namelessBy(way, looks);
      if (way === 'proxied') cameInBy.set(nameless, () => !isGuarded(settings()));
      return nameless;
    },

    /** False once this viewer's session or password is no longer valid. */
    isCurrent: (viewer: Viewer) => cameInBy.get(viewer)?.() !== false,

    /** The secret of a new session, or the reason why there is none. */
    async signIn(name: string, password: string, visit: Visit): Promise<{ session: string } | { refusal: string }> {
      const { outcome, hash } = await check(name, password, visit);
      if (outcome !== 'right') return { refusal: REFUSALS[outcome] };
      forget(sessions);
      const session = randomBytes(32).toString('base64url');
      sessions.set(digest(session), { name, hash, until: now() + SESSION_LASTS_MS });
      return { session };
    },

    signOut(session: string | undefined) {
      if (session !== undefined) sessions.delete(digest(session));
    },
  };

  function unbound(known: Viewer): Viewer {
    const viewer = { ...known, whyNotChange: null };
    cameInBy.set(viewer, cameInBy.get(known) ?? ((): boolean => true));
    return viewer;
  }
}

/** A named viewer; a user of some customers changes nothing. */
function namedBy({ mayChange, users, customersOf }: LookSettings, name: string, isSignedIn: boolean): Viewer {
  const customers = Object.hasOwn(customersOf, name) ? (customersOf[name] ?? []) : null;
  if (customers !== null) {
    const whyNotChange = `${name} sees ${customers.join(', ') || 'no customer'} alone, and changes nothing.`;
    return { name, isSignedIn, whyNotChange, maySignIn: false, customers };
  }
  const may = mayChange === null ? Object.hasOwn(users, name) : mayChange.includes(name);
  const whyNotChange = may
    ? null
    : `${name} may look and change nothing: ${mayChange === null ? 'a user of http.users may' : 'http.may_change does not name them'}.`;
  return { name, isSignedIn, whyNotChange, maySignIn: false, customers: null };
}

/** Viewers without a name. */
function namelessBy(way: AccessWay, { users, silences }: LookSettings): Viewer {
  const maySignIn = Object.keys(users).length > 0;
  const whyNot = way === 'proxied' ? THROUGH_PROXY : maySignIn ? SIGN_IN : AT_THIS_MACHINE;
  return {
    name: null,
    isSignedIn: false,
    whyNotChange: silences && way === 'local' ? null : whyNot,
    maySignIn,
    customers: null,
  };
}

/** A proxy or public address implies remote viewers, who need a name. */
function isGuarded({ users, proxyUserHeader, externalUrl }: LookSettings): boolean {
  return Object.keys(users).length > 0 || proxyUserHeader !== null || externalUrl !== null;
}

/** Null for an unknown user. */
function hashOf({ users }: Pick<LookSettings, 'users'>, name: string): string | null {
  return Object.hasOwn(users, name) ? (users[name] ?? null) : null;
}

/** The session in a Cookie header; undefined for none in our format. */
export function readSessionCookie(header: string | undefined): string | undefined {
  return new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([\\w-]{20,100})(?:;|$)`).exec(header ?? '')?.[1];
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
