/**
 * Validates a value and describes every error in sentences. Values whose type YAML or a reference changed are converted
 * first: `password: 12345` is text, `port: ${env:PORT}` a number, and `accounts:` with only comments below is absent.
 */
import type * as z from 'zod';
import { suggestName, findNearest, formatSuggestion } from './nearest.ts';
import { isObject } from '../core/text/plain-object.ts';
import { formatValue, findValue, type Path } from './problem.ts';
import { hasReference } from './references.ts';
import { formatList } from '../core/text/plain.ts';

interface Mistake {
  path: Path;
  /** True if the key is wrong, not its value. */
  key: boolean;
  message: string;
  /** Known keys that an unknown key probably misspells: their absence is not a second mistake. */
  meant: Path[];
}

interface Issue {
  path: Path;
  issue: z.core.$ZodIssue;
}

interface Validated<T> {
  /** The valid part as written, with gaps for invalid list entries; null if too little is valid. */
  draft: T | null;
  mistakes: Mistake[];
}

/**
 * Does not change `value`. Invalid parts are removed so that the rest can be validated. `written`: source text of a
 * scalar; null if unknown.
 */
export function validate<T>(
  schema: z.ZodType<unknown, T>,
  value: unknown,
  written: (path: Path) => string | null = () => null,
): Validated<T> {
  const draft: unknown = structuredClone(value);
  let mistakes: Mistake[] | null = null;
  // Every round fixes or removes something; the limit only guards against a bug in this loop.
  for (let round = 0; round < 1_000; round += 1) {
    const outcome = schema.safeParse(draft, { reportInput: true });
    if (outcome.success) return { draft: draft as T, mistakes: mistakes ?? [] };
    const issues = outcome.error.issues.flatMap((issue) => flatten(issue, []));
    if (issues.filter((one) => retype(draft, one, written)).length > 0) continue;
    mistakes ??= issues.flatMap((one) => findMisspeltRequired(schema, draft, one) ?? explain(one));
    const wrong = issues.flatMap((one) => listWrongPaths(draft, one));
    if (wrong.some((path) => path.length === 0)) break;
    for (const path of wrong) setAt(draft, path, undefined);
  }
  return { draft: null, mistakes: mistakes ?? [] };
}

/** Parts to remove so that the rest can be validated: the value, or the incomplete entry. */
function listWrongPaths(draft: unknown, { path, issue }: Issue): Path[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
  return [
    path.slice(0, path.findLastIndex((_, index) => findValue(draft, path.slice(0, index + 1)) !== undefined) + 1),
  ];
}

/** Sets the value at a path. Undefined removes it, and leaves a gap in a list. */
function setAt(draft: unknown, path: Path, value: unknown): boolean {
  const holder = findValue(draft, path.slice(0, -1));
  const key = path.at(-1);
  if (key === undefined || typeof holder !== 'object' || holder === null) return false;
  return value === undefined ? Reflect.deleteProperty(holder, key) : Reflect.set(holder, key, value);
}

/** Issues of the union branch that was probably meant. */
function flatten(issue: z.core.$ZodIssue, base: Path): Issue[] {
  const path = [...base, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))];
  const branches = issue.code === 'invalid_union' ? issue.errors : [];
  const meant = branches.find((branch) =>
    branch.every((one) => one.path.length > 0 || listExpectedTypes(one).length === 0),
  );
  return meant === undefined ? [{ path, issue }] : meant.flatMap((inner) => flatten(inner, path));
}

/** Types that the schema accepts here, if the value has none of them. */
function listExpectedTypes(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(listExpectedTypes);
  if (issue.code === 'invalid_value') return [issue.values.map(String).join(', ')];
  return issue.code === 'invalid_type' ? [issue.expected] : [];
}

