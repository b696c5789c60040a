/** References to values outside the configuration: `${env:NAME}`, `${file:PATH}` and `${credential:NAME}`. */
import { join, resolve } from 'node:path';
import { suggestName } from './nearest.ts';
import type { Path } from './problem.ts';
import { readTextFile } from './text-file.ts';

const KINDS = ['env', 'file', 'credential'] as const;
const FORMS = '${env:NAME}, ${file:PATH} or ${credential:NAME}';

/** `$${` is a literal `${`. */
const REFERENCE = /\$?\$\{([^{}]*)\}/g;

/** After replacement only unreadable references match. */
const LEFT_OVER = /(?<!\$)\$\{(env|file|credential):[^{}]*\}/;

/** After replacement this is true only for unreadable references. */
export function hasReference(text: string): boolean {
  return LEFT_OVER.test(text);
}

/** The first unreadable reference in a value; null if there is none. */
export function findUnreadReference(value: unknown): string | null {
  if (typeof value === 'string') return LEFT_OVER.exec(value)?.[0] ?? null;
  if (typeof value !== 'object' || value === null) return null;
  for (const inside of Object.values(value)) {
    const found = findUnreadReference(inside);
    if (found !== null) return found;
  }
  return null;
}

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** Base of `${file:…}`: the directory of the containing file. */
  directory: string;
  /** Searched in order for `${credential:…}`. */
  credentialDirectories: readonly string[];
  /** Receives values read from files. */
  keep(secret: string): void;
  /** True if the value at a path is secret. */
  isSecret(path: Path): boolean;
}

/** An unreadable reference may be valid on the target machine; a malformed one never is. */
type Trouble = 'unreadable' | 'malformed';
type TellTrouble = (path: Path, message: string, trouble: Trouble) => void;

/** Replaces all references in a value; unreadable ones stay. */
export async function replaceReferences(
  value: unknown,
  around: Surroundings,
  tell: TellTrouble,
  path: Path = [],
): Promise<unknown> {
  const inside = (item: unknown, key: string | number): Promise<unknown> =>
    replaceReferences(item, around, tell, [...path, key]);
  if (typeof value === 'string') return value.includes('${') ? replaceText(value, path, around, tell) : value;
  if (Array.isArray(value)) return Array.fromAsync(value, inside);
  if (typeof value !== 'object' || value === null) return value;
  const entries = await Array.fromAsync(Object.entries(value), async ([key, item]) => [key, await inside(item, key)]);
  return Object.fromEntries(entries);
}

async function replaceText(text: string, path: Path, around: Surroundings, tell: TellTrouble): Promise<string> {
  let replaced = '';
  let end = 0;
  for (const { 0: written, 1: inside = '', index } of text.matchAll(REFERENCE)) {
    const isEscaped = written.startsWith('$$');
    const answer = isEscaped ? { text: written.slice(1) } : await readReference(inside, path, around);
    if ('trouble' in answer) tell(path, answer.message, answer.trouble);
    replaced += text.slice(end, index) + ('text' in answer ? answer.text : written);
    end = index + written.length;
  }
  const rest = text.slice(end);
  if (/\$\{(env|file|credential):/.test(rest)) tell(path, `"\${" has no "}" after it; write ${FORMS}`, 'malformed');
  return replaced + rest;
}

type Resolution = { text: string } | { message: string; trouble: Trouble };

async function readReference(inside: string, path: Path, around: Surroundings): Promise<Resolution> {
  const [, kind = '', name = ''] = /^([^:]*):(.*)$/s.exec(inside) ?? [];
  if (name !== '' && kind === 'env') return readEnvironment(name, around);
  if (name !== '' && kind === 'file') {
    return readFirst([resolve(around.directory, name)], around, `\${file:${name}}: `, (why) => why);
  }
  if (name !== '' && kind === 'credential') return readCredential(name, around);
  // A password may contain "${": show the rest only if it is certainly no secret.
  const hint = !inside.includes(':') || around.isSecret(path) ? '' : suggestName(kind, KINDS);
  const message = `"\${…}" is not a reference${hint || ';'} write ${FORMS}, or $\${ for the characters themselves`;
  return { message, trouble: 'malformed' };
}

function readEnvironment(name: string, { env }: Surroundings): Resolution {
  const text = Object.hasOwn(env, name) ? env[name] : undefined;
  if (text !== undefined && text !== '') return { text };
  const what = text === undefined ? 'not set' : 'empty';
  return { message: `the environment variable ${name} is ${what}`, trouble: 'unreadable' };
}

async function readCredential(name: string, around: Surroundings): Promise<Resolution> {
  if (!/^[A-Za-z0-9_.@-]+$/.test(name) || /^\.+$/.test(name)) {
    const message = `"${name}" is no name of a credential; letters, digits, "_", "-", "." and "@" are allowed, no directories`;
    return { message, trouble: 'malformed' };
  }
  const paths = around.credentialDirectories.map((directory) => join(directory, name));
  return readFirst(paths, around, '', (why) => `the credential "${name}" cannot be read (${why})`);
}

/** The first readable file, without its final line break. */
async function readFirst(
  paths: readonly string[],
  { keep }: Surroundings,
  shown: string,
  sayWhy: (why: string) => string,
): Promise<Resolution> {
  const searched: string[] = [];
  for (const path of paths) {
    const reading = await readTextFile(path);
    const text = 'text' in reading ? reading.text.replace(/[\r\n]+$/, '') : null;
    if (text === '') return { message: `${shown}${path} is empty`, trouble: 'unreadable' };
    if (text !== null) {
      keep(text);
      return { text };
    }
    if ('why' in reading) searched.push(`${path}: ${reading.why}`);
  }
  return { message: shown + sayWhy(searched.join('; ')), trouble: 'unreadable' };
}
