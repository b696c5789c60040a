/**
 * Globs over names and ids: `*` is any text, `?` any one character, everything else itself. Case does not count: people
 * write names as they say them. Every pattern of a person, wherever it is written, is judged here.
 */

export type Matches = (text: string) => boolean;

/** Whether it matches whatever there is, nothing included. */
export function isEverything(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}

/**
 * Whether a text matches any of the patterns. A pattern is compiled when it is first needed, and the time it takes is
 * proportional to text × pattern at worst: no pattern can stall it.
 */
export function compileGlobs(patterns: readonly string[]): Matches {
  let compiled: Letters[] | null = null;
  return (text) => {
    compiled ??= patterns.map(lettersOf);
    const letters = lettersOf(text);
    return compiled.some((pattern) => matchesLetters(pattern, letters));
  };
}

type Letters = ArrayLike<string>;

/** One entry a character; `ß` and `ẞ`, `k` and the sign for Kelvin are the same letter. Plain text is its own list. */
function lettersOf(text: string): Letters {
  if (/^[ -~]*$/.test(text)) return text.toUpperCase();
  return Array.from(text, (letter) => letter.toLowerCase().toUpperCase());
}

/** After a mismatch only the last star takes one letter more: what earlier stars took need never be undone. */
function matchesLetters(pattern: Letters, text: Letters): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let resume = 0;
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = at;
      resume = position;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[position])) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      position = resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
