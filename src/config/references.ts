/** `${env:NAME}`, `${file:PATH}` and `${credential:NAME}`: values that stand outside the configuration. */
import { isAbsolute, join, resolve } from 'node:path';
import { didYouMean } from './nearest.ts';
import type { Path } from './problem.ts';
import { readTextFile } from './text-file.ts';
import { isSecretKey, type Secrets } from './secrets.ts';

const KINDS = ['env', 'file', 'credential'] as const;
const FORMS = '${env:NAME}, ${file:PATH} or ${credential:NAME}';

/** `$${` stands for `${` itself. */
const REFERENCE = /\$?\$\{([^{}]*)\}/g;

/** Whether a text still holds a reference, which only one that could not be read does. */
export function holdsReference(text: string): boolean {
  return /\$\{(env|file|credential):[^{}]*\}/.test(text);
}

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** Where `${file:…}` starts from: the directory of the file it stands in. */
  directory: string;
  /** Searched in order for `${credential:…}`. */
  credentialDirectories: readonly string[];
  secrets: Secrets;
}

interface ReferenceMistake {
  path: Path;
  message: string;
  /** One that names nothing readable now may be fine where the program will run; a malformed one never is. */
  unresolvable: boolean;
}

interface Replacement {
  value: unknown;
  mistakes: ReferenceMistake[];
  /** Paths (as JSON) of the values that came from a reference, in whole or in part. */
  replaced: Set<string>;
}

/** The same value with every reference in its texts replaced; those that cannot be read stay as they are. */
export async function replaceReferences(value: unknown, surroundings: Surroundings): Promise<Replacement> {
  const result: Replacement = { value: null, mistakes: [], replaced: new Set() };
  result.value = await replaceIn(value, [], surroundings, result);
  return result;
}

async function replaceIn(value: unknown, path: Path, around: Surroundings, result: Replacement): Promise<unknown> {
  if (typeof value === 'string') return value.includes('${') ? replaceText(value, path, around, result) : value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) items.push(await replaceIn(item, [...path, index], around, result));
    return items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    entries.push([key, await replaceIn(item, [...path, key], around, result)]);
  }
  return Object.fromEntries(entries);
}

async function replaceText(text: string, path: Path, around: Surroundings, result: Replacement): Promise<string> {
  let replaced = '';
  let end = 0;
  for (const found of text.matchAll(REFERENCE)) {
    replaced += text.slice(end, found.index);
    end = found.index + found[0].length;
    if (found[0].startsWith('$$')) {
      replaced += found[0].slice(1);
      continue;
    }
    result.replaced.add(JSON.stringify(path));
    const inside = found[1] ?? '';
    const answer = await readReference(inside, path, around);
    if ('text' in answer) {
      replaced += answer.text;
    } else {
      replaced += found[0];
      result.mistakes.push({ path, ...answer });
    }
  }
  const rest = text.slice(end);
  if (/\$\{(env|file|credential):/.test(rest)) {
    result.mistakes.push({ path, message: `"\${" has no "}" after it; write ${FORMS}`, unresolvable: false });
  }
  return replaced + rest;
}

type Resolution = { text: string } | Omit<ReferenceMistake, 'path'>;

async function readReference(inside: string, path: Path, around: Surroundings): Promise<Resolution> {
  const colon = inside.indexOf(':');
  const kind = colon < 0 ? '' : inside.slice(0, colon);
  const name = inside.slice(colon + 1);
  const known = KINDS.find((one) => one === kind);
  if (known === undefined || name === '') {
    // A password may well hold "${"; what follows is shown only where it is surely no secret.
    const hint =
      colon < 0 || path.some((key) => typeof key === 'string' && isSecretKey(key)) ? '' : didYouMean(kind, KINDS);
    return {
      message: `"\${…}" is not a reference${hint || ';'} write ${FORMS}, or $\${ for the characters themselves`,
      unresolvable: false,
    };
  }
  if (known === 'env') return readEnvironment(name, around);
  return known === 'file' ? readNamedFile(name, around) : readCredential(name, around);
}

function readEnvironment(name: string, around: Surroundings): Resolution {
  const text = Object.hasOwn(around.env, name) ? around.env[name] : undefined;
  if (text !== undefined && text !== '') return { text };
  const what = text === undefined ? 'not set' : 'empty';
  return { message: `the environment variable ${name} is ${what}`, unresolvable: true };
}

async function readNamedFile(name: string, around: Surroundings): Promise<Resolution> {
  const path = isAbsolute(name) ? name : resolve(around.directory, name);
  const reading = await readTextFile(path);
  if ('why' in reading) return { message: `\${file:${name}}: ${path}: ${reading.why}`, unresolvable: true };
  return accept(reading.text, `\${file:${name}}: ${path}`, around);
}

async function readCredential(name: string, around: Surroundings): Promise<Resolution> {
  if (!/^[A-Za-z0-9_.@-]+$/.test(name) || /^\.+$/.test(name)) {
    const message = `"${name}" is no name of a credential; letters, digits, "_", "-", "." and "@" are allowed, no directories`;
    return { message, unresolvable: false };
  }
  const searched: string[] = [];
  for (const directory of around.credentialDirectories) {
    const path = join(directory, name);
    const reading = await readTextFile(path);
    if ('text' in reading) return accept(reading.text, path, around);
    searched.push(`${path}: ${reading.why}`);
  }
  return { message: `the credential "${name}" cannot be read (${searched.join('; ')})`, unresolvable: true };
}

function accept(content: string, from: string, around: Surroundings): Resolution {
  const text = content.replace(/[\r\n]+$/, '');
  if (text === '') return { message: `${from} is empty`, unresolvable: true };
  around.secrets.add(text);
  return { text };
}
