/**
 * Parses answers tolerantly by their documented schema. Values are converted if that is unambiguous (numeric text, 0
 * and 1 as boolean, `[]` as empty map); unknown fields and states are kept. A missing or unreadable field becomes null
 * and is recorded as an oddity. Only a wrong frame breaks the contract: no object, no list, or a list whose entries are
 * all unreadable, which differs from an empty one.
 */
import { isObject } from '../core/text/plain-object.ts';
import type { z } from 'zod';
import type { Operation, ResultOf } from './operation.ts';

/** Known shape, but any field may be missing. */
export type Tolerant<T> = T extends readonly (infer E)[]
  ? Tolerant<E>[]
  : T extends object
    ? { [K in keyof T]?: Tolerant<T[K]> | null }
    : T;

/** Return type of an operation. */
export type AnswerOf<Op extends Operation> = Tolerant<ResultOf<Op>>;

/** One deviation from the documentation. */
export interface Oddity {
  /** The omitted part: a field (now null), a row of a list, or an entry of a map. */
  lost: { kind: 'field' } | { kind: 'row' } | { kind: 'entry'; key: string };
  /** Such as `the answer[1] is a number where an object was expected`. */
  text: string;
}

export type ValueReading = { kind: 'read'; value: unknown; oddities: Oddity[] } | { kind: 'broken'; why: string };

/** Limit per answer; more would only fill the log. */
const ODDITIES = 100;
const UNREADABLE = Symbol('unreadable');

/** Never throws. Keeps only the first oddities. */
export function readAnswer(schema: z.ZodType, value: unknown): ValueReading {
  const oddities: Oddity[] = [];
  const read = readValue(schema, value, 'the answer', '', (oddity) => {
    if (oddities.length < ODDITIES) {
      oddities.push(oddity);
    }
  });
  return read === UNREADABLE
    ? { kind: 'broken', why: describeBroken(schema, value) }
    : { kind: 'read', value: read, oddities };
}

function describeBroken(schema: z.ZodType, value: unknown): string {
  const [is, should] = [nameOf(value), wanted(schema)];
  return is === should ? `is ${is} that holds nothing readable` : `is ${is} where ${should} was expected`;
}

type Note = (oddity: Oddity) => void;

/** `path` and `step` name the value together. Nearly every value is as documented and needs no name: it is not built. */
function readValue(schema: z.ZodType, value: unknown, path: string, step: string, note: Note): unknown {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'optional':
      return value === undefined ? undefined : readValue(def.innerType, value, path, step, note);
    case 'nullable':
      return value === null || value === undefined ? null : readValue(def.innerType, value, path, step, note);
    case 'object':
      return readObject(def.shape, value, path + step, note);
    case 'array':
      return readList(def.element, value, path + step, note, isOneOrMany(schema));
    case 'record':
      return readMap(def.valueType, value, path + step, note);
    case 'string':
      return readText(value);
    case 'number':
      return readNumber(value);
    case 'boolean':
      return readFlag(value);
    case 'union': {
      const option = def.options.find((each) => isOfKind(each, value));
      return option === undefined ? UNREADABLE : readValue(option, value, path, step, note);
    }
    case 'unknown':
      return value;
  }
}

type ObjectShape = Readonly<Record<string, z.ZodType>>;

interface ShapeField {
  name: string;
  /** Its part of a path. */
  step: string;
  schema: z.ZodType;
}

/** Memoised: an answer has hundreds of rows of one shape. */
const fieldsOfShapes = new WeakMap<ObjectShape, readonly ShapeField[]>();
const oneOrMany = new WeakMap<z.ZodType, boolean>();

function listFields(shape: ObjectShape): readonly ShapeField[] {
  const known = fieldsOfShapes.get(shape);
  if (known !== undefined) return known;
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, step: `.${name}`, schema }));
  fieldsOfShapes.set(shape, fields);
  return fields;
}

function isOneOrMany(schema: z.ZodType): boolean {
  const known = oneOrMany.get(schema);
  if (known !== undefined) return known;
  const found = schema.meta()?.['x-one-or-many'] === true;
  oneOrMany.set(schema, found);
  return found;
}

function readObject(shape: ObjectShape, value: unknown, path: string, note: Note): unknown {
  if (!isObject(value)) {
    return UNREADABLE;
  }
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (name !== '__proto__' && !Object.hasOwn(shape, name)) read[name] = value[name];
  }
  for (const { name, step, schema } of listFields(shape)) {
    const given: unknown = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined && schema.def.type === 'optional') {
      continue;
    }
    read[name] = readField(schema, given, path, step, note);
  }
  return read;
}

