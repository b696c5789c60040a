/**
 * Keeps numbers beside names that are written from right to left in their place: without isolation a browser shows
 * `NAME 2 of 8` as `2 NAME of 8`.
 */

const RIGHT_TO_LEFT = '[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc]';
const IS_NEEDED = new RegExp(RIGHT_TO_LEFT, 'u');
/** A name ends before a sign that parts it from the sentence, and before a number that follows it. */
const TAG_OR_NAME = new RegExp(`<[^>]*>|${RIGHT_TO_LEFT}+(?:(?:[\\s0-9.'’"/_-]|&#?\\w+;)*${RIGHT_TO_LEFT}+)*`, 'gu');

/** Isolates each name in the text of the page; attributes stay as they are. */
export function markRightToLeft(page: string): string {
  if (!IS_NEEDED.test(page)) return page;
  return page.replace(TAG_OR_NAME, (found) => (found.startsWith('<') ? found : `\u2068${found}\u2069`));
}
