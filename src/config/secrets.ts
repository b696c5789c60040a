/** Secrets, and their redaction in texts. */
import { SHORTEST_SECRET, listSecretForms } from '../net/secret-forms.ts';
import { createSecretSearch, isDistinct, REDACTED } from '../net/secret-search.ts';
import { measureDistance } from './nearest.ts';
import { hasReference } from './references.ts';

export type Secrets = ReturnType<typeof createSecrets>;

/**
 * Parts of key names with secret values, ignoring `_`, `-` and case. A heartbeat's address is secret, because its
 * holder can keep it beating.
 */
const SECRET_WORDS = [
  'apikey',
  'password',
  'passwd',
  'webhookurl',
  'token',
  'secret',
  'routingkey',
  'privatekey',
  'authorization',
  'heartbeat',
];
/** Exceptions: keys that only say where to ask. */
const PUBLIC_KEYS = ['tokenurl'];

/** True for secret keys, including misspelt ones. */
export function isSecretKey(key: string): boolean {
  const word = key.toLowerCase().replace(/[-_ ]/g, '');
  if (PUBLIC_KEYS.includes(word)) return false;
  return SECRET_WORDS.some((secret) => word.includes(secret) || isMisspelt(word, secret));
}

/** A misspelt key holds the same secret. Words of too different a length are not compared, which takes its time. */
function isMisspelt(word: string, secret: string): boolean {
  const most = secret.length > 6 ? 2 : 1;
  return Math.abs(word.length - secret.length) <= most && measureDistance(word, secret) <= most;
}

/** Collects values of secret keys, and secrets inside addresses. */
export function collectSecrets(value: unknown, add: (secret: string) => void, secretAbove = false): void {
  if (typeof value === 'string' && !hasReference(value)) {
    for (const secret of secretAbove ? [value] : carried(value)) add(secret);
  } else if (typeof value === 'number' && secretAbove) {
    add(String(value));
  } else if (typeof value === 'object' && value !== null) {
    for (const swallowed of swallowedByKeys(value)) add(swallowed);
    for (const [key, item] of Object.entries(value)) collectSecrets(item, add, secretAbove || isSecretKey(key));
  }
}

/** True for literal secrets, not for references. */
export function hasSecrets(value: unknown): boolean {
  let found = false;
  collectSecrets(value, () => (found = true));
  return found;
}

/**
 * Secrets that a typo made part of a key: `{api_key:hunter2}` is one key, `{api_key, hunter2}` are two, all without
 * values.
 */
function swallowedByKeys(mapping: object): string[] {
  const bare = Object.entries(mapping).flatMap(([key, item]) => (item === null ? [key] : []));
  const first = bare.findIndex((key) => isSecretKey(/^\w*/.exec(key)?.[0] ?? ''));
  if (first < 0) return [];
  const glued = /^\w+\W+(.*)$/s.exec(bare[first] ?? '')?.[1] ?? '';
  return [glued, glued.replace(/\W+$/, ''), ...bare.slice(first + 1)].filter((text) => text !== '');
}

/** Password and query of an address that is not secret as a whole; for a database only the password. */
function carried(value: string): string[] {
  const [, database] = /^(?:https?|(postgres(?:ql)?)):\/\//i.exec(value) ?? [null];
  if (database === null || !URL.canParse(value)) return [];
  const { password, searchParams } = new URL(value);
  const query =
    database === undefined
      ? [...searchParams.values()].filter((part) => part.length >= 8)
      : searchParams.getAll('password');
  return [password, decoded(password), ...query].filter((part) => part !== '');
}

/** Added secrets are redacted in every text from then on. */
export function createSecrets() {
  const forms = new Set<string>();
  const distinct = new Set<string>();
  let pattern: RegExp | null = null;
  let search: ((text: string) => string) | null = null;
  /** Also adds path, query and password of an address (`https://…`). */
  function add(value: string): void {
    pattern = null;
    search = null;
    for (const part of [value, ...lines(value), ...addressParts(value)]) {
      if (part.length < SHORTEST_SECRET) continue;
      for (const form of listSecretForms(part)) {
        forms.add(form);
        if (isDistinct(part)) distinct.add(form);
      }
    }
  }
  /** For received text, in which short and common values may have another meaning. */
  function strike(text: string): string {
    search ??= createSecretSearch(distinct);
    return search(text);
  }
  /** Redacts all secrets in all common encodings. */
  function redact(text: string): string {
    if (forms.size === 0) return text;
    // Longest first: a whole address before the path inside it.
    pattern ??= new RegExp(
      [...forms]
        .toSorted((a, b) => b.length - a.length)
        .map(escapePattern)
        .join('|'),
      'g',
    );
    return text.replace(pattern, REDACTED);
  }
  return { add, redact, strike };
}

/** A key file is often shown line by line. */
function lines(value: string): string[] {
  return /[\r\n]/.test(value) ? value.split(/[\r\n]+/).filter((line) => line.length >= 8) : [];
}

/** The host of a webhook is public; the rest allows posting. */
function addressParts(value: string): string[] {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return [];
  const { pathname, search, username, password } = new URL(value);
  const parts =
    pathname === '/' ? [] : [pathname, pathname + search, ...pathname.split('/').filter((s) => s.length >= 8)];
  for (const [, queryValue] of new URLSearchParams(search)) parts.push(queryValue);
  for (const encoded of [username, password]) parts.push(encoded, decoded(encoded));
  return parts;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