function readField(schema: z.ZodType, given: unknown, path: string, step: string, note: Note): unknown {
  const read = readValue(schema, given, path, step, note);
  if (read !== UNREADABLE) {
    return read;
  }
  note({ lost: { kind: 'field' }, text: `${path}${step} ${describeBroken(schema, given)}` });
  return null;
}

function readList(element: z.ZodType, value: unknown, path: string, note: Note, mayBeOne: boolean): unknown {
  const rows = rowsOf(value, mayBeOne);
  if (rows === null) {
    return UNREADABLE;
  }
  const list: unknown[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    const read = readValue(element, row, path, `[${index}]`, note);
    if (read === UNREADABLE) {
      note({ lost: { kind: 'row' }, text: `${path}[${index}] ${describeBroken(element, row)}` });
    } else {
      list.push(read);
    }
  }
  return list.length === 0 && rows.length > 0 ? UNREADABLE : list;
}

/** PHP sends a list with gaps as an object with numeric keys; some converters send a single row without its list. */
function rowsOf(value: unknown, oneOrMany: boolean): unknown[] | null {
  if (Array.isArray(value)) {
    return value as unknown[];
  }
  if (!isObject(value)) {
    return null;
  }
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key))) {
    return Object.values(value);
  }
  return oneOrMany && keys.length > 0 ? [value] : null;
}

/** Without a prototype, so that keys such as `__proto__` are plain data. */
function readMap(valueType: z.ZodType, value: unknown, path: string, note: Note): unknown {
  // PHP sends an empty map as [], and a map with the keys 0, 1, 2 … as a list.
  if (typeof value !== 'object' || value === null) {
    return UNREADABLE;
  }
  const map = Object.create(null) as Record<string, unknown>;
  const given = value as Record<string, unknown>;
  for (const key of Object.keys(given)) {
    const entry = given[key];
    const read = readValue(valueType, entry, path, `.${key.slice(0, 40)}`, note);
    if (read === UNREADABLE) {
      const text = `${path}.${key.slice(0, 40)} ${describeBroken(valueType, entry)}`;
      note({ lost: { kind: 'entry', key }, text });
    } else {
      map[key] = read;
    }
  }
  return Object.keys(map).length === 0 && Object.keys(value).length > 0 ? UNREADABLE : map;
}

function readText(value: unknown): unknown {
  if (typeof value === 'string') {
    return value;
  }
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : UNREADABLE;
}

function readNumber(value: unknown): unknown {
  if (typeof value === 'number' && Number.isFinite(value)) {
    return value;
  }
  if (typeof value === 'boolean') {
    return value ? 1 : 0;
  }
  const number =
    typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value.trim()) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : UNREADABLE;
}

/** Any other value is unreadable. */
function readFlag(value: unknown): boolean | typeof UNREADABLE {
  switch (value) {
    case true:
    case 1:
    case '1':
    case 'true':
      return true;
    case false:
    case 0:
    case '0':
    case 'false':
      return false;
    default:
      return UNREADABLE;
  }
}

type Definition =
  | { type: 'optional' | 'nullable'; innerType: z.ZodType }
  | { type: 'object'; shape: ObjectShape }
  | { type: 'array'; element: z.ZodType }
  | { type: 'record'; valueType: z.ZodType }
  | { type: 'union'; options: readonly z.ZodType[] }
  | { type: 'string' | 'number' | 'boolean' | 'unknown' };

const UNDERSTOOD = [
  'optional',
  'nullable',
  'object',
  'array',
  'record',
  'string',
  'number',
  'boolean',
  'union',
  'unknown',
];

/** The catalogue uses few kinds of schema; a new kind must be added here first. */
function definitionOf(schema: z.ZodType): Definition {
  if (!UNDERSTOOD.includes(schema.def.type)) {
    throw new Error(`the reader of answers does not know schemas of type ${schema.def.type}`);
  }
  return schema.def as unknown as Definition;
}

/** Matches a value to a branch of a union, strictly. */
function isOfKind(schema: z.ZodType, value: unknown): boolean {
  switch (schema.def.type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    default:
      return typeof value === schema.def.type;
  }
}

function nameOf(value: unknown): string {
  if (value === undefined) {
    return 'missing';
  }
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function wanted(schema: z.ZodType): string {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return wanted(def.innerType);
    case 'array':
      return 'a list';
    case 'object':
    case 'record':
      return 'an object';
    case 'union':
      return def.options.map(wanted).join(' or ');
    case 'unknown':
      return 'anything';
    default:
      return `a ${def.type}`;
  }
}
