/** One file of a configuration: read, its references replaced, held against its schema, its problems with their places. */
import { isObject } from '../core/text/plain-object.ts';
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { formatPath, findValue, type Path, type Problem } from './problem.ts';
import { readTextFile } from './text-file.ts';
import { hasReference, replaceReferences, type Surroundings } from './references.ts';
import { CREDENTIALS_DIR } from './schema.ts';
import { collectSecrets, hasSecrets, isSecretKey, type Secrets } from './secrets.ts';
import { REDACTED } from '../net/secret-search.ts';
import { validate } from './shape.ts';
import { readYaml, type Position, type YamlReading } from './yaml-text.ts';

/** What the configuration is wanted for: to run with it, or only to look at what it says. */
export type Requirement = 'run' | 'check';

export interface FileContext {
  env: Readonly<Record<string, string | undefined>>;
  require: Requirement;
  secrets: Secrets;
  /** Searched for `${credential:…}` before `credentialsDir`; null outside systemd. */
  credentialsDirectory: string | null;
}

export interface ConfigFile<T> {
  /** As the user would name it. */
  shown: string;
  /** Absolute. */
  path: string;
  /** What is right of it, with a gap for each wrong entry of a list; null where that is nothing. */
  draft: T | null;
  /** Everything it says, right or wrong. */
  raw: unknown;
  credentialsDir: string;
  problems: Problem[];
  /** The paths (as JSON) of what has been told as wrong, and of what a misspelt key was meant to be. */
  amiss: Set<string>;
  /** Every user of this machine may read it, and it holds secrets as they are. */
  exposed: boolean;
  /** Why it cannot be read at all, else null. */
  unreadable: string | null;
  /** Where the value at a path stands. */
  line(path: Path): number | null;
  /** Adds a problem. */
  tell(level: Problem['level'], path: Path, message: string, at?: 'key' | 'value'): void;
}

/** `credentialsDir` is that of the main file, null while that is the one being read. */
export async function readConfigFile<T>(
  shown: string,
  path: string,
  schema: z.ZodType<unknown, T>,
  context: FileContext,
  credentialsDir: string | null,
): Promise<ConfigFile<T>> {
  const content = await readTextFile(path);
  const problems: Problem[] = [];
  const add = (place: Position | null, inside: Path, message: string, level: Problem['level'] = 'error'): void => {
    const [line, column] = place === null ? [null, null] : [place.line, place.col];
    problems.push({ level, file: shown, line, column, path: formatPath(inside), message });
  };
  const yaml = 'text' in content ? readYaml(content.text, add) : null;
  const file: ConfigFile<T> = {
    shown,
    path,
    draft: null,
    raw: null,
    credentialsDir: credentialsDir ?? CREDENTIALS_DIR,
    problems,
    amiss: new Set(),
    exposed: 'text' in content && content.openToAll && hasSecrets(yaml?.value),
    unreadable: 'why' in content ? content.why : null,
    line: (inside) => yaml?.at(inside).value.line ?? null,
    tell(level, inside, message, at = 'value') {
      file.amiss.add(JSON.stringify(inside));
      const value = at === 'value' ? findValue(file.raw, inside) : null;
      const secret = typeof value === 'string' && context.secrets.redact(value) !== value;
      add(yaml?.at(inside)[at] ?? null, inside, secret ? withoutQuotes(message) : message, level);
    },
  };
  if (yaml !== null && yaml.value !== undefined) await holdValue(file, yaml, schema, context);
  return file;
}

/** A quoted value may be cut short or rewritten, and then redaction no longer knows the secret in it. */
function withoutQuotes(message: string): string {
  return message.replace(/"(?:[^"\\]|\\.)*"/g, REDACTED);
}

async function holdValue<T>(
  file: ConfigFile<T>,
  { value, at }: YamlReading,
  schema: z.ZodType<unknown, T>,
  { env, require, secrets, credentialsDirectory }: FileContext,
): Promise<void> {
  if (!isObject(value)) {
    const is = value === null ? 'it is empty' : Array.isArray(value) ? 'it is a list' : 'it is a single value';
    file.tell('error', [], `${is}; a configuration is a mapping, as in "status_pages: […]"`);
    return;
  }
  const around: Surroundings = {
    env,
    directory: dirname(file.path),
    credentialDirectories: [],
    keep: (secret) => secrets.add(secret),
    isSecret: (path) => path.some((key) => typeof key === 'string' && isSecretKey(key)),
  };
  file.credentialsDir = (await credentialsDirOf(value, around)) ?? file.credentialsDir;
  around.credentialDirectories = [credentialsDirectory, file.credentialsDir].filter((one) => one !== null);
  file.raw = await replaceReferences(value, around, (path, message, trouble) =>
    file.tell(trouble === 'unreadable' && require === 'check' ? 'warning' : 'error', path, message),
  );
  collectSecrets(file.raw, around.keep);
  const { draft, mistakes } = validate(schema, file.raw, (path) => at(path).written);
  file.draft = draft;
  for (const { path, message, meant } of mistakes.filter(({ key }) => key)) {
    file.tell('error', path, message, 'key');
    for (const one of meant) file.amiss.add(JSON.stringify(one));
  }
  // That what a misspelt key was meant to be is missing is no second mistake, nor is what a wrong reference is not.
  const told = new Set(file.amiss);
  for (const { path, message } of mistakes.filter((one) => !one.key && !told.has(JSON.stringify(one.path)))) {
    file.tell('error', path, message);
  }
}

/** The directory may itself be named by the environment, but by nothing that would have to be looked up in it. */
async function credentialsDirOf(value: unknown, around: Surroundings): Promise<string | null> {
  const named = await replaceReferences(findValue(value, ['credentials_dir']), around, () => undefined);
  const isKnown = typeof named === 'string' && named !== '' && !hasReference(named);
  return isKnown ? resolve(around.directory, named) : null;
}
