/**
 * Renders a message as a block of lines for a terminal; colours are optional and carry no information of their own.
 */
import { styleText } from 'node:util';
import type { MessageContent, Tone } from '../../core/wording/message-content.ts';
import { fitItems, fitWords } from '../../core/wording/truncate.ts';
import { joinFirst, formatRest, capitalize, truncate } from '../../core/text/plain.ts';
import { wrap } from '../../core/text/wrap.ts';
import { PROVIDER } from '../../core/wording/authors.ts';
import type { List, Quote } from '../../core/wording/wording.ts';
import { findMaximum } from '../../core/transition/collections.ts';

export interface TerminalStyle {
  /** Columns of the terminal. */
  width: number;
  colour: boolean;
}

type Paint = Parameters<typeof styleText>[0];

export const PAINTS: Readonly<Record<Tone, Paint>> = {
  info: 'cyan',
  warning: 'yellow',
  critical: 'red',
  resolved: 'green',
  ended: 'gray',
};

/** Below the first, words would be cut; above the second, lines are hard to read. */
const NARROWEST = 40;
const WIDEST = 110;
/** Limits the length to one or two screens: longer output would scroll important lines away. */
const UPDATES = 15;
const WORDS = 4000;
const LIST = 600;

/** Ends with a line end. `width` counts columns; lines are at most `WIDEST` wide, except for a longer word. */
export function renderTerminal(content: MessageContent, { width, colour }: TerminalStyle): string {
  const columns = computeColumns(width);
  const paint = createPainter(colour);
  const tone = PAINTS[content.tone];
  const lines = [
    ...wrap(content.kicker, columns).map((line) => paint(tone, line)),
    ...wrap(content.headline, columns).map((line) => paint('bold', line)),
    ...[...content.remarks, ...content.sentences].flatMap((sentence) => wrap(sentence, columns)),
    ...renderFactLines(content, columns).map(([label, text]) => `${paint('dim', label)}${text}`),
    ...content.lists.filter((list) => !list.inline).flatMap((list) => listLines(list, columns)),
    ...renderQuoteLines(content, columns).map((line) => (line.startsWith('  ') ? line : paint('dim', line))),
    ...content.record.flatMap((line) => wrap(line, columns)),
    ...content.links.map((link) => `${paint('dim', `${link.text}: `)}${link.url}`),
  ];
  return addBar(lines, paint(tone, '▌'));
}

/** Columns that remain beside the bar. */
export function computeColumns(width: number): number {
  return Math.min(WIDEST, Math.max(NARROWEST, width)) - 2;
}

export function createPainter(colour: boolean): (format: Paint, text: string) => string {
  return (format, text) => (colour ? styleText(format, text, { validateStream: false }) : text);
}

export function addBar(lines: readonly string[], bar: string): string {
  return `${lines.map((line) => `${bar} ${line}`.trimEnd()).join('\n')}\n`;
}

function renderFactLines(content: MessageContent, columns: number): [label: string, text: string][] {
  const inline = content.lists
    .filter((list) => list.inline)
    .map((list) => ({ label: list.label, text: joinItems(list) }));
  const all = [...content.facts, ...inline];
  const indent = Math.min(22, findMaximum([0, ...all.map((each) => each.label.length)]) + 2);
  return all.flatMap(({ label, text }) =>
    wrap(text, columns - indent).map((line, index): [string, string] => [
      (index === 0 ? truncate(label, indent - 2) : '').padEnd(indent),
      line,
    ]),
  );
}

function joinItems(list: List): string {
  const { items, more } = fitItems(list, LIST);
  return joinFirst(items, more);
}

function listLines(list: List, columns: number): string[] {
  const { items, more } = fitItems(list, LIST * 3);
  return [
    ...wrap(`${list.label}:`, columns),
    ...items.flatMap((item) => wrap(item, columns - 4).map((line, index) => `${index === 0 ? '  • ' : '    '}${line}`)),
    ...formatRest(more).map((line) => `    ${line}`),
  ];
}

function renderQuoteLines(content: MessageContent, columns: number): string[] {
  const fitted = fitWords(content.words, UPDATES, WORDS, content.links.length > 0);
  return [
    ...fitted.words.flatMap((quote) => [
      ...wrap(formatQuoteHeading(quote), columns),
      ...quote.text.split('\n').flatMap((line) => wrap(line, columns - 2).map((part) => `  ${part}`)),
    ]),
    ...(fitted.rest === null ? [] : wrap(fitted.rest, columns)),
  ];
}

function formatQuoteHeading(quote: Quote): string {
  return `${[`${capitalize(quote.by ?? PROVIDER)} says`, quote.state, quote.at].filter((part) => part !== null).join(' · ')}:`;
}
