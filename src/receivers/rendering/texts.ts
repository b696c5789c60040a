/** Rendered texts of a message: plain, Markdown, HTML, and one SMS part. */
import { defuse } from '../../core/text/defuse.ts';
import { GSM7_PART, countSeptets, toGsm7 } from '../../core/text/gsm7.ts';
import { joinNames, toOneLine } from '../../core/text/plain.ts';
import type { MessageContent } from '../../core/wording/message-content.ts';
import type { Link } from '../../core/wording/wording.ts';
import { fitPieces, measureBy, splitContent, type Piece } from './pieces.ts';
import type { TextLimits, MarkdownForm } from '../http/preset.ts';

export interface Style {
  /** Escapes text of others, and keeps its line breaks. */
  escape(text: string): string;
  strong(escaped: string): string;
  link(link: Link): string;
  newline: string;
}

const LINKS = 3;
const SHORTENED = 'Shortened: the rest is behind the link.';

export const PLAIN: Style = {
  escape: defuse,
  strong: (text) => text,
  link: ({ text, url }) => `${text}: ${url}`,
  newline: '\n',
};

export const HTML: Style = {
  escape: (text) => escapeHtml(defuse(text)).replaceAll('\n', '<br>'),
  strong: (text) => `<b>${text}</b>`,
  link: ({ text, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`,
  newline: '<br>',
};

export function createMarkdownStyle({ escape, bold }: MarkdownForm): Style {
  const marks = escape === '' ? null : new RegExp(`[${RegExp.escape(escape)}]`, 'gu');
  const escapeMarks = (text: string): string => (marks === null ? defuse(text) : defuse(text).replace(marks, '\\$&'));
  return {
    escape: escapeMarks,
    strong: (text) => (text === '' ? '' : `${bold}${text}${bold}`),
    link: ({ text, url }) =>
      `[${escapeMarks(text)}](${url.replaceAll(/[()<>\s\\]/g, (char) => encodeURI(char).replace('(', '%28').replace(')', '%29'))})`,
    newline: '\n',
  };
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Returns the medium's measure of length. */
export function createSizeMeasure(of: TextLimits['of']): (text: string) => number {
  if (of === 'bytes') return (text) => Buffer.byteLength(text);
  return of === 'characters' ? countCharacters : (text) => text.length;
}

/** Counts a surrogate pair once. */
function countCharacters(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}

/** Lays out a message within `limit`, keeping the first line and the link. */
export function renderText(content: MessageContent, style: Style, limit: number, of: TextLimits['of']): string {
  const size = createSizeMeasure(of);
  const measure = measureBy((text) => size(style.escape(text)));
  const links = selectLinks(content.links, limit / 3, (link) => size(style.link(link)));
  const head = [
    style.strong(style.escape(measure.cut(content.headline, Math.floor(limit / 3)))),
    style.escape(measure.cut(content.kicker, Math.floor(limit / 8))),
  ];
  const tail = links.map((link) => style.link(link));
  const fixed = [...head, ...tail, SHORTENED].reduce((sum, line) => sum + size(line) + 2 * size(style.newline), 0);
  const { kept, isCut } = fitPieces(splitContent(content), limit - fixed, measure);
  const body = kept.map((one) => formatPiece(one, style));
  const note = isCut && links.length > 0 ? [SHORTENED] : [];
  const whole = [...head, ...body, ...note, ...tail].filter((line) => line !== '').join(style.newline);
  // Markup around many short pieces may exceed the estimate: then only the first lines and the link are sent.
  if (size(whole) <= limit) return whole;
  const least = [...head, ...tail].join(style.newline);
  return size(least) <= limit ? least : style.escape(measure.cut(content.headline, limit));
}

/** Keeps the last links: the last is the alert's own page. */
function selectLinks(links: readonly Link[], room: number, size: (link: Link) => number): Link[] {
  const kept: Link[] = [];
  let left = room;
  for (const link of links.slice(-LINKS).toReversed()) {
    left -= size(link) + 2;
    if (left >= 0) kept.unshift(link);
  }
  return kept;
}

function formatPiece({ kind, label, items, inline }: Piece, style: Style): string {
  const { escape, strong, newline } = style;
  const heading = label === null ? '' : strong(escape(`${label}:`));
  const texts = items.map(escape);
  if (kind === 'list' && !inline) return [heading, ...texts.map((text) => `• ${text}`)].join(newline);
  if (kind === 'quote') return [heading, ...texts].join(newline);
  return [heading, joinNames(texts)].filter((part) => part !== '').join(' ');
}

/** `Acme: 14 of 20 phones offline at Richmond. lw.example.com/alerts/12`: one SMS part, with the link if it fits. */
export function renderSms(content: MessageContent): string {
  const link = content.links.at(-1)?.url.replace(/^https?:\/\//, '') ?? '';
  const tail = link !== '' && countSeptets(toGsm7(link)) <= GSM7_PART / 2 ? ` ${toGsm7(link)}` : '';
  const said = toGsm7(defuseAddresses(toOneLine(content.headline)));
  const measure = measureBy((text) => countSeptets(toGsm7(text)));
  return toGsm7(`${measure.cut(said, GSM7_PART - countSeptets(tail))}${tail}`);
}

/** Breaks up addresses, which phones would turn into links; GSM-7 has no invisible character to separate them. */
function defuseAddresses(text: string): string {
  return text.replaceAll('://', ': ').replaceAll(/(?<=[\p{L}\p{N}_-])\.(?=\p{L}{2,})/gu, '. ');
}
