/** What comes from outside and is shown as it came: nothing of it may be taken for an order to a terminal. */
import { TextDecoder } from 'node:util';
import { fitLines } from '../core/text/wrap.ts';
import type { Output } from './platform.ts';

/** DEL, the C1 controls, direction marks and what else cannot be seen; JSON itself escapes only the C0 controls. */
const UNSEEN =
  /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
/** C0 controls but line feed and tab, and the above. */
// oxlint-disable-next-line no-control-regex -- escaping control characters is the point
const LIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** JSON that is the same value to every program and harmless to every terminal, now or when a file is looked at. */
export function jsonText(value: unknown, indent = 2): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replaceAll(UNSEEN, escaped);
}

/** Columns of a terminal; Infinity where a program or a file reads, which wants one line for one thing. */
export function widthFor({ isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>): number {
  return isTerminal ? columns : Infinity;
}

/** Lines for people: what is wider than the terminal goes on below, broken at spaces. `none` stands for no line. */
export function writeLines(out: Output, lines: readonly string[], none = ''): void {
  out.write(`${fitLines(lines.length === 0 ? [none] : lines, widthFor(out)).join('\n')}\n`);
}

/** A file on its way to a terminal, piece by piece: what a terminal would obey is shown as `\u001b`. */
export function forTerminal(): (piece: Uint8Array | string) => string {
  const decoder = new TextDecoder('utf-8');
  return (piece) =>
    (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })).replaceAll(LIVE, escaped);
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
