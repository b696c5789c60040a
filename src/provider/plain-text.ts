/** Text from the provider made harmless to carry: no control characters, bounded length, whole characters. */

// Control characters of both blocks, except tab and newline.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Keeps newlines and tabs. */
export function plainText(value: string, limit: number): string {
  // Cut before cleaning, so that ten megabytes cost no more than what is kept; half a character is dropped.
  return value
    .slice(0, limit * 2)
    .replace(CONTROL, '')
    .slice(0, limit)
    .toWellFormed();
}

/** One line: runs of line breaks and tabs become a space. */
export function plainLine(value: string, limit: number): string {
  return plainText(value.slice(0, limit * 2).replace(/[\r\n\t\u2028\u2029]+/g, ' '), limit).trim();
}