/** Converts a value to the intended type; false if the type is not the problem. */
function retype(draft: unknown, { path, issue }: Issue, written: (path: Path) => string | null): boolean {
  const value = findValue(draft, path);
  const expected = listExpectedTypes(issue);
  const wanted = (...types: string[]): boolean => types.some((type) => expected.includes(type));
  if (value === null && typeof path.at(-1) === 'string') {
    return wanted('object', 'array', 'record') && setAt(draft, path, undefined);
  }
  if (typeof value === 'number' || typeof value === 'boolean') {
    return wanted('string') && setAt(draft, path, written(path) ?? String(value));
  }
  if (typeof value !== 'string' || wanted('string') || !hasReference(written(path) ?? '')) return false;
  // Unknown until the program runs: treat it as absent.
  if (hasReference(value)) return setAt(draft, path, undefined);
  if (wanted('number', 'int') && /^[0-9]+(\.[0-9]+)?$/.test(value)) return setAt(draft, path, Number(value));
  return wanted('boolean') && (value === 'true' || value === 'false') && setAt(draft, path, value === 'true');
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list ([…])',
  object: 'a mapping (key: value)',
  record: 'a mapping (key: value)',
};

function explain({ path, issue }: Issue): Mistake[] {
  if (issue.code === 'unrecognized_keys') {
    // The message of the schema is its list of allowed keys.
    const known = issue.message.split(', ');
    return issue.keys.map((key) => explainKey(path, key, issue.input ?? {}, known));
  }
  const isVariant = issue.code === 'invalid_union' && issue.errors.length === 0;
  const misspelt = isVariant ? findMisspeltVariant(path, issue.input) : null;
  if (misspelt !== null) return [misspelt];
  const value = isVariant ? findValue(issue.input, path.slice(-1)) : issue.input;
  return [{ path, key: false, message: formatIssue(issue, value), meant: [] }];
}

/** The message that a union has in its schema; nothing if it has none. */
function hintOf({ message }: z.core.$ZodIssue): string {
  return message === 'Invalid input' ? '' : `. ${message}`;
}

function formatIssue(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_union' && 'options' in issue) {
    const options = issue.options ?? [];
    const hint = typeof value === 'string' && suggestName(value, options.map(String)) === '' ? hintOf(issue) : '';
    return formatChoice(value, options) + hint;
  }
  const types = listExpectedTypes(issue);
  if (types.length === 0) return issue.message;
  const isChoice = issue.code === 'invalid_value';
  if (value === undefined) return `it is required and missing${isChoice ? `; one of ${types.join(', ')}` : ''}`;
  if (isChoice) return formatChoice(value, issue.values);
  const names = new Set(types.map((type) => TYPE_NAMES[type] ?? formatValue(type)));
  const quoted = isQuoted(value, types) ? '; remove the quotes' : '';
  return `it has to be ${formatList([...names], Infinity, ' or ')}, and is ${describe(value)}${quoted}`;
}

/** A number, true or false in quotes is a text in YAML. */
function isQuoted(value: unknown, types: readonly string[]): boolean {
  if (typeof value !== 'string') return false;
  const isNumber = /^[0-9]+(\.[0-9]+)?$/.test(value) && types.some((type) => type === 'number' || type === 'int');
  return isNumber || (/^(true|false)$/.test(value) && types.includes('boolean'));
}

function formatChoice(value: unknown, values: readonly unknown[]): string {
  const allowed = values.map(String);
  const is = value === undefined ? 'required and missing' : describe(value);
  const shown =
    typeof value === 'string'
      ? `${formatValue(value)} is not allowed${suggestName(value, allowed) || '.'}`
      : `it is ${is}.`;
  return `${shown} Allowed: ${allowed.join(', ')}`;
}

