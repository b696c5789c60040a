/**
 * Who looks. At this machine nobody is asked; from elsewhere a user says his name and password, or comes through a proxy
 * on this machine that names him. Who may change something is a list of its own.
 */
import { createHash, randomBytes } from 'node:crypto';
import { MINUTE, HOUR } from '../core/text/duration.ts';
import { isLoopback } from '../net/hosts.ts';
import type { Viewer } from './frame.ts';
import { isPassword } from './password.ts';

export interface LookSettings {
  /** Name to the hash of the password. */
  users: Readonly<Record<string, string>>;
  /** The header in which a proxy on this machine names who looks; null for none. */
  proxyUserHeader: string | null;
  /** Names of those who may change something; null for all users. */
  mayChange: readonly string[] | null;
  /** Whoever is at this machine may change something without a name. */
  silences: boolean;
}

export interface Visit {
  /** The address of the other side. */
  peer: string | undefined;
  header(name: string): string | undefined;
}

export interface Viewers {
  /** Null for whoever has to sign in first. */
  viewer(looking: Visit): Promise<Viewer | null>;
  /** The secret of a new session, or why there is none. */
  signIn(name: string, password: string, peer: string | undefined): Promise<{ session: string } | { refusal: string }>;
  signOut(session: string | undefined): void;
}

export const SESSION_COOKIE = 'linewatch';
/** Then name and password are asked for again. */
const SESSION_LASTS_MS = 12 * HOUR;
/** Beyond these the oldest ends. */
const MOST_SESSIONS = 1_000;

/** Tries within a minute: of one name or from one address, and of all together, as each costs time and memory. */
const MOST_TRIES = 5;
const MOST_TRIES_OF_ALL = 30;

interface Session {
  name: string;
  until: number;
}

const AT_THIS_MACHINE =
  'This page changes nothing for whoever has not said who he is. Use the commands of linewatch on this machine, or allow it with http.silences: true, or sign in as a user of http.users.';

/** `settings` are those of now: a reload may take a user away. `now` in epoch milliseconds. */
export function createViewers(settings: () => LookSettings, now: () => number): Viewers {
  /** By the hash of its secret: whoever reads our memory cannot take one over. */
  const sessions = new Map<string, Session>();
  const tries = createTries(now);
  /** Basic credentials that were right, by their hash, and until when they need not be tried again. */
  const right = new Map<string, Session>();

  function named(name: string, isSignedIn: boolean): Viewer {
    const { mayChange, users } = settings();
    const may = mayChange === null ? Object.hasOwn(users, name) : mayChange.includes(name);
    const whyNotChange = may
      ? null
      : `${name} may look and change nothing: ${mayChange === null ? 'a user of http.users may' : 'http.may_change does not name them'}.`;
    return { name, isSignedIn, whyNotChange };
  }

  function ofSession(secret: string | undefined): Viewer | null {
    if (secret === undefined) return null;
    const session = sessions.get(digest(secret));
    if (session === undefined || session.until <= now() || !Object.hasOwn(settings().users, session.name)) return null;
    return named(session.name, true);
  }

  async function ofCredentials(authorization: string | undefined, peer: string | undefined): Promise<Viewer | null> {
    const given = /^Basic ([A-Za-z0-9+/=]{1,1000})$/.exec(authorization ?? '')?.[1];
    if (given === undefined) return null;
    const key = digest(given);
    const known = right.get(key);
    if (known !== undefined && known.until > now() && Object.hasOwn(settings().users, known.name)) {
      return named(known.name, false);
    }
    const [name = '', ...rest] = Buffer.from(given, 'base64').toString('utf8').split(':');
    if ((await whyNot(name, rest.join(':'), peer)) !== null) return null;
    forget(right);
    right.set(key, { name, until: now() + 5 * MINUTE });
    return named(name, false);
  }

  /** Null where name and password are right. */
  async function whyNot(name: string, password: string, peer = ''): Promise<string | null> {
    if (!tries.take([`name ${name}`, `peer ${peer}`])) return 'Too many tries: wait a minute, and try again.';
    const { users } = settings();
    const known = Object.hasOwn(users, name) ? (users[name] ?? null) : null;
    return (await isPassword(password.slice(0, 1_000), known)) ? null : 'Name or password is wrong.';
  }

  function forget(map: Map<string, Session>): void {
    for (const [key, { until }] of map) if (until <= now() || map.size >= MOST_SESSIONS) map.delete(key);
  }

  return {
    async viewer({ peer, header }) {
      const { proxyUserHeader, users, silences } = settings();
      const isHere = isLoopback(peer ?? '');
      const name = proxyUserHeader === null || !isHere ? undefined : header(proxyUserHeader);
      if (name !== undefined && name !== '') return named(name.slice(0, 100), false);
      // What a proxy on this machine passes on comes from elsewhere.
      const isPassedOn = ['x-forwarded-for', 'forwarded', 'x-real-ip'].some((each) => header(each) !== undefined);
      const known = ofSession(cookie(header('cookie'))) ?? (await ofCredentials(header('authorization'), peer));
      // Who may change something without a name may do so with one.
      if (known !== null) return silences && isHere && !isPassedOn ? { ...known, whyNotChange: null } : known;
      const asks = proxyUserHeader !== null || Object.keys(users).length > 0;
      if (!isHere || (isPassedOn && asks)) return null;
      return { name: null, isSignedIn: false, whyNotChange: silences ? null : AT_THIS_MACHINE };
    },

    async signIn(name, password, peer) {
      const refusal = await whyNot(name, password, peer);
      if (refusal !== null) return { refusal };
      forget(sessions);
      const session = randomBytes(32).toString('base64url');
      sessions.set(digest(session), { name, until: now() + SESSION_LASTS_MS });
      return { session };
    },

    signOut(session) {
      if (session !== undefined) sessions.delete(digest(session));
    },
  };
}

/** The session in a Cookie header; undefined where there is none that could be ours. */
export function cookie(header: string | undefined): string | undefined {
  return new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([\\w-]{20,100})(?:;|$)`).exec(header ?? '')?.[1];
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}

function createTries(now: () => number): { take(keys: readonly string[]): boolean } {
  let since = 0;
  let all = 0;
  const counts = new Map<string, number>();
  return {
    take(keys) {
      if (now() - since >= MINUTE || now() < since) {
        since = now();
        all = 0;
        counts.clear();
      }
      const isTooMany = all >= MOST_TRIES_OF_ALL || keys.some((key) => (counts.get(key) ?? 0) >= MOST_TRIES);
      if (isTooMany) return false;
      all += 1;
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
      return true;
    },
  };
}
