/** The secrets of a new configuration: from files, else asked for at the terminal, else from standard input. */
import { join, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { exists, readTextFile } from '../config/text-file.ts';
import { capital } from '../core/text/plain.ts';
import { credentialsOf, whatIsWrong, type Credential, type WantedStart } from '../config/starting.ts';
import { ask, canAsk } from './account/dialogue.ts';
import { CommandFailure, UsageError } from './command.ts';
import type { Platform } from './platform.ts';

/** Files that hold a secret each. */
export type SecretFiles = Readonly<Record<Credential['name'], string | undefined>>;

export interface GivenSecret extends Credential {
  /** Absolute: where it belongs. */
  path: string;
  /** `kept` is there already; `missing` was given by nobody. */
  state: 'given' | 'kept' | 'missing';
  value: string;
}

/** In the order in which they are asked for. */
export async function secretsFor(
  platform: Platform,
  wanted: WantedStart,
  directory: string,
  files: SecretFiles,
): Promise<GivenSecret[]> {
  const needed = credentialsOf(wanted);
  const lines = canAsk(platform) || needed.every(({ name }) => files[name] !== undefined) ? null : linesOf(platform);
  const secrets: GivenSecret[] = [];
  for (const credential of needed) {
    const path = join(directory, credential.name);
    const from = files[credential.name];
    const isThere = await exists(path);
    if (isThere && from !== undefined) {
      throw new CommandFailure(`${path} is already there and stays as it is; ${from} is not used`);
    }
    const value = isThere ? '' : await secretOf(platform, wanted, credential, from, lines);
    secrets.push({ ...credential, path, state: isThere ? 'kept' : value === '' ? 'missing' : 'given', value });
  }
  return secrets;
}

async function linesOf({ input }: Platform): Promise<string[]> {
  return (await readAll(input.stream)).split(/\r?\n/);
}

/** Empty where nobody gives it. */
async function secretOf(
  platform: Platform,
  wanted: WantedStart,
  { name, what, option }: Credential,
  file: string | undefined,
  lines: Promise<string[]> | null,
): Promise<string> {
  const wrong = (value: string): string | undefined =>
    whatIsWrong(wanted, { [name]: value }).find((mistake) => mistake.option === option)?.message;
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
    const typed = await ask(platform, `${capital(what)} (not shown; Enter to add it later): `, { isHidden: true });
    if (typed === null) throw new CommandFailure('nothing was written');
    const value = typed.trim();
    const message = value === '' ? undefined : wrong(value);
    if (message === undefined) return value;
    platform.err.write(`That is no such thing: ${message}\n`);
  }
}
