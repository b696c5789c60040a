/**
 * Removes Markdown from a provider's text, in linear time. Stars that people dial (`*98`, `**21`, `*21*0399#`) and
 * underscores inside words are text.
 */

/** `[label](https://address "title")`, also as an image. */
const LINK = /!?\[([^[\]\n]*)\]\(([^()<>\n]+)\)/g;
const FENCE = /^[ \t]*```[^\n`]*(?:\n|$)/gm;
const HEADING = /^#{1,6}[ \t]+(\p{L})/gmu;
const BULLET = /^([ \t]*)[*+][ \t]+(\S)/gm;
const ESCAPED = /\\([*_`[\]#])/g;
/** Marks, and the line breaks that end their reach. */
const MARKS = /\*+|_+|`+|\n/g;
/** Open marks that are remembered; nested emphasis is rarely deeper. */
const MOST_OPEN = 4;

export function removeMarkdown(text: string): string {
  if (!/[*_`#[+\\]/.test(text)) return text;
  const unlinked = text.replaceAll(FENCE, '').replaceAll(LINK, readLink);
  const lines = unlinked.replaceAll(BULLET, '$1• $2').replaceAll(HEADING, '$1');
  return removeMarks(lines).replaceAll(ESCAPED, '$1');
}

function readLink(whole: string, label: string, target: string): string {
  const [address = ''] = target.trim().split(' ');
  if (!/^(?:https?:\/\/|mailto:)/.test(address)) return whole;
  const name = label.trim();
  if (whole.startsWith('!')) return name;
  return formatLink(name, address.replace(/^mailto:/, ''));
}

/** `label (target)`, or the target alone where the label says no more. */
export function formatLink(label: string, target: string): string {
  return label.trim() === '' || label.trim() === target ? target : `${label} (${target})`;
}

/** Characters `from` to `to` of a text, all alike. */
interface Mark {
  from: number;
  to: number;
}

/** Removes pairs of stars, underscores and back quotes around words of one line. */
function removeMarks(text: string): string {
  const removed: Mark[] = [];
  let open: Mark[] = [];
  for (const { 0: run, index: from } of text.matchAll(MARKS)) {
    const mark = { from, to: from + run.length };
    const begun = open.findLastIndex((each) => isPair(text, each, mark));
    const opening = open[begun];
    if (run === '\n') open = [];
    else if (opening !== undefined) {
      removed.push(opening, mark);
      open = open.slice(0, begun);
    } else if (canOpen(text, mark)) open = [...open, mark].slice(-MOST_OPEN);
  }
  let [kept, at] = ['', 0];
  for (const { from, to } of removed.toSorted((a, b) => a.from - b.from)) {
    kept += text.slice(at, from);
    at = to;
  }
  return kept + text.slice(at);
}

/** A mark that may stand inside a word: bold and code. */
function isStrong(text: string, { from, to }: Mark): boolean {
  return text[from] === '`' || (text[from] === '*' && to - from > 1);
}

function canOpen(text: string, mark: Mark): boolean {
  const [before, after] = [text.charAt(mark.from - 1), text.charAt(mark.to)];
  if (before === '\\' || after.trim() === '' || mark.to - mark.from > 3) return false;
  return isStrong(text, mark) || (/^[\s("'“‘*_]?$/.test(before) && !/[\d#]/.test(after));
}

function isPair(text: string, open: Mark, close: Mark): boolean {
  if (text.slice(open.from, open.to) !== text.slice(close.from, close.to)) return false;
  const [before, after] = [text.charAt(close.from - 1), text.charAt(close.to)];
  if (before === '\\' || before.trim() === '' || /[\d#]/.test(after)) return false;
  if (!isStrong(text, close) && !/^[\s.,;:!?)"'”’*_]?$/.test(after)) return false;
  const words = text.slice(open.to, close.from);
  const isDialled = /^\d/.test(words) && /[*#]/.test(words);
  return text[open.from] === '`' || (!isDialled && /\p{L}/u.test(words));
}
