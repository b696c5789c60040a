/** Reads one configuration file, replaces references, validates it, and locates its problems. */
import { isObject } from '../core/text/plain-object.ts';
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { formatPath, findValue, type Path, type Problem } from './problem.ts';
import { readTextFile } from './text-file.ts';
import { hasReference, replaceReferences, type Surroundings } from './references.ts';
import { CREDENTIALS_DIR } from './schema/schema.ts';
import { collectSecrets, hasSecrets, isSecretKey, type Secrets } from './secrets.ts';
import { REDACTED } from '../net/secret-search.ts';
import { validate } from './validate.ts';
import { readYaml, type Position, type YamlReading } from './yaml-text.ts';

/** Purpose of loading: to run, or only to check. */
export type Requirement = 'run' | 'check';

export interface FileContext {
  env: Readonly<Record<string, string | undefined>>;
  require: Requirement;
  secrets: Secrets;
  /** Searched for `${credential:…}` before `credentialsDir`; null outside systemd. */
  credentialsDirectory: string | null;
}

export interface ConfigFile<T> {
  /** Path as the user wrote it. */
  shown: string;
  /** Absolute. */
  path: string;
  /** The valid part, with gaps for invalid list entries; null if there is none. */
  draft: T | null;
  /** The whole content, valid or not. */
  raw: unknown;
  credentialsDir: string;
  problems: Problem[];
  /** JSON paths of reported errors, and the keys that misspelt ones were meant to be. */
  reported: Set<string>;
  /** World-readable and containing literal secrets. */
  exposed: boolean;
  /** Reason if the file is unreadable, else null. */
  unreadable: string | null;
  /** Line of the value at a path. */
  line(path: Path): number | null;
  /** Adds a problem. */
  tell(level: Problem['level'], path: Path, message: string, at?: 'key' | 'value'): void;
}

/** `credentialsDir` comes from the main file; null while that file is read. */
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
    reported: new Set(),
    exposed: 'text' in content && content.openToAll && hasSecrets(yaml?.value),
    unreadable: 'why' in content ? content.why : null,
    line: (inside) => yaml?.at(inside).value.line ?? null,
    tell(level, inside, message, at = 'value') {
      file.reported.add(JSON.stringify(inside));
      const value = at === 'value' ? findValue(file.raw, inside) : null;
      const secret = typeof value === 'string' && context.secrets.redact(value) !== value;
      add(yaml?.at(inside)[at] ?? null, inside, secret ? withoutQuotes(message) : message, level);
    },
  };
  if (yaml !== null && yaml.value !== undefined) await validateContent(file, yaml, schema, context);
  return file;
}

/** A quoted value may be truncated or altered, so that redaction no longer recognises its secret. */
function withoutQuotes(message: string): string {
  return message.replace(/"(?:[^"\\]|\\.)*"/g, REDACTED);
}

async function validateContent<T>(
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
  // The unit's own directory is often named as `credentials_dir` too, for commands beside the service.
  around.credentialDirectories = [...new Set([credentialsDirectory, file.credentialsDir])].filter(
    (one) => one !== null,
  );
  file.raw = await replaceReferences(value, around, (path, message, trouble) =>
    file.tell(trouble === 'unreadable' && require === 'check' ? 'warning' : 'error', path, message),
  );
  collectSecrets(file.raw, around.keep);
  const { draft, mistakes } = validate(schema, file.raw, (path) => at(path).written);
  file.draft = draft;
  for (const { path, message, meant } of mistakes.filter(({ key }) => key)) {
    file.tell('error', path, message, 'key');
    for (const one of meant) file.reported.add(JSON.stringify(one));
  }
  // A key missing because it was misspelt or had a broken reference is not reported again.
  const reported = new Set(file.reported);
  for (const { path, message } of mistakes.filter((one) => !one.key && !reported.has(JSON.stringify(one.path)))) {
    file.tell('error', path, message);
  }
}

/** The directory may be set by an environment variable, but not by a reference that would be looked up in it. */
async function credentialsDirOf(value: unknown, around: Surroundings): Promise<string | null> {
  const named = await replaceReferences(findValue(value, ['credentials_dir']), around, () => undefined);
  const isKnown = typeof named === 'string' && named !== '' && !hasReference(named);
  return isKnown ? resolve(around.directory, named) : null;
}
