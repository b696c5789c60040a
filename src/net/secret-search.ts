/**
 * Redacts secrets in received text: a key echoed by a page must not become a subject, name or reason. Every text of
 * every response is searched and nearly none contains one. A filter over the first four characters of each secret skips
 * most positions.
 */
/** Replaces a secret. */
export const REDACTED = '[secret]';

/** Shorter secrets may also be ordinary words or numbers of a page. */
const SHORTEST_DISTINCT = 8;
/** Texts from this length on count as distinct even if they contain only letters. */
const LONG = 20;

/** Characters looked up at each position. */
const START = 4;
/** Bits of a filter slot. With a thousand secrets in all their forms, a few per cent of the slots are taken. */
const BITS = 18;
const NONE: readonly string[] = [];

/** False for secrets that could occur by chance: `services` and `61399990000` also appear in addresses and numbers. */
export function isDistinct(secret: string): boolean {
  if (secret.length >= LONG) return true;
  return secret.length >= SHORTEST_DISTINCT && /\d/.test(secret) && /[a-z]/i.test(secret);
}

/** Returns a function that redacts these secrets, longest first. It returns a text without secrets unchanged. */
export function createSecretSearch(secrets: Iterable<string>): (text: string) => string {
  /** By the window over their first characters: a number is looked up without a copy of the text. */
  const byStart = new Map<number, string[]>();
  const starts = new Uint8Array(2 ** BITS);
  for (const secret of new Set(secrets)) {
    if (secret.length < SHORTEST_DISTINCT) continue;
    let window = 0;
    for (let index = 0; index < START; index += 1) window = shiftWindow(window, secret.charCodeAt(index));
    byStart.set(
      window,
      [...(byStart.get(window) ?? []), secret].toSorted((a, b) => b.length - a.length),
    );
    starts[slotOf(window)] = 1;
  }

  /** The longest secret at this index. */
  function secretAt(text: string, at: number, window: number): string | null {
    for (const secret of byStart.get(window) ?? NONE) if (text.startsWith(secret, at)) return secret;
    return null;
  }

  /** Finds the first secret at or after an index. */
  function next(text: string, from: number): { at: number; secret: string } | null {
    let window = 0;
    for (let index = from; index < text.length; index += 1) {
      window = shiftWindow(window, text.charCodeAt(index));
      if (starts[slotOf(window)] === 0) continue;
      const at = index + 1 - START;
      if (at < from) continue;
      const secret = secretAt(text, at, window);
      if (secret !== null) return { at, secret };
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

/** A window over the last four characters, one byte each. */
function shiftWindow(window: number, code: number): number {
  return (window << 8) ^ code;
}

function slotOf(window: number): number {
  return Math.imul(window, 0x9e3779b1) >>> (32 - BITS);
}

/**
 * Redacts all texts and keys of a JSON value. Returns the same value if nothing changes, without a copy: nearly no
 * response contains a secret.
 */
export function redactValue(value: unknown, strike: (text: string) => string): unknown {
  if (typeof value === 'string') return strike(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? redactList(value, strike) : redactObject(value as Record<string, unknown>, strike);
}

function redactList(list: readonly unknown[], strike: (text: string) => string): readonly unknown[] {
  let redacted: unknown[] | null = null;
  for (let index = 0; index < list.length; index += 1) {
    const item = redactValue(list[index], strike);
    if (redacted === null && item !== list[index]) redacted = list.slice(0, index);
    redacted?.push(item);
  }
  return redacted ?? list;
}

function redactObject(value: Readonly<Record<string, unknown>>, strike: (text: string) => string): object {
  let redacted: [string, unknown][] | null = null;
  const keys = Object.keys(value);
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] ?? '';
    const [struck, entry] = [strike(key), redactValue(value[key], strike)];
    if (redacted === null && (struck !== key || entry !== value[key])) {
      redacted = keys.slice(0, index).map((before) => [before, value[before]]);
    }
    redacted?.push([struck, entry]);
  }
  return redacted === null ? value : Object.fromEntries(redacted);
}
