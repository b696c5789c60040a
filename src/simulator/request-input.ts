/**
 * Parses requests with an operation's schemas. Paths and queries are text, and clients write digits as numbers or text:
 * any form the schema accepts is valid.
 */
import type { z } from 'zod';

export type FieldErrors = Record<string, string[]>;

export interface RequestInput {
  values: Record<string, unknown>;
  /** By field, in the wording of a 422 response. */
  errors: FieldErrors;
}

/** Possible interpretations of a value, as written first. */
function* readings(value: unknown): Generator {
  yield value;
  if (typeof value === 'number') yield String(value);
  if (value === 0 || value === '0' || value === 'false') yield false;
  if (value === 1 || value === '1' || value === 'true') yield true;
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) yield Number(value);
  if (typeof value === 'boolean') yield Number(value);
  if (Array.isArray(value)) {
    yield value.map(String);
    const numbers = value.map(Number);
    if (numbers.every((number) => Number.isFinite(number))) yield numbers;
  } else if (value !== null && value !== undefined && typeof value !== 'object') {
    yield [value];
    yield [String(value)];
    yield [Number(value)];
  }
}

/** Ignores unknown fields, as the real interface does. */
export function readInput(schema: z.ZodObject, given: Readonly<Record<string, unknown>>): RequestInput {
  const values: Record<string, unknown> = {};
  const errors: FieldErrors = {};
  for (const [name, field] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const reading = understand(field, value);
    if (reading !== null) {
      if (reading.value !== undefined) values[name] = reading.value;
      continue;
    }
    const spoken = name.replaceAll('_', ' ');
    errors[name] = [
      value === undefined || value === null || value === ''
        ? `The ${spoken} field is required.`
        : `The ${spoken} field is invalid.`,
    ];
  }
  if (Object.keys(errors).length === 0) noteWhole(schema, values, errors);
  return { values, errors };
}

/** Errors across fields, such as an end before its start. */
function noteWhole(schema: z.ZodObject, values: Record<string, unknown>, errors: FieldErrors): void {
  for (const issue of schema.safeParse(values).error?.issues ?? []) {
    const name = String(issue.path[0] ?? 'request');
    errors[name] = [...(errors[name] ?? []), `The ${name.replaceAll('_', ' ')} field ${issue.message}.`];
  }
}

function understand(field: z.ZodType, value: unknown): { value: unknown } | null {
  for (const reading of readings(value)) {
    const parsed = field.safeParse(reading);
    if (parsed.success) return { value: parsed.data };
  }
  return null;
}

/** `a=1&b[]=2&b[]=3&c[0]=4` as an object; repeated or indexed names become lists. */
export function readQuery(search: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of search) {
    const list = /^(?<base>[^[]+)\[\d*\]$/.exec(name)?.groups?.['base'];
    const key = list ?? name;
    const before = values[key];
    if (list === undefined && before === undefined) values[key] = value;
    else values[key] = [...(Array.isArray(before) ? before : before === undefined ? [] : [before]), value];
  }
  return values;
}
