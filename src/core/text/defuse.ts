/**
 * Neutralises external text for media that turn plain text into links, mentions and emoji. A zero-width space,
 * invisible to readers, breaks up every name, address or command.
 */

const APART = '\u200b';

/** Each pattern matches the character after which the zero-width space is inserted. */
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

/** Looks the same, but contains no live markup. */
export function defuse(text: string): string {
  return text.replace(ANY, (found) => `${found}${APART}`);
}
