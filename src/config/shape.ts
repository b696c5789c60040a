/**
 * Holds a value against a schema and says everything that is wrong with it in sentences. What YAML or a
 * reference wrote in another type is understood first: `password: 12345` is a text, `port: ${env:PORT}` a number,
 * `accounts:` with everything below it commented out is no section at all.
 */
import * as z from 'zod';
import { didYouMean, nearest } from './nearest.ts';
import { isMapping, quote, valueAt, type Path } from './problem.ts';
import { isSecretKey } from './secrets.ts';
import { listed } from '../core/text/plain.ts';

interface ShapeMistake {
  path: Path;
  /** Whether the key itself is to blame, not its value. */
  key: boolean;
  message: string;
  /** The keys an unknown one probably stands for. */
  meant?: string[];
  /** Whether something required is not there. */
  missing?: boolean;
}

interface AsWritten {
  /** How a scalar stood in the file, null where that is unknown. */
  written(path: Path): string | null;
  /** Whether the value came from a reference: a text whatever it should be. */
  replaced(path: Path): boolean;
  /** Whether it still holds a reference nobody could read; that has been told. */
  unresolved(path: Path): boolean;
}

interface Shape<T> {
  /** What is right of it, as it is written; null where too little is. */
  draft: T | null;
  mistakes: ShapeMistake[];
  /** The paths (as JSON) in the file of what is wrong, and of what a misspelt key was meant to be. */
  amiss: ReadonlySet<string>;
  /** Where something in the draft stands in the file, whose lists may have lost wrong entries. */
  original: (path: Path) => Path;
}

interface Issue {
  /** In the file. */
  path: Path;
  issue: z.core.$ZodIssue;
  /** The types any of which would do, for a value of none of them. */
  expected: string[];
}

/** The keys a mapping may have, by the list of those it may not have. */
type Allowed = WeakMap<readonly string[], string[]>;

export function holdAgainst<T>(schema: z.ZodType<unknown, T>, value: unknown, written: AsWritten): Shape<T> {
  const rest: unknown = structuredClone(value);
  const allowed: Allowed = new WeakMap();
  const error: z.core.$ZodErrorMap = ({ code, inst, keys }) => {
    if (code === 'unrecognized_keys' && inst instanceof z.ZodObject) allowed.set(keys, Object.keys(inst.shape));
    return undefined;
  };
  let mistakes: ShapeMistake[] | null = null;
  let amiss: ReadonlySet<string> = new Set();
  let original = (path: Path): Path => path;
  // Every round mends or removes something; the bound only guards against a mistake in this loop itself.
  for (let round = 0; round < 1_000; round += 1) {
    const numbers: Numbers = new WeakMap();
    const kept = closedUp(rest, numbers);
    original = (path) => numberedAsWritten(path, kept, numbers);
    const outcome = schema.safeParse(kept, { error });
    if (outcome.success) return { draft: kept as T, mistakes: mistakes ?? [], amiss, original };
    const issues = outcome.error.issues
      .flatMap((issue) => flatten(issue, []))
      .map((one) => ({ ...one, path: original(one.path) }));
    if (issues.filter((one) => retype(rest, one, written)).length > 0) continue;
    if (mistakes === null) {
      const all = issues.flatMap((one) => explain(one, rest, allowed));
      const meant = new Set(all.flatMap(pathsMeant));
      // A misspelt key makes the right one missing, which is the same mistake once more.
      mistakes = all.filter(({ path, missing }) => missing !== true || !meant.has(JSON.stringify(path)));
      amiss = meant.union(new Set(all.map(({ path }) => JSON.stringify(path))));
    }
    if (!prune(rest, issues)) break;
  }
  return { draft: null, mistakes: mistakes ?? [], amiss, original };
}

/** In the place of an entry of a list that was taken out, so that the others keep their numbers. */
const REMOVED = Symbol('removed');

/** The number in the file of each entry of a list. */
type Numbers = WeakMap<object, number[]>;

function closedUp(value: unknown, numbers: Numbers): unknown {
  if (Array.isArray(value)) {
    const kept = [...value.keys()].filter((index) => value[index] !== REMOVED);
    const entries = kept.map((index) => closedUp(value[index], numbers));
    numbers.set(entries, kept);
    return entries;
  }
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closedUp(inner, numbers)]));
}

function numberedAsWritten(path: Path, kept: unknown, numbers: Numbers): Path {
  let holder = kept;
  return path.map((key) => {
    const number = Array.isArray(holder) && typeof key === 'number' ? numbers.get(holder)?.[key] : undefined;
    holder = valueAt(holder, [key]);
    return number ?? key;
  });
}

/** Takes away what is wrong, so that the rest can be looked at: the value, or the entry that lacks something. */
function prune(root: unknown, issues: readonly Issue[]): boolean {
  const paths = issues.flatMap(({ path, issue }) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
    return [path.slice(0, path.findLastIndex((_, index) => valueAt(root, path.slice(0, index + 1)) !== undefined) + 1)];
  });
  if (paths.some((path) => path.length === 0)) return false;
  for (const path of paths) remove(root, path);
  return true;
}

function remove(root: unknown, path: Path): void {
  const holder = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (Array.isArray(holder) && typeof key === 'number') holder[key] = REMOVED;
  else if (isMapping(holder) && key !== undefined) Reflect.deleteProperty(holder, key);
}

