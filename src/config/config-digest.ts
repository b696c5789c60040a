/** A digest of the settings that all members must share, without secrets, for comparison. */
import type { ConfigDifference } from '../core/engine/member-trouble.ts';
import { compareTexts } from '../core/text/plain.ts';
import { hashIdentity } from '../core/transition/transition.ts';
import type { Config } from './config.ts';
import { isSecretKey, type Secrets } from './secrets.ts';

export interface ConfigDigest {
  /** Hash over all parts. */
  hash: string;
  /** Hash by part, such as `page carrier` and `route`. */
  parts: Readonly<Record<string, string>>;
}

/** Settings that differ between machines. */
type OfMachine = 'file' | 'instance' | 'stateDir' | 'credentialsDir' | 'http' | 'log' | 'include' | 'database';

export function digestConfig(config: Config, secrets: Pick<Secrets, 'strike'>): ConfigDigest {
  const { statusPages, accounts, receivers, database, ...others } = config;
  const named = (kind: string, all: readonly { name: string }[]): [string, unknown][] =>
    all.map((one) => [`${kind} ${one.name}`, one]);
  const own: ReadonlySet<string> = new Set<OfMachine>([
    'file',
    'instance',
    'stateDir',
    'credentialsDir',
    'http',
    'log',
    'include',
  ]);
  const all: [string, unknown][] = [
    ...named('page', statusPages),
    ...named('account', accounts),
    ...named('receiver', receivers),
    ['lease', database?.lease],
    ['shards', database?.shards],
    ...Object.entries(others).filter(([key]) => !own.has(key)),
  ];
  const isSecret = rememberAnswers(isSecretKey);
  const hashed = all.map(([key, value]) => [key, hashOf(value, secrets, isSecret)] as const);
  const parts = Object.fromEntries(hashed.toSorted(([a], [b]) => compareTexts(a, b)));
  return { hash: hashIdentity('configuration', Object.entries(parts)), parts };
}

/** A thousand accounts have the same keys. */
function rememberAnswers(isSecret: (key: string) => boolean): (key: string) => boolean {
  const known = new Map<string, boolean>();
  return (key) => {
    const answer = known.get(key) ?? isSecret(key);
    known.set(key, answer);
    return answer;
  };
}

function hashOf(value: unknown, { strike }: Pick<Secrets, 'strike'>, isSecret: (key: string) => boolean): string {
  const text = JSON.stringify(value, (key, one: unknown) => (isSecret(key) ? null : one));
  return hashIdentity('part', strike(text ?? '')).slice(0, 12);
}

/** Differences of another member; every list is sorted. */
export function compareDigests(own: ConfigDigest['parts'], other: ConfigDigest['parts']): ConfigDifference {
  const [here, there] = [Object.keys(own), Object.keys(other)];
  return {
    lacks: here.filter((key) => other[key] === undefined),
    adds: there.filter((key) => own[key] === undefined),
    differs: here.filter((key) => other[key] !== undefined && other[key] !== own[key]),
  };
}
