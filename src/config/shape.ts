/**
 * Holds a value against a schema and says everything that is wrong with it in sentences. What YAML or a
 * reference wrote in another type is understood first: `password: 12345` is a text, `port: ${env:PORT}` a number,
 * `accounts:` with everything below it commented out is no section at all.
 */
import { z } from 'zod';
import { anyOf } from './fields.ts';
import { didYouMean, nearest } from './nearest.ts';
import { quote } from './problem.ts';
import { numberingOf, originalPath, removeAll, valueAt } from './pruning.ts';
import type { Numbering } from './pruning.ts';
import type { Path } from './problem.ts';
import { isSecretKey } from './secrets.ts';

export interface ShapeMistake {
  path: Path;
  /** Whether the key itself is to blame, not its value. */
  key: boolean;
  message: string;
  /** The keys an unknown one probably stands for. */
  meant?: string[];
  /** Whether something required is not there. */
  missing?: boolean;
}

export interface Written {
  /** How a scalar stood in the file, null where that is unknown. */
  written(path: Path): string | null;
  /** Whether the value came from a reference: a text whatever it should be. */
  replaced(path: Path): boolean;
  /** Whether it still holds a reference nobody could read; that has been told. */
  unresolved(path: Path): boolean;
}

export interface Shape<T> {
  /** What is right of it; null where too little is. */
  draft: T | null;
  mistakes: ShapeMistake[];
  /** Where something in the draft stands in the file, whose lists may have lost wrong entries. */
  original: (path: Path) => Path;
}

interface Issue {
  path: Path;
  issue: z.core.$ZodIssue;
  /** The types any of which would do, for a value of none of them. */
  expected: string[];
}

export function holdAgainst<T>(schema: z.ZodType<T>, value: unknown, written: Written): Shape<T> {
  const copy: unknown = structuredClone(value);
  const numbering = numberingOf(value);
  const original = (path: Path): Path => originalPath(numbering, path);
  let mistakes: ShapeMistake[] | null = null;
  // Every round mends or removes something; the bound only guards against a mistake in this loop itself.
  for (let round = 0; round < 1_000; round += 1) {
    const outcome = schema.safeParse(copy, { reportInput: true });
    if (outcome.success) return { draft: outcome.data, mistakes: mistakes ?? [], original };
    const issues = outcome.error.issues.flatMap((issue) => flatten(issue, []));
    const retyped = issues.filter((one) => retype(copy, one, written, numbering));
    if (retyped.length > 0) continue;
    mistakes ??= withoutEchoes(issues.flatMap((one) => explain(one, schema, copy)));
    if (!prune(copy, issues, numbering)) break;
  }
  return { draft: null, mistakes: mistakes ?? [], original };
}

/** A misspelt key makes the right one missing, which is the same mistake once more. */
function withoutEchoes(mistakes: readonly ShapeMistake[]): ShapeMistake[] {
  const meant = new Set(mistakes.flatMap(({ path, meant: keys = [] }) => keys.map((key) => sibling(path, key))));
  return mistakes.filter(({ path, missing }) => missing !== true || !meant.has(JSON.stringify(path)));
}

function sibling(path: Path, key: string): string {
  return JSON.stringify([...path.slice(0, -1), key]);
}

/** The issues inside a union are those of the branch that was meant. */
function flatten(issue: z.core.$ZodIssue, base: Path): Issue[] {
  const path = [...base, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
    return [{ path, issue, expected: issue.code === 'invalid_type' ? [issue.expected] : [] }];
  }
  const meant = issue.errors.find((branch) => !branch.some(isOtherType));
  if (meant !== undefined) return meant.flatMap((inner) => flatten(inner, path));
  const expected = issue.errors.flatMap((branch) => branch.map(typeExpected));
  return [{ path, issue, expected }];
}

function isOtherType(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function typeExpected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return issue.expected;
  return issue.code === 'invalid_value' ? issue.values.map(String).join(', ') : issue.code;
}

/** Gives the value the type it was meant to have; false where that is not what is wrong. */
function retype(root: unknown, { path, expected }: Issue, written: Written, numbering: Numbering): boolean {
  const holder = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (key === undefined || typeof holder !== 'object' || holder === null) return false;
  const record = holder as Record<string | number, unknown>;
  const value = record[key];
  if (expected.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    record[key] = written.written(path) ?? String(value);
    return true;
  }
  if (typeof value === 'string' && written.replaced(path)) {
    if (written.unresolved(path)) {
      if (expected.includes('string')) return false;
      // Nobody knows what will stand there; until then it is as if nothing did.
      removeAll(root, [path], numbering);
      return true;
    }
    if ((expected.includes('number') || expected.includes('int')) && /^[0-9]+(\.[0-9]+)?$/.test(value)) {
      record[key] = Number(value);
      return true;
    }
    if (expected.includes('boolean') && (value === 'true' || value === 'false')) {
      record[key] = value === 'true';
      return true;
    }
  }
  const section = expected.some((type) => type === 'object' || type === 'array' || type === 'record');
  if (value === null && section && typeof key === 'string' && Object.hasOwn(record, key)) {
    return Reflect.deleteProperty(record, key);
  }
  return false;
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

function explain({ path, issue, expected }: Issue, schema: z.ZodType, root: unknown): ShapeMistake[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => explainKey(key, path, schema, root));
  const misspelt =
    issue.code === 'invalid_union' && issue.errors.length === 0 ? misspeltDiscriminator(path, root) : null;
  return [misspelt ?? explainValue(path, issue, expected, valueAt(root, path))];
}

