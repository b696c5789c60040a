/**
 * Finds states in free text. A state word counts only as a label, because “not yet resolved” must not close an alert. A
 * label is at the start of the entry or a paragraph, followed by a dash, a colon or the end of its line. The end of an
 * inline element does not end a line: “<b>Resolved</b> was posted too early” is a sentence. In a title, a label may
 * also be in brackets at either end, or after the last dash.
 */
import { findTags, type Tag } from '../../core/text/tags.ts';

/** Words for states, and whether they mean planned work. */
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
  // Used by Microsoft 365.
  'service degradation': { state: 'investigating' },
  'service restored': { state: 'resolved' },
};
const WORDS = Object.keys(STATES);

/** Markers of equal length replace tags, so that positions in the marked text equal those in the source. */
const [TAG, BLOCK, BREAK, NOTE, NOTE_END] = ['\ue000', '\ue001', '\ue002', '\ue003', '\ue004'];
const BLOCKS: ReadonlySet<string> = new Set(
  'article blockquote dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section table tbody td th thead tr ul'.split(' '),
);

export interface Label {
  /** Lower case. */
  word: string;
  /** No text precedes it. */
  isFirst: boolean;
  /** Position after the word, and after the dash or colon. */
  to: number;
}

/** The first label of a text with or without HTML; null without one. */
export function findLabel(html: string): Label | null {
  const marked = markTags(html);
  const hasTags = marked.includes(TAG);
  let [isFirst, begins, lastBreak, noteBegins] = [true, true, '', false];
  for (let at = 0; at < marked.length; at += 1) {
    const character = marked.charAt(at);
    if (character === BLOCK) begins = true;
    else if (character === NOTE) noteBegins = begins;
    // `<small>` around the time of an update leaves the text behind it at the start of the paragraph.
    else if (character === NOTE_END) begins = noteBegins;
    else if (character === BREAK || character === '\n') {
      // An empty line starts a paragraph.
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
  if (name === 'small') return isEnd ? NOTE_END : NOTE;
  return TAG;
}

/** Removes markers from the source; replaces entities of dashes and blanks at equal length. */
function clean(text: string): string {
  return text
    .replaceAll(/[\ue000-\ue004]/g, ' ')
    .replaceAll(/&(nbsp|ndash|mdash|#160|#8211|#8212);/gi, (entity, name: string) =>
      (name === '#160' || name.toLowerCase() === 'nbsp' ? ' ' : '–').padStart(entity.length),
    );
}

function isGap(character: string): boolean {
  return [TAG, NOTE, NOTE_END].includes(character) || character.trim() === '';
}

/** Position of the next text, and whether a block, a line or the text ends before it. */
function skipGap(marked: string, from: number, hasTags: boolean): { to: number; ends: boolean } {
  let [to, lines] = [from, 0];
  let ends = false;
  while (to < marked.length && (isGap(marked.charAt(to)) || marked[to] === BREAK)) {
    if (marked[to] === '\n') lines += 1;
    if (marked[to] === BREAK) ends = true;
    to += 1;
  }
  const isEnd = to === marked.length || marked[to] === BLOCK;
  return { to, ends: ends || isEnd || lines > (hasTags ? 1 : 0) };
}

/** `Resolved - …`, `<b>Resolved</b>`, `Status: Resolved`; `at`: position of the first character. */
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

/** A hyphen without surrounding blanks joins two words. `end`: end of the preceding word. */
function isSeparator(text: string, at: number, end: number): boolean {
  const sign = text.charAt(at);
  if (sign === '-') return at > end || isGap(text.charAt(at + 1));
  return sign !== '' && ':–—'.includes(sign);
}

/** State label and subject of a title. */
export function readTitle(title: string): { subject: string; word: string | null } {
  const line = title.trim();
  const before = labelBefore(line);
  const rest = line.slice(before?.to ?? 0).trim();
  const after = labelBehind(rest);
  const subject = rest.slice(0, after?.from).trim();
  // The first label wins: a word after the subject must not close an incident that continues by its first label.
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
