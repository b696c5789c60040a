/** What must never be shown, and how it is taken out of a text. */
import { SHORTEST_SECRET, listSecretForms } from '../net/secret-forms.ts';
import { createSecretSearch, isDistinct, REDACTED } from '../net/secret-search.ts';
import { measureDistance } from './nearest.ts';
import { hasReference } from './references.ts';

export interface Secrets {
  /** Remembers a value; an address (`https://…`) also brings its path, its query and its password. */
  add(value: string): void;
  /** The text with every remembered value replaced, in whatever common encoding it stands. */
  redact(text: string): string;
  /** The same for what others send, where short and common values may be something else. */
  strike(text: string): string;
}

/**
 * Keys whose values are secret, `_`, `-` and capitals left out of account. Whoever knows the address of the heartbeat
 * can keep it beating for us.
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
/** Keys that hold such a word and only say where to ask. */
const PUBLIC_KEYS = ['tokenurl'];

/** Whatever way it is written or misspelt. */
export function isSecretKey(key: string): boolean {
  const word = key.toLowerCase().replace(/[-_ ]/g, '');
  if (PUBLIC_KEYS.includes(word)) return false;
  // A misspelt key holds the same secret.
  return SECRET_WORDS.some(
    (secret) => word.includes(secret) || measureDistance(word, secret) <= (secret.length > 6 ? 2 : 1),
  );
}

/** Adds every secret in a configuration: what stands under a secret key, and what addresses carry along. */
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

/** Whether a configuration holds secrets themselves and not only references to them. */
export function hasSecrets(value: unknown): boolean {
  let found = false;
  collectSecrets(value, () => (found = true));
  return found;
}

/**
 * Secrets that a wrong character made part of a key: `{api_key:hunter2}` is one key, `{api_key, hunter2}` are two, and
 * all of them have no value.
 */
function swallowedByKeys(mapping: object): string[] {
  const bare = Object.entries(mapping).flatMap(([key, item]) => (item === null ? [key] : []));
  const first = bare.findIndex((key) => isSecretKey(/^\w*/.exec(key)?.[0] ?? ''));
  if (first < 0) return [];
  const glued = /^\w+\W+(.*)$/s.exec(bare[first] ?? '')?.[1] ?? '';
  return [glued, glued.replace(/\W+$/, ''), ...bare.slice(first + 1)].filter((text) => text !== '');
}

/** The password of an address that is not secret as a whole, and what it asks with; of a database only the password. */
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

/** What is added is taken out of every text from then on, in all forms in which it may stand there. */
export function createSecrets(): Secrets {
  const forms = new Set<string>();
  const distinct = new Set<string>();
  let pattern: RegExp | null = null;
  let search: ((text: string) => string) | null = null;
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
  function strike(text: string): string {
    search ??= createSecretSearch(distinct);
    return search(text);
  }
  function redact(text: string): string {
    if (forms.size === 0) return text;
    // The longest first, so that a whole address goes before the path inside it.
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

/** A key file is often shown a line at a time. */
function lines(value: string): string[] {
  return /[\r\n]/.test(value) ? value.split(/[\r\n]+/).filter((line) => line.length >= 8) : [];
}

/** Of a webhook's address the host may be shown; whoever knows the rest can post. */
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
