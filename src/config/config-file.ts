/** One file of a configuration: read, its references replaced, held against its schema, its problems with their places. */
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { isMapping, valueAt, type Path, type Problem } from './problem.ts';
import { readTextFile } from './text-file.ts';
import { holdsReference, replaceReferences, type Surroundings } from './references.ts';
import { CREDENTIALS_DIR } from './schema.ts';
import { decoded, isSecretKey, REDACTED, type Secrets } from './secrets.ts';
import { holdAgainst } from './shape.ts';
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

/** `path` is that in the file; without a place no line is to blame. */
export interface FileProblem {
  level: Problem['level'];
  place: Position | null;
  path: Path;
  message: string;
}

export interface ConfigFile<T> {
  /** As the user would name it. */
  shown: string;
  /** Absolute. */
  path: string;
  /** What is right of it; null where that is nothing. */
  draft: T | null;
  /** Everything it says, right or wrong. */
  raw: unknown;
  credentialsDir: string;
  problems: FileProblem[];
  /** The path in the file of a path in the draft. */
  original: (path: Path) => Path;
  /** Whether what stands at this path in the file is wrong, or stands there by a misspelt name: that has been told. */
  amiss: (path: Path) => boolean;
  /** Every user of this machine may read it, and it holds secrets as they are. */
  exposed: boolean;
  /** Why it cannot be read at all, else null. */
  unreadable: string | null;
  /** Where the value at a path in the file stands. */
  place(path: Path): Position | null;
  /** Adds a problem at a path in the file. */
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
  const yaml = 'text' in content ? readYaml(content.text) : null;
  const file: ConfigFile<T> = {
    shown,
    path,
    draft: null,
    raw: null,
    credentialsDir: credentialsDir ?? CREDENTIALS_DIR,
    problems: (yaml?.mistakes ?? []).map((mistake) => ({ level: 'error', ...mistake })),
    original: (inside) => inside,
    amiss: () => false,
    exposed: 'text' in content && content.openToAll && holdsSecrets(yaml?.value),
    unreadable: 'why' in content ? content.why : null,
    place: (inside) => yaml?.at(inside).value ?? null,
    tell(level, inside, message, at = 'value') {
      const value = at === 'value' ? valueAt(file.raw, inside) : null;
      const secret = typeof value === 'string' && context.secrets.redact(value) !== value;
      const place = yaml?.at(inside)[at] ?? null;
      file.problems.push({ level, place, path: inside, message: secret ? withoutQuotes(message) : message });
    },
  };
  if (yaml?.readable === true) await holdValue(file, yaml, schema, context);
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
  if (!isMapping(value)) {
    const is = value === null ? 'it is empty' : Array.isArray(value) ? 'it is a list' : 'it is a single value';
    file.tell('error', [], `${is}; a configuration is a mapping, as in "status_pages: […]"`);
    return;
  }
  const around: Surroundings = { env, directory: dirname(file.path), credentialDirectories: [], secrets };
  file.credentialsDir = (await credentialsDirOf(value, around)) ?? file.credentialsDir;
  const credentialDirectories = [credentialsDirectory, file.credentialsDir].filter((one) => one !== null);
  const found = await replaceReferences(value, { ...around, credentialDirectories });
  file.raw = found.value;
  collectSecrets(found.value, secrets);
  for (const { path, message, unresolvable } of found.mistakes) {
    file.tell(unresolvable && require === 'check' ? 'warning' : 'error', path, message);
  }
  const shape = holdAgainst(schema, found.value, {
    written: (path) => at(path).written,
    replaced: (path) => found.replaced.has(JSON.stringify(path)),
    unresolved: (path) => holdsReference(String(valueAt(found.value, path))),
  });
  const told = new Set(found.mistakes.map(({ path }) => JSON.stringify(path)));
  for (const { path, key, message } of shape.mistakes) {
    if (key || !told.has(JSON.stringify(path))) file.tell('error', path, message, key ? 'key' : 'value');
  }
  file.draft = shape.draft;
  file.original = shape.original;
  file.amiss = (path) => shape.amiss.has(JSON.stringify(path));
}

/** The directory may itself be named by the environment, but by nothing that would have to be looked up in it. */
async function credentialsDirOf(value: unknown, around: Surroundings): Promise<string | null> {
  const named = valueAt(value, ['credentials_dir']);
  if (typeof named !== 'string' || named === '' || named.includes('${credential:')) return null;
  const { value: replaced } = await replaceReferences(named, around);
  return typeof replaced === 'string' && !holdsReference(replaced) ? resolve(around.directory, replaced) : null;
}

/** Remembers every secret in a configuration: what stands under a secret key, and what addresses carry along. */
function collectSecrets(value: unknown, secrets: Secrets, secretAbove = false): void {
  if (typeof value === 'string') {
    if (holdsReference(value)) return;
    if (secretAbove) secrets.add(value);
    else for (const part of carried(value)) secrets.add(part);
  } else if (typeof value === 'number' && secretAbove) {
    secrets.add(String(value));
  } else if (typeof value === 'object' && value !== null) {
    for (const swallowed of swallowedByKeys(value)) secrets.add(swallowed);
    for (const [key, item] of Object.entries(value)) collectSecrets(item, secrets, secretAbove || isSecretKey(key));
  }
}

/** Whether a configuration holds secrets themselves and not only references to them. */
function holdsSecrets(value: unknown): boolean {
  let found = false;
  collectSecrets(value, { add: () => (found = true), redact: (text) => text });
  // Whoever knows the address of the heartbeat can keep it beating for us, and that of the database holds a password.
  const whole = [valueAt(value, ['heartbeat', 'url']), valueAt(value, ['database', 'url'])];
  return found || whole.some((url) => typeof url === 'string' && !holdsReference(url));
}

/**
 * Secrets that a wrong character made part of a key: `{api_key:hunter2}` is one key, `{api_key, hunter2}` are two, and
 * all of them have no value.
 */
function swallowedByKeys(mapping: object): string[] {
  const bare = Object.entries(mapping).flatMap(([key, item]) => (item === null ? [key] : []));
  const first = bare.findIndex((key) => isSecretKey(/^\w*/.exec(key)?.[0] ?? ''));
  if (first < 0) return [];
  const glued = /^\w+\W+(.*)$/s.exec(bare[first] ?? '')?.[1] ?? '';
  return [glued, glued.replace(/\W+$/, ''), ...bare.slice(first + 1)].filter((text) => text !== '');
}

/** The password and the query of an address that is not secret as a whole. */
function carried(value: string): string[] {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return [];
  const { password, searchParams } = new URL(value);
  const query = [...searchParams.values()].filter((part) => part.length >= 8);
  return password === '' ? query : [password, decoded(password), ...query];
}
