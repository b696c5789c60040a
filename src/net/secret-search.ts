/**
 * Secrets in what others send: a key that a page echoes must not become a subject, a name or a reason. Every text of every
 * answer is searched, and nearly none holds one: a text is compared with the secrets only where four of its characters
 * are the beginning of one.
 */
/** In place of a secret. */
export const REDACTED = '[secret]';

/** A shorter one is an ordinary word or number as well, and a page says those. */
const SHORTEST_DISTINCT = 8;
/** From here on even a text of letters alone is none of those. */
const LONG = 20;

/** As many characters are looked up at each place of a text. */
const START = 4;
/** They have so many bits of a slot: with a thousand secrets, in all their forms, some in a hundred are taken. */
const BITS = 18;

/** Whether a secret is too odd to be met by chance: `services` and `61399990000` are in addresses and among numbers, too. */
export function isDistinct(secret: string): boolean {
  if (secret.length >= LONG) return true;
  return secret.length >= SHORTEST_DISTINCT && /\d/.test(secret) && /[a-z]/i.test(secret);
}

/** Returns what replaces these in a text, the longest first; a text that holds none of them is returned as it is. */
export function createSecretSearch(secrets: Iterable<string>): (text: string) => string {
  const byStart = new Map<string, string[]>();
  const starts = new Uint8Array(2 ** BITS);
  for (const secret of new Set(secrets)) {
    if (secret.length < SHORTEST_DISTINCT) continue;
    const start = secret.slice(0, START);
    byStart.set(
      start,
      [...(byStart.get(start) ?? []), secret].toSorted((a, b) => b.length - a.length),
    );
    let window = 0;
    for (let index = 0; index < START; index += 1) window = shifted(window, secret.charCodeAt(index));
    starts[slotOf(window)] = 1;
  }

  /** The first secret from here on. */
  function next(text: string, from: number): { at: number; secret: string } | null {
    let window = 0;
    for (let index = from; index < text.length; index += 1) {
      window = shifted(window, text.charCodeAt(index));
      if (starts[slotOf(window)] === 0) continue;
      const at = index + 1 - START;
      if (at < from) continue;
      const secret = byStart.get(text.slice(at, at + START))?.find((each) => text.startsWith(each, at));
      if (secret !== undefined) return { at, secret };
    }
    return null;
  }

  return (text) => {
    if (text.length < SHORTEST_DISTINCT) return text;
    let [clean, kept] = ['', 0];
    for (let found = next(text, 0); found !== null; found = next(text, kept)) {
      clean += text.slice(kept, found.at) + REDACTED;
      kept = found.at + found.secret.length;
    }
    return kept === 0 ? text : clean + text.slice(kept);
  };
}

/** The last four characters, a byte of each. */
function shifted(window: number, code: number): number {
  return (window << 8) ^ code;
}

function slotOf(window: number): number {
  return Math.imul(window, 0x9e3779b1) >>> (32 - BITS);
}

/** A value of JSON with all its texts and keys struck; itself where that changes nothing. */
export function redactValue(value: unknown, strike: (text: string) => string): unknown {
  if (typeof value === 'string') return strike(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = (value as unknown[]).map((item) => redactValue(item, strike));
    return items.every((item, index) => item === (value as unknown[])[index]) ? value : items;
  }
  let isClean = true;
  const entries = Object.entries(value).map(([key, entry]: [string, unknown]): [string, unknown] => {
    const struck: [string, unknown] = [strike(key), redactValue(entry, strike)];
    isClean &&= struck[0] === key && struck[1] === entry;
    return struck;
  });
  return isClean ? value : Object.fromEntries(entries);
}