function explainValue(path: Path, issue: z.core.$ZodIssue, expected: readonly string[], value: unknown): ShapeMistake {
  if (issue.code === 'invalid_union' && issue.errors.length === 0)
    return explainChoice(path, value, unionOptions(issue));
  if (
    value === undefined &&
    (issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union')
  ) {
    return { path, key: false, missing: true, message: `it is required and missing${choices(issue)}` };
  }
  if (expected.length > 0) {
    const names = expected.map((type) => TYPE_NAMES[type] ?? quote(type));
    return { path, key: false, message: `it has to be ${anyOf([...new Set(names)])}, and is ${describe(value)}` };
  }
  if (issue.code === 'invalid_value') return explainChoice(path, value, issue.values.map(String));
  return { path, key: false, message: issue.message };
}

function choices(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' ? `; one of ${issue.values.map(String).join(', ')}` : '';
}

function unionOptions(issue: z.core.$ZodIssue): string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
}

function explainChoice(path: Path, value: unknown, allowed: readonly string[]): ShapeMistake {
  const options = `Allowed: ${allowed.join(', ')}`;
  if (value === undefined)
    return { path, key: false, missing: true, message: `it is required and missing. ${options}` };
  const secret = path.some((key) => typeof key === 'string' && isSecretKey(key));
  if (secret || typeof value !== 'string') return { path, key: false, message: `it is ${describe(value)}. ${options}` };
  return { path, key: false, message: `${quote(value)} is not allowed${didYouMean(value, allowed) || '.'} ${options}` };
}

function explainKey(key: string, path: Path, schema: z.ZodType, root: unknown): ShapeMistake {
  const allowed = keysAt(schema, root, path);
  const taken = valueAt(root, path);
  const free = allowed.filter((one) => typeof taken !== 'object' || taken === null || !Object.hasOwn(taken, one));
  const [before = '', after = ''] = key.split(':');
  const glued = after !== '' && allowed.includes(before);
  const hint = glued ? '; a space is missing after the colon.' : didYouMean(key, free) || didYouMean(key, allowed);
  return {
    path: [...path, key],
    key: true,
    meant: glued ? [before] : nearest(key, free),
    message: `unknown key${hint || '.'} Allowed: ${allowed.join(', ')}`,
  };
}

/** Without its `type` nothing else of a receiver can be judged, so a misspelt one is looked for among its keys. */
function misspeltDiscriminator(path: Path, root: unknown): ShapeMistake | null {
  const holder = valueAt(root, path.slice(0, -1));
  const wanted = path.at(-1);
  if (typeof wanted !== 'string' || typeof holder !== 'object' || holder === null || Object.hasOwn(holder, wanted))
    return null;
  const written = Object.keys(holder).find((key) => nearest(key, [wanted]).length > 0);
  if (written === undefined) return null;
  const message = `unknown key; did you mean "${wanted}"? Allowed: ${wanted} and what goes with it`;
  return { path: [...path.slice(0, -1), written], key: true, message };
}

/** What a value is, without what it says. */
function describe(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'number') return 'a number';
  return typeof value === 'boolean' ? String(value) : 'a text';
}

/** The keys a mapping at this path may have, in the order of the schema. */
function keysAt(schema: z.ZodType, root: unknown, path: Path): string[] {
  let current: z.core.$ZodType | null = schema;
  let value = root;
  for (const key of [...path, null]) {
    current = objectIn(current, value);
    if (current === null || key === null) break;
    if (current instanceof z.ZodObject) current = current.shape[key] ?? null;
    else if (current instanceof z.ZodArray) current = current.element;
    else if (current instanceof z.ZodRecord) current = current.valueType;
    value = valueAt(value, [key]);
  }
  return current instanceof z.ZodObject ? Object.keys(current.shape) : [];
}

/** Behind what may be absent, and of a choice the one that goes with the value. */
function objectIn(schema: z.core.$ZodType | null, value: unknown): z.core.$ZodType | null {
  let current = schema;
  while (current instanceof z.ZodOptional) current = current.unwrap();
  if (current instanceof z.ZodDiscriminatedUnion) {
    const type = valueAt(value, ['type']);
    const option = current.options.find(
      (one) =>
        one instanceof z.ZodObject && one.shape['type'] instanceof z.ZodLiteral && one.shape['type'].value === type,
    );
    return option ?? null;
  }
  if (current instanceof z.ZodUnion)
    return current.options.find((one) => one instanceof (Array.isArray(value) ? z.ZodArray : z.ZodObject)) ?? null;
  return current;
}

/** Takes away what is wrong, so that the rest can be looked at: the value, or the entry that lacks something. */
function prune(root: unknown, issues: readonly Issue[], numbering: Numbering): boolean {
  const paths = issues.flatMap(({ path, issue }) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
    let at = path;
    while (at.length > 0 && valueAt(root, at) === undefined) at = at.slice(0, -1);
    return [at];
  });
  if (paths.some((path) => path.length === 0)) return false;
  removeAll(root, paths, numbering);
  return true;
}
