/**
 * Sanitises external text for display: no control characters, no direction marks, no markup, limited length. Escaping
 * for a medium happens afterwards.
 */

/** C0 and C1 controls except line feed, zero-width and direction marks, byte-order mark, tag characters. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- stripping control characters is the point
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Multi-line text: normalised line ends, no invisible characters, trimmed. */
export function toPlainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(INVISIBLE, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Single line, for subjects, headlines and names: a line break could forge a header. */
export function toOneLine(text: string): string {
  return toPlainText(text).replaceAll(/\s+/g, ' ');
}

/** At most `limit` UTF-16 units, cut at a word if possible, with an ellipsis. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 1) return limit === 1 ? '…' : '';
  const head = text.slice(0, limit - 1);
  const space = head.search(/\s\S*$/u);
  const end = space > head.length * 0.6 ? space : head.length;
  // Do not split a surrogate pair.
  const safe = head.slice(0, end).replace(/[\ud800-\udbff]$/u, '');
  return `${safe.trimEnd()}…`;
}

/**
 * `A`, `A and B`, or `A, B and 3 more` with at most `shown` names. `last` precedes the final name if all are shown. With a
 * comma in a name: `A, B; and C`.
 */
export function formatList(names: readonly string[], shown = Infinity, last = ' and '): string {
  if (names.length <= 1) return names[0] ?? '';
  const kept = names.slice(0, shown);
  if (names.length > shown) return joinFirst(kept, names.length - shown);
  const end = names.some(hasComma) ? `; ${last.replace(',', '').trimStart()}` : last;
  return `${joinNames(kept.slice(0, -1))}${end}${names.at(-1)}`;
}

/** `A, B`, and `A, B; C` with a comma in a name. */
export function joinNames(names: readonly string[]): string {
  return names.join(names.some(hasComma) ? '; ' : ', ');
}

/** `A, B and 3 more`, and `A, B; C; and 3 more`. `more`: number of those left out; 0 for none. */
export function joinFirst(names: readonly string[], more: number): string {
  return [joinNames(names), ...formatRest(more)].join(names.some(hasComma) ? '; ' : ' ');
}

/** Not that of `4,576`, and none within brackets. */
function hasComma(name: string): boolean {
  return name.replaceAll(/\([^()]*\)/g, '').includes(', ');
}

/** The ending of a truncated list; empty if nothing is left out. */
export function formatRest(more: number): string[] {
  return more > 0 ? [`and ${more} more`] : [];
}

/** Locale-independent order, for stable output. */
export function compareTexts(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Natural order for people (`Site 2` before `Site 10`), the same on every machine. */
export function compareNames(a: string, b: string): number {
  // `localeCompare` with options creates a collator at each call.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b);
}

let collator: Intl.Collator | null = null;

/** `371`, `4,576`. */
export function formatInteger(count: number): string {
  const digits = String(count);
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

/** `1 phone`, `4,576 phones`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatInteger(count)} ${count === 1 ? one : many}`;
}

/** `1 of 1 phone`, `371 of 4,576 phones`. */
export function formatCountOf(count: number, total: number, one: string): string {
  return `${formatInteger(count)} of ${formatCount(total, one)}`;
}

/** `All 12 phones`, and `Both phones` of two. */
export function formatAllOf(count: number, one: string): string {
  return count === 2 ? `Both ${one}s` : `All ${formatCount(count, one)}`;
}

/** `None of the 12 phones`, and `Neither phone` of two. */
export function formatNoneOf(count: number, one: string): string {
  return count === 2 ? `Neither ${one}` : `None of the ${formatCount(count, one)}`;
}

/** Adds a capital letter and a full stop. */
export function toSentence(reason: string): string {
  return capitalize(toOneLine(reason)).replace(/[^.!?…]$/u, '$&.');
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Allows a path to be appended. */
export function trimEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/** `under_maintenance` → `under maintenance`. */
export function formatState(state: string): string {
  return state.replaceAll('_', ' ');
}
