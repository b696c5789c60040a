/** What must never be shown, and how it is taken out of a text. */
import { SHORTEST_SECRET, secretForms } from '../net/secret-forms.ts';
import { distance } from './nearest.ts';

export interface Secrets {
  /** Remembers a value; an address (`https://…`) also brings its path, its query and its password. */
  add(value: string): void;
  /** The text with every remembered value replaced, in whatever common encoding it stands. */
  redact(text: string): string;
}

export const REDACTED = '[secret]';

/** Keys whose values are secret, `_`, `-` and capitals left out of account. */
const SECRET_WORDS = ['apikey', 'password', 'passwd', 'webhookurl', 'token', 'secret', 'routingkey'];

export function isSecretKey(key: string): boolean {
  const word = key.toLowerCase().replace(/[-_ ]/g, '');
  // A misspelt key holds the same secret.
  return SECRET_WORDS.some((secret) => word.includes(secret) || distance(word, secret) <= (secret.length > 6 ? 2 : 1));
}

export function createSecrets(): Secrets {
  const forms = new Set<string>();
  let pattern: RegExp | null = null;
  function add(value: string): void {
    pattern = null;
    for (const part of [value, ...lines(value), ...addressParts(value)]) {
      if (part.length < SHORTEST_SECRET) continue;
      for (const form of secretForms(part)) forms.add(form);
    }
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
  return { add, redact };
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

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
