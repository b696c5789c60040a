/**
 * Text from outside for media that make links, mentions and emoji of plain text by themselves. A zero-width space parts
 * what a reader still sees as one: no medium takes it for a name, an address or a command any more.
 */

const APART = '\u200b';

/** Each alternative begins where the zero-width space goes behind its first character. */
const LIVE = [
  // @name, and the mail address a@b
  '@(?=\\S)',
  // scheme://
  ':(?=//)',
  // evil.test, www.evil.test
  '(?<=[\\p{L}\\p{N}_-])\\.(?=\\p{L}{2,})',
  // :smile:
  ':(?=[+_-]*\\p{L}[\\w+-]*:)',
  // <!channel>, <@U1>, <http://evil.test|ok>
  '<(?=\\S)',
  // #topic
  '#(?=[\\p{L}_*])',
  // $CASH
  '\\$(?=\\p{Lu})',
  // /command
  '(?<=^|\\s)/(?=\\w)',
  // 1. of a list
  '(?<=^\\s*\\d+)[.)](?=\\s)',
  // ~~struck~~, ||spoiler||, $$formula$$
  '([~|$])(?=\\1)',
];

const ANY = new RegExp(LIVE.join('|'), 'gmu');

/** Reads the same; nothing in it is live. */
export function defuse(text: string): string {
  return text.replace(ANY, (found) => `${found}${APART}`);
}
