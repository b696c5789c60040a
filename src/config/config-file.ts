/** One file of a configuration: read, its references replaced, held against its schema, its problems with their places. */
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { formatPath } from './path.ts';
import type { Path } from './path.ts';
import type { Problem } from './problem.ts';
import { valueAt } from './path.ts';
import { readTextFile } from './reading.ts';
import { CREDENTIALS_DIR } from './schema.ts';
import { holdsReference } from './reference-syntax.ts';
import { replaceReferences } from './references.ts';
import type { ReferenceMistake } from './references.ts';
import { collectSecrets, holdsSecrets, REDACTED } from './secrets.ts';
import type { Secrets } from './secrets.ts';
import { holdAgainst } from './shape.ts';
import { readYaml } from './yaml-text.ts';
import type { YamlReading } from './yaml-text.ts';

export const REQUIREMENTS = ['run', 'check'] as const;

/** What the configuration is wanted for: to run with it, or only to look at what it says. */
export type Requirement = (typeof REQUIREMENTS)[number];

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
  /** What is right of it; null where that is nothing. */
  draft: T | null;
  /** Everything it says, right or wrong. */
  raw: unknown;
  credentialsDir: string;
  problems: Problem[];
  /** The path in the file of a path in the draft. */
  original: (path: Path) => Path;
  /** Every user of this machine may read it, and it holds secrets as they are. */
  exposed: boolean;
  /** Why it cannot be read at all, else null. */
  unreadable: string | null;
  line(path: Path): number | null;
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
  const problems: Problem[] = [];
  const file: ConfigFile<T> = {
    shown,
    path,
    draft: null,
    raw: null,
    credentialsDir: credentialsDir ?? CREDENTIALS_DIR,
    problems,
    original: (inside) => inside,
    exposed: false,
    unreadable: null,
    line: () => null,
    tell: (level, inside, message) => {
      problems.push({ level, file: shown, line: null, column: null, path: formatPath(inside), message });
    },
  };
  const content = await readTextFile(path);
  if ('why' in content) {
    file.unreadable = content.why;
    return file;
  }
  const yaml = readYaml(content.text);
  file.line = (inside) => yaml.at(inside).value.line;
  file.tell = (level, inside, message, at = 'value') => {
    const { line, column } = yaml.at(inside)[at];
    const safe =
      at === 'value' && holdsSecret(valueAt(file.raw, inside), context.secrets) ? withoutQuotes(message) : message;
    problems.push({ level, file: shown, line, column, path: formatPath(inside), message: safe });
  };
  for (const { place, path: inside, message } of yaml.mistakes) {
    const at = place ?? { line: null, column: null };
    problems.push({ level: 'error', file: shown, ...at, path: formatPath(inside), message });
  }
  file.exposed = content.openToAll && holdsSecrets(yaml.value);
  if (yaml.readable) await holdValue(file, yaml, schema, context);
  return file;
}

function holdsSecret(value: unknown, secrets: Secrets): boolean {
  return typeof value === 'string' && secrets.redact(value) !== value;
}

/** A quoted value may be cut short or rewritten, and then redaction no longer knows the secret in it. */
function withoutQuotes(message: string): string {
  return message.replace(/"(?:[^"\\]|\\.)*"/g, REDACTED);
}

async function holdValue<T>(
  file: ConfigFile<T>,
  yaml: YamlReading,
  schema: z.ZodType<unknown, T>,
  context: FileContext,
): Promise<void> {
  if (yaml.value === null || typeof yaml.value !== 'object' || Array.isArray(yaml.value)) {
    const is =
      yaml.value === null ? 'it is empty' : Array.isArray(yaml.value) ? 'it is a list' : 'it is a single value';
    file.tell('error', [], `${is}; a configuration is a mapping, as in "status_pages: […]"`);
    return;
  }
  await findCredentialsDir(file, yaml.value, context);
  const found = await replaceReferences(yaml.value, {
    env: context.env,
    directory: dirname(file.path),
    credentialDirectories: [
      ...(context.credentialsDirectory === null ? [] : [context.credentialsDirectory]),
      file.credentialsDir,
    ],
    secrets: context.secrets,
  });
  file.raw = found.value;
  collectSecrets(found.value, context.secrets);
  for (const mistake of found.mistakes) file.tell(levelOf(mistake, context.require), mistake.path, mistake.message);
  const shape = holdAgainst(schema, found.value, {
    written: (path) => yaml.at(path).written,
    replaced: (path) => found.replaced.has(JSON.stringify(path)),
    unresolved: (path) => holdsReference(String(valueAt(found.value, path))),
  });
  const told = new Set(found.mistakes.map(({ path }) => JSON.stringify(path)));
  for (const { path, key, message } of shape.mistakes) {
    if (key || !told.has(JSON.stringify(path))) file.tell('error', path, message, key ? 'key' : 'value');
  }
  file.draft = shape.draft;
  file.original = shape.original;
}

/** The directory may itself be named by the environment, but by nothing that would have to be looked up in it. */
async function findCredentialsDir<T>(file: ConfigFile<T>, value: unknown, context: FileContext): Promise<void> {
  const named = valueAt(value, ['credentials_dir']);
  if (typeof named !== 'string' || named === '' || named.includes('${credential:')) return;
  const around = {
    env: context.env,
    directory: dirname(file.path),
    credentialDirectories: [],
    secrets: context.secrets,
  };
  const { value: replaced } = await replaceReferences(named, around);
  if (typeof replaced === 'string' && !holdsReference(replaced))
    file.credentialsDir = resolve(dirname(file.path), replaced);
}

function levelOf(mistake: ReferenceMistake, require: Requirement): Problem['level'] {
  return mistake.unresolvable && require === 'check' ? 'warning' : 'error';
}
