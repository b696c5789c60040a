/** Renders a message as a few lines for a live terminal: time, severity, headline, and some text. */
import { formatRest, truncate, toOneLine } from '../../core/text/plain.ts';
import { wrap } from '../../core/text/wrap.ts';
import type { MessageContent } from '../../core/wording/message-content.ts';
import { fitItems } from '../../core/wording/truncate.ts';
import { computeColumns, addBar, PAINTS, createPainter, type TerminalStyle } from './render.ts';

const QUOTE = 210;
const SENTENCES = 300;
/** Maximum number of rows; the worst come first. */
const ROWS = 5;
const LIST = 1_000;

/** `time` is when the message is shown. Ends with a line end. */
export function renderGlance(content: MessageContent, time: string, { width, colour }: TerminalStyle): string {
  const columns = computeColumns(width);
  const paint = createPainter(colour);
  const tone = PAINTS[content.tone];
  const text = [...content.remarks, ...content.sentences].join(' ');
  const lines = [
    ...wrap(`${time} · ${content.kicker}`, columns).map((line) => paint(tone, line)),
    ...wrap(content.headline, columns).map((line) => paint('bold', line)),
    ...(text === '' ? [] : wrap(truncate(text, SENTENCES), columns)),
    ...renderRows(content, columns),
    ...quote(content, columns).map((line) => paint('dim', line)),
  ];
  return addBar(lines, paint(tone, '▌'));
}

/** Sites, customers or sources, one on each line. */
function renderRows({ lists }: MessageContent, columns: number): string[] {
  const { items = [], places = 0 } = lists.find((list) => list.places !== undefined) ?? {};
  const first = fitItems({ items: items.slice(0, Math.min(ROWS, places)) }, LIST).items;
  const shown = [...first, ...formatRest(places - first.length)];
  return shown.flatMap((item) => wrap(item, columns - 4).map((line, index) => `${index === 0 ? '  ' : '    '}${line}`));
}

/** Latest update of the notice. */
function quote({ words }: MessageContent, columns: number): string[] {
  const latest = words.at(-1);
  return latest === undefined ? [] : wrap(`“${truncate(toOneLine(latest.text), QUOTE)}”`, columns);
}
