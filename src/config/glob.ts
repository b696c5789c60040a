/** Globs over names and ids: `*` any text, `?` any one character, everything else itself, case matters. */

export type Matches = (text: string) => boolean;

export function isGlob(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/**
 * Whether a text matches any of the patterns. Needs no compiling, so it costs nothing until it is asked, and it runs
 * in time proportional to text × pattern: no pattern can stall it.
 */
export function globs(patterns: readonly string[]): Matches {
  return (text) => patterns.some((pattern) => (isGlob(pattern) ? matchesGlob(pattern, text) : pattern === text));
}

function matchesGlob(pattern: string, text: string): boolean {
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
