/**
 * Text from outside, made fit to be shown: no control characters, no invisible direction marks, no markup,
 * never longer than a channel allows. Whatever escaping a channel needs comes after this.
 */

/** C0 and C1 controls but line feed, zero-width and direction marks, byte-order mark, and the invisible tag characters. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- stripping control characters is the point
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Several lines of plain text: line ends made one, what cannot be seen removed, blank space trimmed. */
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

/** The same on one line: for subjects, headlines and names, where a line break could forge a header. */
export function toOneLine(text: string): string {
  return toPlainText(text).replaceAll(/\s+/g, ' ');
}

/** At most `limit` UTF-16 units, cut at a word where there is one near, with an ellipsis where something is missing. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 1) return limit === 1 ? '…' : '';
  const head = text.slice(0, limit - 1);
  const space = head.search(/\s\S*$/u);
  const end = space > head.length * 0.6 ? space : head.length;
  // A cut between the halves of a surrogate pair would leave a broken character.
  const safe = head.slice(0, end).replace(/[\ud800-\udbff]$/u, '');
  return `${safe.trimEnd()}…`;
}

/** `A`, `A and B`, `A, B and 3 more`: at most `shown` names; `last` stands before the last where all are shown. */
export function formatList(names: readonly string[], shown = Infinity, last = ' and '): string {
  if (names.length <= 1) return names[0] ?? '';
  if (names.length <= shown) return `${names.slice(0, -1).join(', ')}${last}${names.at(-1)}`;
  return [names.slice(0, shown).join(', '), ...formatRest(names.length - shown)].join(' ');
}

/** What follows a list that is cut short; nothing where nothing is left out. */
export function formatRest(more: number): string[] {
  return more > 0 ? [`and ${more} more`] : [];
}

/** For sorting: the same order on every machine, whatever its language. */
export function compareTexts(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** For lists that people read: as they sort names, `Site 2` before `Site 10`, and the same on every machine. */
export function compareNames(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** `1 phone`, `2 phones`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A reason of one line as a whole sentence. */
export function toSentence(reason: string): string {
  return capitalize(toOneLine(reason)).replace(/[^.!?…]$/u, '$&.');
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** An address to which a path can be joined. */
export function trimEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/** A state as people read it: `under_maintenance` → `under maintenance`. */
export function formatState(state: string): string {
  return state.replaceAll('_', ' ');
}