function pathsMeant({ path, meant = [] }: ShapeMistake): string[] {
  return meant.map((key) => JSON.stringify([...path.slice(0, -1), key]));
}

/** The issues inside a union are those of the branch that was meant. */
function flatten(issue: z.core.$ZodIssue, base: Path): Issue[] {
  const path = [...base, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
    return [{ path, issue, expected: issue.code === 'invalid_type' ? [issue.expected] : [] }];
  }
  const meant = issue.errors.find((branch) => !branch.some(isOtherType));
  if (meant !== undefined) return meant.flatMap((inner) => flatten(inner, path));
  return [{ path, issue, expected: issue.errors.flatMap((branch) => branch.map(typeExpected)) }];
}

function isOtherType(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function typeExpected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return issue.expected;
  return issue.code === 'invalid_value' ? issue.values.map(String).join(', ') : issue.code;
}

/** Gives the value the type it was meant to have; false where that is not what is wrong. */
function retype(root: unknown, { path, expected }: Issue, written: AsWritten): boolean {
  const holder = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (key === undefined || typeof holder !== 'object' || holder === null) return false;
  const value = valueAt(holder, [key]);
  const wanted = (...types: string[]): boolean => types.some((type) => expected.includes(type));
  const become = (meant: unknown): boolean => Reflect.set(holder, key, meant);
  if (wanted('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    return become(written.written(path) ?? String(value));
  }
  if (typeof value === 'string' && written.replaced(path)) {
    if (written.unresolved(path)) {
      // Nobody knows what will stand there; until then it is as if nothing did.
      if (!wanted('string')) remove(root, path);
      return !wanted('string');
    }
    if (wanted('number', 'int') && /^[0-9]+(\.[0-9]+)?$/.test(value)) return become(Number(value));
    if (wanted('boolean') && (value === 'true' || value === 'false')) return become(value === 'true');
  }
  const empty = value === null && typeof key === 'string' && wanted('object', 'array', 'record');
  if (empty) remove(root, path);
  return empty;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping (key: value)',
  record: 'a mapping (key: value)',
};

function explain({ path, issue, expected }: Issue, root: unknown, allowed: Allowed): ShapeMistake[] {
  const value = valueAt(root, path);
  const wrong = { path, key: false };
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => explainKey([...path, key], value, allowed.get(issue.keys) ?? []));
  }
  if (issue.code === 'invalid_union' && issue.errors.length === 0) {
    const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
    return [misspeltDiscriminator(path, root) ?? explainChoice(path, value, options)];
  }
  const choices = issue.code === 'invalid_value' ? issue.values.map(String) : null;
  if (value === undefined && (choices !== null || expected.length > 0)) {
    const message = `it is required and missing${choices === null ? '' : `; one of ${choices.join(', ')}`}`;
    return [{ ...wrong, missing: true, message }];
  }
  if (expected.length > 0) {
    const names = new Set(expected.map((type) => TYPE_NAMES[type] ?? quote(type)));
    return [{ ...wrong, message: `it has to be ${listed([...names], Infinity, ' or ')}, and is ${describe(value)}` }];
  }
  return [choices === null ? { ...wrong, message: issue.message } : explainChoice(path, value, choices)];
}

function explainChoice(path: Path, value: unknown, allowed: readonly string[]): ShapeMistake {
  const missing = value === undefined;
  const secret = path.some((key) => typeof key === 'string' && isSecretKey(key));
  const shown =
    secret || typeof value !== 'string'
      ? `it is ${missing ? 'required and missing' : describe(value)}.`
      : `${quote(value)} is not allowed${didYouMean(value, allowed) || '.'}`;
  return { path, key: false, missing, message: `${shown} Allowed: ${allowed.join(', ')}` };
}

function explainKey(path: Path, mapping: unknown, allowed: readonly string[]): ShapeMistake {
  const key = String(path.at(-1));
  const free = allowed.filter((one) => valueAt(mapping, [one]) === undefined);
  const [before = '', after = ''] = key.split(':');
  const glued = after !== '' && allowed.includes(before);
  const hint = glued ? '; a space is missing after the colon.' : didYouMean(key, free) || didYouMean(key, allowed);
  const message = `unknown key${hint || '.'} Allowed: ${allowed.join(', ')}`;
  return { path, key: true, meant: glued ? [before] : nearest(key, free), message };
}

/** Without its `type` nothing else of a receiver can be judged, so a misspelt one is looked for among its keys. */
function misspeltDiscriminator(path: Path, root: unknown): ShapeMistake | null {
  const around = path.slice(0, -1);
  const wanted = String(path.at(-1));
  const keys = Object.keys(valueAt(root, around) ?? {});
  const written = keys.includes(wanted) ? undefined : keys.find((key) => nearest(key, [wanted]).length > 0);
  if (written === undefined) return null;
  const message = `unknown key; did you mean "${wanted}"? Allowed: ${wanted} and what goes with it`;
  return { path: [...around, written], key: true, message };
}

/** What a value is, without what it says. */
function describe(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (isMapping(value)) return 'a mapping';
  if (typeof value === 'number') return 'a number';
  return typeof value === 'boolean' ? String(value) : 'a text';
}
