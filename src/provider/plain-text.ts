/** Text from the provider made harmless to carry: no control characters, bounded length, whole characters. */
import { cut } from '../core/text/plain.ts';

// Control characters of both blocks, except tab and newline, and the marks that turn the direction of what follows.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Keeps newlines and tabs; what is too long ends at a word, with an ellipsis. */
export function plainText(value: string, limit: number): string {
  // Cut before cleaning, so that ten megabytes cost no more than what is kept.
  const text = value
    .slice(0, limit * 2)
    .replace(CONTROL, '')
    .toWellFormed();
  const kept = cut(text, limit);
  // A part of a text keeps the whole of it in memory; what is remembered must be a text of its own.
  return value.length > limit ? Buffer.from(kept).toString() : kept;
}

/** One line: runs of line breaks and tabs become a space. */
export function plainLine(value: string, limit: number): string {
  return plainText(value.slice(0, limit * 2).replace(/[\r\n\t\u2028\u2029]+/g, ' '), limit).trim();
}
