/** Secrets of a new configuration: from files, else from a question at the terminal, else from stdin. */
import { join, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { isFile, readTextFile } from '../../config/text-file.ts';
import { capitalize } from '../../core/text/plain.ts';
import { findMistakes } from '../../config/presets/template.ts';
import type { Credential, TemplateAnswers } from '../../config/presets/template-answers.ts';
import { ask, canAsk } from '../account/dialogue.ts';
import { CommandFailure, UsageError } from '../command.ts';
import type { Platform } from '../platform.ts';

/** Files with one secret each. */
export type SecretFiles = Readonly<Record<Credential['name'], string | undefined>>;

export interface GivenSecret extends Credential {
  /** Absolute path of its own file. */
  path: string;
  /** `kept` exists already; `missing` was not provided. */
  state: 'given' | 'kept' | 'missing';
  value: string;
}

/** Reads stdin once, a line for each secret without a file. */
export function createSecretSource(platform: Platform, directory: string, files: SecretFiles) {
  let lines: Promise<string[]> | null = null;
  return {
    async take(wanted: TemplateAnswers, credential: Credential): Promise<GivenSecret> {
      const path = join(directory, credential.name);
      const from = files[credential.name];
      const exists = await isFile(path);
      if (exists && from !== undefined) {
        throw new CommandFailure(`${path} is already there and stays as it is; ${from} is not used`);
      }
      if (from === undefined && !canAsk(platform)) lines ??= linesOf(platform);
      const value = exists ? '' : await secretOf(platform, wanted, credential, from, lines);
      return { ...credential, path, state: exists ? 'kept' : value === '' ? 'missing' : 'given', value };
    },
  };
}

/** Its value, from any origin; null if it was not provided or cannot be read. */
export async function readSecretValue({ state, value, path }: GivenSecret): Promise<string | null> {
  if (state !== 'kept') return value === '' ? null : value;
  const reading = await readTextFile(path);
  return 'why' in reading || reading.text.trim() === '' ? null : reading.text.trim();
}

async function linesOf({ input }: Platform): Promise<string[]> {
  return (await readAll(input.stream)).split(/\r?\n/);
}

/** Empty if it is not provided. */
async function secretOf(
  platform: Platform,
  wanted: TemplateAnswers,
  { name, what, option }: Credential,
  file: string | undefined,
  lines: Promise<string[]> | null,
): Promise<string> {
  const wrong = (value: string): string | undefined =>
    findMistakes(wanted, { [name]: value }).find((mistake) => mistake.option === option)?.message;
  const right = (value: string, from: string): string => {
    const message = value === '' ? undefined : wrong(value);
    if (message !== undefined) throw new UsageError(`${from}: ${message}`);
    return value;
  };
  if (file !== undefined) {
    const reading = await readTextFile(resolve(platform.cwd, file));
    if ('why' in reading) throw new UsageError(`${file}: ${reading.why}`);
    if (reading.text.trim() === '') throw new UsageError(`${file}: it is empty; it should hold ${what}`);
    return right(reading.text.trim(), file);
  }
  if (lines !== null) return right(((await lines).shift() ?? '').trim(), `${what}, as read from standard input`);
  for (;;) {
    const typed = await ask(platform, `${capitalize(what)} (not shown; Enter to add it later): `, { isHidden: true });
    if (typed === null) throw new CommandFailure('nothing was written');
    const value = typed.trim();
    const message = value === '' ? undefined : wrong(value);
    if (message === undefined) return value;
    platform.err.write(`That is no such thing: ${message}\n`);
  }
}
