/**
 * `linewatch config password`: prints the hash of a password for a user of the page. The password itself is stored
 * nowhere.
 */
import type { Readable } from 'node:stream';
import { hashPassword } from '../../web/access/password.ts';
import { CommandFailure, defineCommand, EXIT, UsageError } from '../command.ts';
import type { StandardInput } from '../platform.ts';

const SHORTEST = 10;
const LONGEST = 1_000;

export const configPassword = defineCommand({
  description:
    'Reads a password, one line from stdin, and prints the hash that http.users wants as password_hash. What is typed ' +
    'at a terminal is not shown.',
  options: {},
  examples: [
    ['linewatch config password', 'type it, and put what is printed behind password_hash'],
    ['pass show linewatch | linewatch config password', 'from a keeper of passwords'],
  ],
  async run({ platform: { input, out, err } }) {
    if (input.isTerminal) err.write('Password: ');
    const password = await readQuietly(input);
    if (input.isTerminal) err.write('\n');
    if ([...password].length < SHORTEST) throw new UsageError(`a password has at least ${SHORTEST} characters`);
    if (password.length > LONGEST) throw new UsageError(`a password has at most ${LONGEST} characters`);
    out.write(`${await hashPassword(password)}\n`);
    return EXIT.done;
  },
});

/** One line, hidden on a terminal; backspace deletes a character, and Ctrl-C cancels. */
async function readQuietly({ stream, isTerminal }: StandardInput): Promise<string> {
  const terminal = stream as Readable & { setRawMode?(raw: boolean): void };
  if (isTerminal) terminal.setRawMode?.(true);
  try {
    let line = '';
    for await (const piece of stream.setEncoding('utf8')) {
      for (const character of String(piece)) {
        if (character === '\n' || character === '\r') return line;
        if (isTerminal && character === '\u0003') throw new CommandFailure('No password was given.');
        if (isTerminal && (character === '\u007f' || character === '\b')) line = line.slice(0, -1);
        else line += character;
      }
      if (line.length > LONGEST) return line;
    }
    return line;
  } finally {
    if (isTerminal) terminal.setRawMode?.(false);
  }
}
