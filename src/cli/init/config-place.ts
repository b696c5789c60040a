/** Files of `config init`: writes the configuration and its secrets completely or not at all. */
import { constants } from 'node:fs';
import { access, chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SYSTEM_FILE } from '../../config/load.ts';
import { CREDENTIALS_DIR } from '../../config/schema/schema.ts';
import type { TemplateOptions } from '../../config/presets/template.ts';
import { isFile } from '../../config/text-file.ts';
import { listCredentials, type TemplateAnswers } from '../../config/presets/template-answers.ts';
import { readErrorCode, explainDiskError } from '../../net/failure.ts';
import { CommandFailure } from '../command.ts';
import type { GivenSecret } from '../config/config-secrets.ts';

export interface ConfigPlace {
  /** Absolute. */
  file: string;
  /** Absolute. */
  credentials: string;
  isForUnit: boolean;
}

export function placeOf(file: string): ConfigPlace {
  const isForUnit = dirname(file) === dirname(SYSTEM_FILE);
  return { file, isForUnit, credentials: isForUnit ? CREDENTIALS_DIR : join(dirname(file), 'credentials') };
}

/** The unit's state is not beside the configuration, and commands have to find it there, too. */
export function listPlaceSettings(
  { isForUnit }: ConfigPlace,
  wanted: TemplateAnswers,
): Pick<TemplateOptions, 'stateDir' | 'credentialsDir'> {
  if (isForUnit) return { stateDir: '/var/lib/linewatch', credentialsDir: CREDENTIALS_DIR };
  return { stateDir: null, credentialsDir: listCredentials(wanted).length === 0 ? null : './credentials' };
}

/** Called before the first question. */
export async function makeRoom(file: string, place: ConfigPlace): Promise<void> {
  const folder = dirname(place.file);
  try {
    if (place.isForUnit) await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new CommandFailure(whyNot(file, error), { cause: error });
  }
  if (await isFile(place.file)) throw new CommandFailure(alreadyThere(file));
}

export interface Owner {
  user: number;
  group: number;
}

/** Null if the system has no such user yet. */
export async function findUnitUser(): Promise<Owner | null> {
  const known = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, user, group] = /^linewatch:[^:]*:(\d+):(\d+):/m.exec(known) ?? [];
  return user === undefined ? null : { user: Number(user), group: Number(group) };
}

export interface ConfigFiles {
  /** As named by the user. */
  file: string;
  place: ConfigPlace;
  configuration: string;
  secrets: readonly GivenSecret[];
  owner: Owner | null;
}

/**
 * Writes the configuration last, so that its secrets exist when it does. After a failure, removes files already
 * written.
 */
export async function writeAll({ file, place, configuration, secrets, owner }: ConfigFiles): Promise<void> {
  const given = secrets.filter(({ state }) => state === 'given');
  const written: string[] = [];
  const write = async (path: string, content: string, mode: number): Promise<void> => {
    // `wx` fails for an existing file, even one created a moment ago.
    await writeFile(path, content, { flag: 'wx', mode });
    written.push(path);
  };
  let current = file;
  try {
    if (secrets.length > 0) {
      current = place.credentials;
      const made = await mkdir(place.credentials, { recursive: true, mode: 0o700 });
      if (made !== undefined && owner !== null) await own(place.credentials, 0o750, { ...owner, user: 0 });
    }
    for (const { path, value } of given) {
      current = path;
      await write(path, `${value}\n`, 0o600);
      if (owner !== null) await own(path, 0o600, owner);
    }
    current = file;
    await write(place.file, configuration, 0o600);
    // The service only reads it.
    if (owner !== null) await own(place.file, 0o640, { ...owner, user: 0 });
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    throw new CommandFailure(whyNot(current, error), { cause: error });
  }
}

async function own(path: string, mode: number, { user, group }: Owner): Promise<void> {
  await chown(path, user, group);
  await chmod(path, mode);
}

function alreadyThere(file: string): string {
  return `${file} is already there and stays as it is; --config names another file`;
}

function whyNot(file: string, error: unknown): string {
  const code = readErrorCode(error);
  if (code === 'EEXIST') return alreadyThere(file);
  if (code === 'ENOENT') return `${file} cannot be written: its folder does not exist`;
  return `${file} cannot be written: ${explainDiskError(error)}`;
}
