/**
 * Slack's text objects. `plain_text` shows what it is given; `mrkdwn` knows bold and dates, and reads marks in
 * everything else as well. So a value is in `mrkdwn` only if it holds nothing that Slack could read as a mark.
 */
import type { MrkdwnElement, PlainTextElement } from '@slack/types';
import type { TimeText } from '../../core/wording/wording.ts';
import type { Measure } from '../../core/wording/fit.ts';
import { truncate } from '../../core/text/plain.ts';

export type SlackText = PlainTextElement | MrkdwnElement;

/**
 * Bold, italic, struck, code, a name called with `@`, `:emoji:` and `:-)`. A line break would let the next line
 * begin with `>`, which is a quotation even where it is written as an entity.
 */
const MARKS = /[*_~`@\n]|:[^\s:/]+:|(?<!\w):(?=\S)/;

/** True for a text that looks the same in `mrkdwn` and in `plain_text`. */
export function isUnmarked(text: string): boolean {
  return !MARKS.test(text);
}

/** Never empty, which Slack would refuse; `limit` counts characters after escaping. */
export function plainText(content: string, limit: number): PlainTextElement {
  return { type: 'plain_text', text: escape(ESCAPED.cut(content, limit)) || ' ', emoji: false };
}

/** Markup that is made here: nothing in it is looked for names and addresses. */
export function marked(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** In bold, where nothing in it could end the bold early. */
export function boldText(content: string, limit: number): SlackText {
  return isUnmarked(content) && content !== '' ? marked(bold(content, limit)) : plainText(content, limit);
}

/** Only for what holds no mark: `mrkdwn` would read it. */
export function bold(content: string, limit: number): string {
  return `*${escape(ESCAPED.cut(content, limit - 2))}*`;
}

/** The moment in the zone and the manner of whoever reads it; the text is for what cannot show that. */
export function dateText({ at, text }: TimeText): string {
  return `<!date^${Math.floor(at / 1000)}^{date_short_pretty} {time}|${escape(text).replaceAll(/[|^]/g, ' ')}>`;
}

/**
 * Slack reads `&`, `<` and `>` as its own; these three are written as entities, everywhere. What else it reads
 * (`*bold*`, `:emoji:`, bare addresses, `@names`) it reads in `mrkdwn` only.
 * Source: Slack's "Formatting message text" and its reference of the text object.
 */
export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function cost(char: string): number {
  return char === '&' ? 5 : char === '<' || char === '>' ? 4 : char.length;
}

function size(text: string): number {
  let sum = 0;
  for (const char of text) sum += cost(char);
  return sum;
}

/** Cut so that the text is at most `limit` long once escaped, never inside an entity. */
function cutEscaped(text: string, limit: number): string {
  if (size(text) <= limit) return text;
  let room = limit - 1;
  let length = 0;
  for (const char of text) {
    room -= cost(char);
    if (room < 0) break;
    length += char.length;
  }
  return truncate(text, length + 1);
}

export const ESCAPED: Measure = { size, cut: cutEscaped };
