/** Splits a message into pieces that are shortened one by one, the longest first, until all fit. */
import { formatRest, truncate } from '../../core/text/plain.ts';
import type { MessageContent } from '../../core/wording/message-content.ts';
import { computeFairShare, fitItems, type Measure } from '../../core/wording/truncate.ts';
import { formatAuthorSays } from '../../core/wording/wording.ts';

export interface Piece {
  kind: 'line' | 'fact' | 'list' | 'quote' | 'note';
  label: string | null;
  /** One item, except for a list. */
  items: readonly string[];
  /** Number of things that a list leaves out; absent for none. */
  unlisted?: number | undefined;
  inline: boolean;
}

const UPDATES = 15;
/** A shorter remainder of a piece is useless. */
const SHORTEST = 24;
/** Allowance for line ends, bullets and the separator between label and text. */
const AROUND = 6;

function createPiece(kind: Piece['kind'], text: string, label: string | null = null): Piece {
  return { kind, label, items: [text], inline: true };
}

/** Most important pieces first; the last ones are dropped first. */
export function splitContent(content: MessageContent): Piece[] {
  const { sentences, facts, lists, words, remarks, record } = content;
  return [
    ...remarks.map((text) => createPiece('line', text)),
    ...sentences.map((text) => createPiece('line', text)),
    ...facts.map(({ label, text }) => createPiece('fact', text, label)),
    ...lists.map(({ label, items, unlisted, inline }): Piece => ({ kind: 'list', label, items, unlisted, inline })),
    ...words.slice(-UPDATES).map((quote) => {
      const heading = [formatAuthorSays([quote]), quote.state, quote.at].filter((part) => part !== null);
      return createPiece('quote', quote.text, heading.join(' · '));
    }),
    ...record.map((text) => createPiece('note', text)),
  ];
}

/** Shortens pieces so that together they cost at most `room`. */
export function fitPieces(pieces: readonly Piece[], room: number, measure: Measure): { kept: Piece[]; isCut: boolean } {
  const kept = pieces.slice(0, Math.max(0, Math.floor(room / (SHORTEST + AROUND))));
  const share = computeFairShare(
    kept.map((one) => measurePiece(one, measure)),
    room,
  );
  const isWhole = (one: Piece): boolean => measurePiece(one, measure) <= share;
  const fitted = kept.map((one) => (isWhole(one) ? { ...one, items: listTexts(one) } : shorten(one, share, measure)));
  return { kept: fitted, isCut: kept.length < pieces.length || !kept.every(isWhole) };
}

function listTexts({ items, unlisted = 0 }: Piece): string[] {
  return [...items, ...formatRest(unlisted)];
}

function measurePiece(one: Piece, { size }: Measure): number {
  const texts = one.label === null ? listTexts(one) : [one.label, ...listTexts(one)];
  return texts.reduce((sum, text) => sum + size(text) + AROUND, 0);
}

function shorten(one: Piece, share: number, measure: Measure): Piece {
  const label = one.label === null ? null : measure.cut(one.label, Math.floor(share / 2));
  const room = share - 2 * AROUND - (label === null ? 0 : measure.size(label));
  if (one.kind !== 'list') return { ...one, label, items: [measure.cut(one.items[0] ?? '', room)] };
  // Reserves space for "and 1200 more".
  const { items, more } = fitItems(one, room - SHORTEST, {
    ...measure,
    size: (text) => measure.size(text) + AROUND,
  });
  return { ...one, label, items: [...items, ...formatRest(more)] };
}

/** Truncates at a word so that the escaped text stays within the limit. */
export function measureBy(size: (text: string) => number): Measure {
  return {
    size,
    cut(text, limit) {
      if (size(text) <= limit) return text;
      let [low, high] = [0, Math.min(text.length, Math.max(0, limit))];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (size(truncate(text, middle)) <= limit) low = middle;
        else high = middle - 1;
      }
      return truncate(text, low);
    },
  };
}
