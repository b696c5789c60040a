/**
 * Slack's text objects. `plain_text` is shown literally; `mrkdwn` supports bold and dates, and parses everything else
 * as well. A value goes into `mrkdwn` only if it contains nothing that Slack could parse as markup.
 */
import type { MrkdwnElement, PlainTextElement } from '@slack/types';
import type { TimeText } from '../../core/wording/wording.ts';
import type { Measure } from '../../core/wording/truncate.ts';
import { truncate } from '../../core/text/plain.ts';

export type SlackText = PlainTextElement | MrkdwnElement;

/**
 * Bold, italic, strikethrough, code, `@` mentions, `:emoji:` and `:-)`. A line break would let the next line begin with
 * `>`, which is a quotation even as an entity.
 */
const MARKS = /[*_~`@\n]|:[^\s:/]+:|(?<!\w):(?=\S)/;

/** True for a text that looks the same in `mrkdwn` and in `plain_text`. */
export function isUnmarked(text: string): boolean {
  return !MARKS.test(text);
}

/** Never empty, which Slack would refuse. `limit` counts characters after escaping. */
export function createPlainText(content: string, limit: number): PlainTextElement {
  return { type: 'plain_text', text: escapeMarkup(ESCAPED.cut(content, limit)) || ' ', emoji: false };
}

/** Trusted markup; Slack does not search it for names and addresses. */
export function createMarkdown(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** Bold, if nothing in the content could end the bold early. */
export function createBoldText(content: string, limit: number): SlackText {
  return isUnmarked(content) && content !== ''
    ? createMarkdown(formatBold(content, limit))
    : createPlainText(content, limit);
}

/** For unmarked content only, because `mrkdwn` would parse it. */
export function formatBold(content: string, limit: number): string {
  return `*${escapeMarkup(ESCAPED.cut(content, limit - 2))}*`;
}

/** Time in the reader's zone and format; the text is the fallback for clients without dates. */
export function formatDate({ at, text }: TimeText): string {
  return `<!date^${Math.floor(at / 1000)}^{date_short_pretty} {time}|${escapeMarkup(text).replaceAll(/[|^]/g, ' ')}>`;
}

/**
 * Escapes `&`, `<` and `>` as entities, as Slack requires everywhere. All other markup (`*bold*`, `:emoji:`, bare
 * addresses, `@names`) is parsed in `mrkdwn` only.
 * Source: Slack's "Formatting message text" and its reference of the text object.
 */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function measureCharacter(char: string): number {
  return char === '&' ? 5 : char === '<' || char === '>' ? 4 : char.length;
}

function measureEscaped(text: string): number {
  let sum = 0;
  for (const char of text) sum += measureCharacter(char);
  return sum;
}

/** Truncates to at most `limit` characters after escaping, never inside an entity. */
function cutEscaped(text: string, limit: number): string {
  if (measureEscaped(text) <= limit) return text;
  let room = limit - 1;
  let length = 0;
  for (const char of text) {
    room -= measureCharacter(char);
    if (room < 0) break;
    length += char.length;
  }
  return truncate(text, length + 1);
}

export const ESCAPED: Measure = { size: measureEscaped, cut: cutEscaped };
