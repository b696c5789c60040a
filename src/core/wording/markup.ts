/**
 * Converts HTML in a provider's text to plain text. Known tags are removed; anything else that looks like a tag is kept
 * and escaped by the receiver.
 */
import { toPlainText } from '../text/plain.ts';
import { readAttribute, findTags, type Tag } from '../text/tags.ts';

const TAGS: ReadonlySet<string> = new Set(
  'a b blockquote br div em font h1 h2 h3 h4 h5 h6 i li ol p small span strong table tbody td th thead tr u ul'.split(
    ' ',
  ),
);
/** Elements that end a line. */
const BLOCKS: ReadonlySet<string> = new Set('blockquote div h1 h2 h3 h4 h5 h6 ol p table tr ul'.split(' '));
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
};

function decode(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

/** Plain text of an update, over several lines. */
export function toReadableText(content: string): string {
  const text = toPlainText(content);
  if (!/[<&]/.test(text)) return text;
  const tags = [...findTags(text)];
  let untagged = '';
  let at = 0;
  for (const [index, tag] of tags.entries()) {
    // Inside a link that was converted as a whole.
    if (tag.from < at) continue;
    const link = linkOf(text, tag, tags[index + 1]);
    untagged += `${text.slice(at, tag.from)}${link?.shown ?? replaceTag(tag)}`;
    at = link?.to ?? tag.to;
  }
  untagged += text.slice(at);
  return toPlainText(untagged.replaceAll(ENTITY, decode));
}

function replaceTag({ name, isEnd, text }: Tag): string {
  if (!TAGS.has(name)) return text;
  if (name === 'li') return isEnd ? '' : '\n• ';
  return name === 'br' || (isEnd && BLOCKS.has(name)) ? '\n' : '';
}

/** Text of a link whose label has no tags, and the position after it. */
function linkOf(
  text: string,
  { name, isEnd, text: tag, to }: Tag,
  end: Tag | undefined,
): { shown: string; to: number } | null {
  if (name !== 'a' || isEnd || end?.name !== 'a' || !end.isEnd) return null;
  const target = readAttribute(tag, 'href');
  const label = text.slice(to, end.from);
  if (target === null || label.includes('<')) return null;
  return { shown: label.trim() === '' || label.trim() === target ? target : `${label} (${target})`, to: end.to };
}
