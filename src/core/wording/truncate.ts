/**
 * Truncates the provider's texts for a receiver: every update keeps a fair share; the newest are kept if there are too
 * many.
 */
import { truncate, formatCount } from '../text/plain.ts';
import { listAuthors } from './authors.ts';
import type { Quote } from './wording.ts';

export interface Measure {
  /** Size of a text after the receiver's escaping. */
  size(text: string): number;
  /** Truncates a text to a size of at most `limit`. */
  cut(text: string, limit: number): string;
}

export const CHARACTERS: Measure = { size: (text) => text.length, cut: truncate };

/**
 * Keeps at most `most` updates, with texts of at most `total` together and `longest` each. `rest`: a note about omitted
 * text, with its place; null if nothing is omitted.
 */
export function fitWords(
  words: readonly Quote[],
  most: number,
  total: number,
  linked: boolean,
  measure = CHARACTERS,
  longest = Infinity,
) {
  const kept = words.slice(-most);
  const sizes = kept.map((quote) => Math.min(longest, measure.size(quote.text)));
  const share = Math.min(longest, computeFairShare(sizes, total));
  const fitted = kept.map((quote) => ({
    ...quote,
    text: measure.size(quote.text) <= share ? quote.text : measure.cut(quote.text, share),
  }));
  const earlier = words.length - kept.length;
  const shortened = fitted.some((quote, index) => quote.text !== kept[index]?.text);
  return { words: fitted, rest: describeRest(earlier, shortened, linked, listAuthors(kept)) };
}

function describeRest(earlier: number, shortened: boolean, linked: boolean, by: string): string | null {
  const where = linked ? `in ${by}’s notice (link below)` : `on ${by}’s status page`;
  if (earlier > 0) {
    return `${formatCount(earlier, 'earlier update')}${shortened ? ' and the rest of long ones' : ''}: ${where}.`;
  }
  return shortened ? `Shortened: the rest is ${where}.` : null;
}

/** The largest cap under which all sizes together stay within `total`: short texts leave their share to long ones. */
export function computeFairShare(sizes: readonly number[], total: number): number {
  let left = total;
  let waiting = sizes.length;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (size * waiting > left) return Math.max(1, Math.floor(left / waiting));
    left -= size;
    waiting -= 1;
  }
  return Number.MAX_SAFE_INTEGER;
}

export interface FittedItems {
  items: string[];
  more: number;
}

/** The first items that fit into `limit`, and the number of all others, listed or not. */
export function fitItems(
  { items, unlisted = 0 }: { items: readonly string[]; unlisted?: number | undefined },
  limit: number,
  measure = CHARACTERS,
): FittedItems {
  const shown: string[] = [];
  let used = 0;
  for (const item of items) {
    const size = measure.size(item) + 2;
    if (used + size > limit) break;
    shown.push(item);
    used += size;
  }
  const [first] = items;
  if (shown.length === 0 && first !== undefined) shown.push(measure.cut(first, limit));
  return { items: shown, more: items.length - shown.length + unlisted };
}
