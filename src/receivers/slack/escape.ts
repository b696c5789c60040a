/**
 * Slack reads `&`, `<` and `>` as its own; these three are written as entities, everywhere. What else it reads
 * (`*bold*`, `:emoji:`, bare addresses, `@names`) it reads in `mrkdwn` only: what may stand there says `text.ts`.
 * Source: Slack's "Formatting message text" and its reference of the text object.
 */
import type { Measure } from '../../core/wording/fit.ts';
import { cut } from '../../core/text/plain.ts';

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
  return cut(text, length + 1);
}

export const ESCAPED: Measure = { size, cut: cutEscaped };
