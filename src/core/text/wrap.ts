/** Wraps text by display width. Words are never broken. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /\p{Mark}|\u200d/u;
/** A word with the gap before it; numbers stay with their unit. */
const WORD = /(\s*)((?:\S*\d (?=(?:s|min|h|days|%)(?![\p{L}\d])))?\S+)/gu;
/** Indentation of continuation lines. */
const HANGING = 4;

/** Display columns on a terminal. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Breaks at spaces; an overlong word gets a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [, , word = ''] of text.matchAll(WORD)) {
    if (line !== '' && measureWidth(line) + 1 + measureWidth(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Keeps the line's own indentation and gaps; continuation lines are indented further. */
export function wrapHanging(line: string, width: number): string[] {
  if (measureWidth(line) <= width) return [line];
  const [lead = ''] = /^ */.exec(line) ?? [];
  const indent = ' '.repeat(lead.length + HANGING);
  const lines: string[] = [];
  let [now, isBegun] = [lead, false];
  for (const [, gap = '', word = ''] of line.slice(lead.length).matchAll(WORD)) {
    if (isBegun && measureWidth(now) + gap.length + measureWidth(word) > width) {
      lines.push(now);
      now = `${indent}${word}`;
    } else {
      now = isBegun ? `${now}${gap}${word}` : `${now}${word}`;
    }
    isBegun = true;
  }
  return [...lines, now];
}

export function fitLines(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => wrapHanging(line, width));
}
