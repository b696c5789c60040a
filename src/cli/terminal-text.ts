/** Makes external text safe for terminals: none of it may act as a control sequence. */
import { TextDecoder } from 'node:util';
import { fitLines } from '../core/text/wrap.ts';
import type { Output } from './platform.ts';

/** DEL, the C1 controls, direction marks and other invisible characters; JSON itself escapes only the C0 controls. */
const UNSEEN =
  /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
/** C0 controls except line feed and tab, and those above. */
// oxlint-disable-next-line no-control-regex -- escaping control characters is the point
const LIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** JSON with the same value for every program, and safe on every terminal, now or when a file is displayed. */
export function toTerminalJson(value: unknown, indent = 2): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replaceAll(UNSEEN, escaped);
}

/** Columns of a terminal; Infinity for a program or a file, which expects one line per item. */
export function measureTerminal({ isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>): number {
  return isTerminal ? columns : Infinity;
}

/** Lines for people, wrapped at spaces to the terminal's width. `none` replaces an empty list. */
export function writeLines(out: Output, lines: readonly string[], none = ''): void {
  out.write(`${fitLines(lines.length === 0 ? [none] : lines, measureTerminal(out)).join('\n')}\n`);
}

/** A file on its way to a terminal, piece by piece: control characters are shown as `\u001b`. */
export function createTerminalEscaper(): (piece: Uint8Array | string) => string {
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
