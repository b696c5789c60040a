/**
 * Globs over names and ids: `*` matches any text, `?` one character. Case is ignored, because people do not type names
 * exactly. All patterns of the configuration are evaluated here.
 */

export type Matches = (text: string) => boolean;

/** True if the pattern matches every text, even an empty one. */
export function isEverything(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}

/**
 * Matches if any pattern does. Compiled on first use. Matching takes at most text × pattern steps, so no pattern can
 * stall the process.
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

/**
 * One entry per character after case folding: `ß` and `ẞ`, `k` and the Kelvin sign are equal. Plain text is its own
 * list.
 */
function lettersOf(text: string): Letters {
  if (/^[ -~]*$/.test(text)) return text.toUpperCase();
  return Array.from(text, (letter) => letter.toLowerCase().toUpperCase());
}

/** Backtracks only to the last star; earlier stars never need to be revisited. */
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
