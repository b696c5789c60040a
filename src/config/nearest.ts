/** Suggests the valid name that was probably meant. */

/** Edit distance: insertions, deletions, replacements, swaps of neighbours. */
export function measureDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

/** Different case styles are not misspellings. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}

/** The nearest candidates; empty if all are too far. */
export function findNearest(name: string, candidates: Iterable<string>): string[] {
  let best: string[] = [];
  let least = Math.max(1, Math.floor(name.length / 3));
  // A longer text is no typo, and the table would grow with it.
  if (name.length > 80) return [];
  for (const candidate of candidates) {
    const away = Math.min(measureDistance(name, candidate), measureDistance(plain(name), plain(candidate)));
    // Replacing every letter is no typo.
    if (away > least || away >= Math.max(name.length, candidate.length)) continue;
    if (away < least) best = [];
    least = away;
    best.push(candidate);
  }
  if (best.length > 0) return best;
  const short = abbreviations(name, candidates);
  return short.length > 0 ? short : listPartsOfNames(name, candidates);
}

/** `url` for `base_url`, `smtp_host` for `host`. */
function listPartsOfNames(name: string, candidates: Iterable<string>): string[] {
  const wordsOf = (text: string): string[] => text.toLowerCase().split(/[-_ ]/);
  const own = new Set(wordsOf(name));
  return [...candidates].filter((one) => {
    const words = new Set(wordsOf(one));
    return own.isSubsetOf(words) || words.isSubsetOf(own);
  });
}

/** `crit` for `critical`, `warning` for `warn`. */
function abbreviations(name: string, candidates: Iterable<string>): string[] {
  if (name.length < 3) return [];
  return [...candidates].filter((one) => one.length > 2 && (one.startsWith(name) || name.startsWith(one)));
}

/** `; did you mean "a"?`, or empty; `shown` formats a candidate. */
export function suggestName(
  name: string,
  candidates: Iterable<string>,
  shown: (candidate: string) => string = JSON.stringify,
): string {
  return formatSuggestion(findNearest(name, candidates), shown);
}

/** `; did you mean "a"?` of at most three; empty for none. */
export function formatSuggestion(names: readonly string[], shown: (name: string) => string = JSON.stringify): string {
  const found = names.slice(0, 3);
  return found.length === 0 ? '' : `; did you mean ${found.map((one) => shown(one)).join(' or ')}?`;
}
