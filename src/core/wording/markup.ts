/**
 * Some providers write their updates in HTML. The tags of running text are taken out so that a person can
 * read it; anything else that looks like a tag stays as it was written and is escaped by the channel.
 */
import { plain } from '../text/plain.ts';

const LINK = /<a\b[^<>]*?\bhref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')[^<>]*>([^<]*)<\/a\s*>/gi;
const BREAK = /<(?:br\s*\/?|\/(?:p|div|h[1-6]|ul|ol|tr|table|blockquote))\s*>/gi;
const ITEM = /<li\b[^<>]*>/gi;
const TAG =
  /<\/?(?:p|br|div|span|a|b|strong|i|em|u|small|ul|ol|li|h[1-6]|table|tbody|thead|tr|td|th|blockquote|font)(?:\s[^<>]*)?\/?>/gi;
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

/** The provider's text as a person reads it: plain, over several lines. */
export function readable(content: string): string {
  const text = plain(content);
  if (!/[<&]/.test(text)) return text;
  const untagged = text
    .replaceAll(LINK, (_whole, double: string | undefined, single: string | undefined, label: string) => {
      const target = double ?? single ?? '';
      return label.trim() === '' || label.trim() === target ? target : `${label} (${target})`;
    })
    .replaceAll(ITEM, '\n• ')
    .replaceAll(BREAK, '\n')
    .replaceAll(TAG, '');
  return plain(untagged.replaceAll(ENTITY, decode));
}
