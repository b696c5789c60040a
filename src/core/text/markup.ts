/**
 * Converts HTML and Markdown in a provider's text to plain text. Known tags are removed; anything else that looks like a
 * tag is kept and escaped by the receiver.
 */
import { toOneLine, toPlainText } from './plain.ts';
import { formatLink, removeMarkdown } from './markdown.ts';
import { readAttribute, findTags, type Tag } from './tags.ts';

const TAGS: ReadonlySet<string> = new Set(
  (
    'a b blockquote br div em font h1 h2 h3 h4 h5 h6 hr i img li ol p pre small span strong sub sup table tbody td th ' +
    'thead tr u ul'
  ).split(' '),
);
/** Elements that end a line. */
const BLOCKS: ReadonlySet<string> = new Set('blockquote div h1 h2 h3 h4 h5 h6 ol p pre table tr ul'.split(' '));
/** Elements whose content is for the browser, not for people. */
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style']);
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
  return toPlainText(removeMarkdown(removeHtml(text, findUnseen)));
}

/**
 * A title in one line; as it was given where nothing readable is left. Pages show no Markdown in titles, and a script there
 * is typed text.
 */
export function toReadableLine(title: string): string {
  const line = toOneLine(title);
  return toOneLine(removeHtml(line, () => [])) || line;
}

function removeHtml(text: string, findDropped: (tags: readonly Tag[]) => Iterable<Pick<Tag, 'from' | 'to'>>): string {
  if (!/[<&]/.test(text)) return text;
  const tags = [...findTags(text)];
  const unseen = new Map([...findDropped(tags)].map(({ from, to }) => [from, to]));
  let untagged = '';
  let at = 0;
  for (const [index, tag] of tags.entries()) {
    // Inside a link that was converted as a whole, or inside what people do not see.
    if (tag.from < at) continue;
    const end = unseen.get(tag.from);
    if (end !== undefined) {
      untagged += text.slice(at, tag.from);
      at = end;
      continue;
    }
    const link = linkOf(text, tag, tags[index + 1]);
    untagged += `${text.slice(at, tag.from)}${link?.shown ?? replaceTag(tag)}`;
    at = link?.to ?? tag.to;
  }
  untagged += text.slice(at);
  return untagged.replaceAll(ENTITY, decode);
}

/** Elements that people do not see, from their first tag to after their end. One that never ends is text. */
function* findUnseen(tags: readonly Tag[]): Generator<Pick<Tag, 'from' | 'to'>> {
  const opened = new Map<string, number>();
  let at = 0;
  for (const { name, isEnd, from, to } of tags) {
    if (!UNSEEN.has(name) || from < at) continue;
    const start = opened.get(name);
    if (!isEnd && start === undefined) opened.set(name, from);
    if (!isEnd || start === undefined) continue;
    yield { from: start, to };
    opened.clear();
    at = to;
  }
}

function replaceTag({ name, isEnd, text }: Tag): string {
  if (!TAGS.has(name)) return text;
  if (name === 'li') return isEnd ? '' : '\n• ';
  if (name === 'img') return readAttribute(text, 'alt') ?? '';
  return name === 'br' || name === 'hr' || (isEnd && BLOCKS.has(name)) ? '\n' : '';
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
  return { shown: formatLink(label, target), to: end.to };
}
