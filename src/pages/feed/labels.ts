/**
 * States in free text. Only a label counts, or “not yet resolved” would end an alert: a state's word that begins the
 * entry or a paragraph, followed by a dash, a colon or the end of its element; in a title also the one in brackets, at
 * either end, and the one behind the last dash.
 */
import { findTags, type Tag } from '../../core/text/tags.ts';

/** Words in place of a state, and whether they speak of planned work. */
export const STATES: Readonly<Record<string, { state: string; planned?: true }>> = {
  investigating: { state: 'investigating' },
  identified: { state: 'identified' },
  monitoring: { state: 'recovering' },
  mitigated: { state: 'recovering' },
  resolved: { state: 'resolved' },
  postmortem: { state: 'resolved' },
  scheduled: { state: 'scheduled', planned: true },
  'in progress': { state: 'underway', planned: true },
  verifying: { state: 'underway', planned: true },
  completed: { state: 'complete', planned: true },
  // Of Microsoft 365.
  'service degradation': { state: 'investigating' },
  'service restored': { state: 'resolved' },
};
const WORDS = Object.keys(STATES);

/** Marks of the same length stand for tags, so that places in the marked text are places in the written one. */
const [TAG, CLOSING, BLOCK, BREAK] = ['\ue000', '\ue001', '\ue002', '\ue003'];
const BLOCKS: ReadonlySet<string> = new Set(
  'article blockquote dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section small table tbody td th thead tr ul'.split(
    ' ',
  ),
);

export interface Label {
  /** In lower case. */
  word: string;
  /** Nothing to read stands before it. */
  isFirst: boolean;
  /** The place behind it, and behind the dash or colon. */
  to: number;
}

/** The first label of a text in HTML or without tags; null for none. */
export function findLabel(html: string): Label | null {
  const marked = markTags(html);
  const hasTags = marked.includes(TAG);
  let [isFirst, begins, lastBreak] = [true, true, ''];
  for (let at = 0; at < marked.length; at += 1) {
    const character = marked.charAt(at);
    if (character === BLOCK) begins = true;
    else if (character === BREAK || character === '\n') {
      // Two line ends with nothing between them begin a paragraph.
      begins ||= lastBreak === character;
      lastBreak = character;
    } else if (!isGap(character)) {
      const label = begins ? labelAt(marked, at, hasTags) : null;
      if (label !== null) return { ...label, isFirst };
      [isFirst, begins, lastBreak] = [false, false, ''];
    }
  }
  return null;
}

function markTags(html: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const tag of findTags(html)) {
    parts.push(clean(html.slice(at, tag.from)), `${markOf(tag)}`.padEnd(tag.text.length, TAG));
    at = tag.to;
  }
  parts.push(clean(html.slice(at)));
  return parts.join('');
}

function markOf({ name, isEnd }: Tag): string | undefined {
  if (BLOCKS.has(name)) return BLOCK;
  if (name === 'br') return BREAK;
  return isEnd ? CLOSING : TAG;
}

/** Without marks of its own; a dash or blank that is written as an entity is one, at the same length. */
function clean(text: string): string {
  return text
    .replaceAll(/[\ue000-\ue003]/g, ' ')
    .replaceAll(/&(nbsp|ndash|mdash|#160|#8211|#8212);/gi, (entity, name: string) =>
      (name === '#160' || name.toLowerCase() === 'nbsp' ? ' ' : '–').padStart(entity.length),
    );
}

function isGap(character: string): boolean {
  return character === TAG || character === CLOSING || character.trim() === '';
}

/** The place of what is to be read next, and whether an element, a line break or the text ends before it. */
function skipGap(marked: string, from: number, hasTags: boolean): { to: number; ends: boolean } {
  let [to, lines] = [from, 0];
  let ends = false;
  while (to < marked.length && (isGap(marked.charAt(to)) || marked[to] === BREAK)) {
    if (marked[to] === '\n') lines += 1;
    if (marked[to] === CLOSING || marked[to] === BREAK) ends = true;
    to += 1;
  }
  const isEnd = to === marked.length || marked[to] === BLOCK;
  return { to, ends: ends || isEnd || lines > (hasTags ? 1 : 0) };
}

/** `Resolved - …`, `<b>Resolved</b>`, `Status: Resolved`; `at`: of the first character. */
function labelAt(marked: string, at: number, hasTags: boolean): Omit<Label, 'isFirst'> | null {
  let start = at;
  if (marked.slice(at, at + 'status'.length).toLowerCase() === 'status') {
    const colon = skipGap(marked, at + 'status'.length, hasTags).to;
    if (marked[colon] !== ':') return null;
    start = skipGap(marked, colon + 1, hasTags).to;
  }
  const word = WORDS.find((each) => marked.slice(start, start + each.length).toLowerCase() === each);
  if (word === undefined) return null;
  const end = start + word.length;
  const { to, ends } = skipGap(marked, end, hasTags);
  const sign = isSeparator(marked, to, end) ? to + 1 : null;
  if (sign === null && !ends) return null;
  return { word, to: skipGap(marked, sign ?? to, hasTags).to };
}

/** A hyphen without a blank beside it joins two words. `end`: of the word before it. */
function isSeparator(text: string, at: number, end: number): boolean {
  const sign = text.charAt(at);
  if (sign === '-') return at > end || isGap(text.charAt(at + 1));
  return sign !== '' && ':–—'.includes(sign);
}

/** The state a title has as its label, and the subject without it. */
export function readTitle(title: string): { subject: string; word: string | null } {
  const line = title.trim();
  const before = labelBefore(line);
  const rest = line.slice(before?.to ?? 0).trim();
  const after = labelBehind(rest);
  const subject = rest.slice(0, after?.from).trim();
  // Where the two differ the first one counts, so that a word behind the subject alone ends nothing that is said to go on.
  return { subject, word: before?.word ?? after?.word ?? null };
}

function labelBefore(line: string): { word: string; to: number } | null {
  const closing = line.startsWith('[') ? line.indexOf(']') : -1;
  if (closing !== -1) {
    const word = line.slice(1, closing).trim().toLowerCase();
    const behind = closing + 1 + line.slice(closing + 1).search(/\S|$/);
    return STATES[word] === undefined
      ? null
      : { word, to: isSeparator(line, behind, closing + 1) ? behind + 1 : behind };
  }
  const word = WORDS.find((each) => line.slice(0, each.length).toLowerCase() === each);
  if (word === undefined) return null;
  const sign = word.length + line.slice(word.length).search(/\S|$/);
  return isSeparator(line, sign, word.length) ? { word, to: sign + 1 } : null;
}

function labelBehind(line: string): { word: string; from: number } | null {
  const opening = line.endsWith(']') ? line.lastIndexOf('[') : -1;
  if (opening > 0) {
    const word = line
      .slice(opening + 1, -1)
      .trim()
      .toLowerCase();
    return STATES[word] === undefined ? null : { word, from: opening };
  }
  const word = WORDS.find((each) => line.slice(-each.length).toLowerCase() === each);
  if (word === undefined) return null;
  const head = line.slice(0, -word.length);
  const dash = head.trimEnd();
  const [sign, subject] = [dash.at(-1) ?? '', dash.slice(0, -1)];
  const isApart = dash.length < head.length || subject.trimEnd().length < subject.length;
  return isApart && subject.trim() !== '' && '-–—'.includes(sign) ? { word, from: subject.length } : null;
}