/** Names that other programs have for our keys. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  security: ['ssl', 'tls', 'starttls', 'secure', 'encryption', 'use_ssl', 'use_tls'],
  base_url: ['address', 'link', 'endpoint', 'uri', 'host', 'site'],
  url: ['address', 'link', 'endpoint', 'uri', 'webhook'],
  webhook_url: ['hook', 'address', 'link', 'uri'],
  api_key: ['token', 'secret', 'password', 'bearer'],
  username: ['login', 'account'],
  password: ['pass', 'pwd', 'secret'],
  host: ['server', 'hostname', 'relay', 'smarthost'],
  to: ['recipient', 'recipients', 'mail_to', 'emails', 'addresses'],
  from: ['sender', 'mail_from'],
  interval: ['every', 'frequency', 'period'],
  type: ['kind', 'vendor', 'system'],
  name: ['id', 'title', 'label'],
  receivers: ['contacts', 'notify', 'targets', 'channels', 'notifications'],
  status_pages: ['sources', 'providers', 'sites', 'urls'],
  timezone: ['tz', 'zone'],
};

/** Known keys that an unknown one probably means: by spelling, else by what other programs call them. */
function findMeant(key: string, known: readonly string[]): string[] {
  const near = findNearest(key, known);
  return near.length > 0 ? near : known.filter((one) => OTHER_NAMES[one]?.includes(key.toLowerCase()) === true);
}

function explainKey(path: Path, key: string, mapping: object, known: readonly string[]): Mistake {
  const free = known.filter((one) => !Object.hasOwn(mapping, one));
  const [before = '', after = ''] = key.split(':');
  const glued = after !== '' && known.includes(before);
  const meantFree = glued ? [before] : findMeant(key, free);
  const likely = meantFree.length > 0 ? meantFree : findMeant(key, known);
  const hint = glued ? '; a space is missing after the colon.' : formatSuggestion(likely);
  const message = `unknown key${hint || '.'} Allowed: ${known.join(', ')}`;
  const meant = meantFree.map((one) => [...path, one]);
  return { path: [...path, key], key: true, message, meant };
}

/** Without `type` a receiver cannot be validated, so look for a misspelt one. */
function findMisspeltVariant(path: Path, mapping: unknown): Mistake | null {
  const type = String(path.at(-1));
  const keys = Object.keys(mapping ?? {});
  const written = keys.includes(type) ? undefined : keys.find((key) => findNearest(key, [type]).length > 0);
  if (written === undefined) return null;
  const message = `unknown key; did you mean "${type}"? Allowed: ${type} and what goes with it`;
  return { path: [...path.slice(0, -1), written], key: true, message, meant: [] };
}

/** A mapping with arbitrary keys has no unknown ones: a key similar to a missing one is taken for its misspelling. */
function findMisspeltRequired<T>(
  schema: z.ZodType<unknown, T>,
  draft: unknown,
  { path, issue }: Issue,
): Mistake[] | null {
  const mapping = findValue(draft, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof key !== 'string' || !isObject(mapping) || Object.hasOwn(mapping, key)) return null;
  if (listExpectedTypes(issue).length === 0 || !takesAnyKey(schema, draft, mapping)) return null;
  const written = Object.keys(mapping).find((one) => findNearest(one, [key]).length > 0);
  if (written === undefined) return null;
  const message = `unknown key; did you mean "${key}"? It is required`;
  return [{ path: [...path.slice(0, -1), written], key: true, message, meant: [path] }];
}

function takesAnyKey<T>(schema: z.ZodType<unknown, T>, draft: unknown, mapping: Record<string, unknown>): boolean {
  const probe = 'a key of no schema';
  const isRefused = (issue: z.core.$ZodIssue): boolean =>
    (issue.code === 'unrecognized_keys' && issue.keys.includes(probe)) ||
    (issue.code === 'invalid_union' && issue.errors.flat().some(isRefused));
  mapping[probe] = '';
  const { error } = schema.safeParse(draft);
  Reflect.deleteProperty(mapping, probe);
  return !error?.issues.some(isRefused);
}

/** Describes a value without quoting it. */
function describe(value: unknown): string {
  if (value === null || value === '') return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'a mapping';
  if (typeof value === 'number') return 'a number';
  return typeof value === 'boolean' ? String(value) : 'a text';
}
