/** `linewatch config init`: a commented configuration to start from. */
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SYSTEM_FILE } from '../config/load.ts';
import { startingConfig } from '../config/starting.ts';
import { codeOf, whyRefused } from '../net/failure.ts';
import { defineCommand, EXIT } from './command.ts';
import { CommandFailure } from './errors.ts';
import { flag } from './option.ts';

/** Its owner alone may read it: sooner or later somebody writes a password into it. */
const MODE = 0o600;

export const configInit = defineCommand({
  description:
    'Writes a commented configuration to start from: to the file --config names, else to ./linewatch.yaml. ' +
    'A file that is already there stays as it is.',
  options: { print: flag('print it and write no file') },
  examples: [
    ['linewatch config init', 'writes ./linewatch.yaml'],
    ['linewatch config init --print | less', 'only shows it'],
  ],
  async run({ platform, options, config }) {
    const path = resolve(platform.cwd, config ?? 'linewatch.yaml');
    // The unit's own file: what the unit sets for the service, commands beside it must find, too.
    const text = startingConfig(null, dirname(path) === dirname(SYSTEM_FILE));
    if (options.print) {
      platform.out.write(text);
      return EXIT.done;
    }
    const file = config ?? 'linewatch.yaml';
    try {
      // `wx` fails on a file that exists, also on one that came to be a moment ago.
      await writeFile(path, text, { flag: 'wx', mode: MODE });
    } catch (error) {
      throw new CommandFailure(whyNot(file, error), { cause: error });
    }
    platform.out.write(`Wrote ${file}. Fill in your own addresses, then: linewatch config check --config ${file}\n`);
    return EXIT.done;
  },
});

function whyNot(file: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'EEXIST') return `${file} is already there and stays as it is; --config names another file`;
  if (code === 'ENOENT') return `${file} cannot be written: its folder does not exist`;
  return `${file} cannot be written: ${whyRefused(error)}`;
}
