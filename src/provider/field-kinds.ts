/**
 * The kinds of field the two interfaces use, each with its meaning. An answer's values are described and
 * not enforced: the provider has sent states outside its specification before and will again. What is secret of it (passwords, codes, addresses that open a
 * recording) is struck out before it is shown.
 */
import * as z from 'zod';
import type { Operation } from './operation.ts';

/** Longest digits that are a JSON number without loss. */
const SAFE_DIGITS = /^(0|[1-9][0-9]{0,14})$/;

/** Text of one of the documented values; others are taken as given. */
export function stateText(values: readonly string[], description: string): z.ZodString {
  return z.string().meta({ description: `${description} One of: ${values.join(', ')}.`, examples: [...values] });
}

/** ISO 8601 in UTC with milliseconds and a trailing Z. */
export function timestamp(description: string): z.ZodString {
  return z.string().meta({ description, examples: ['2026-01-31T23:59:59.000Z'] });
}

/** `YYYY-MM-DD HH:MM:SS` in an answer. */
export function datetimeText(description: string): z.ZodString {
  return z.string().meta({ description, examples: ['2026-01-31 23:59:59'] });
}

/** Seconds since the Unix epoch. */
export function epoch(description: string): z.ZodInt {
  return z.int().meta({ description, examples: [1_769_904_000] });
}

export function text(description: string): z.ZodString {
  return z.string().meta({ description });
}

export function integer(description: string): z.ZodInt {
  return z.int().meta({ description });
}

export function flag(description: string): z.ZodBoolean {
  return z.boolean().meta({ description });
}

/** An integer that says yes (1) or no (0). */
export function oneOrZero(description: string): z.ZodInt {
  return z.int().meta({ description: `${description} 1 yes, 0 no.`, examples: [0, 1] });
}

/** A field the specification calls nullable without giving a type. */
export function untyped(
  description: string,
): z.ZodNullable<z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean]>> {
  return z.union([z.string(), z.number(), z.boolean()]).nullable().meta({ description });
}

/**
 * Digits that are no quantity: telephone numbers and codes. They are text with us, because `0123` and `000`
 * are not numbers; `x-wire: integer` says that the specification types them as integers, so they travel as
 * a JSON number where that loses nothing.
 */
export function digits(description: string): z.ZodString {
  return z
    .string()
    .regex(/^[0-9]{1,20}$/, 'must be digits only')
    .meta({ description, 'x-wire': 'integer' });
}

/** Digits of an answer that the specification types as an integer: telephone numbers, prefixes. */
export function digitsAnswer(description: string): z.ZodString {
  return z.string().meta({ description, 'x-wire': 'integer' });
}

/** Whether the specification types this text as an integer. */
export function isSentAsInteger(schema: z.ZodType): boolean {
  return schema.meta()?.['x-wire'] === 'integer';
}

/** The form in which digits travel: a JSON number where nothing is lost, else text. */
export function encodeDigits(value: string): number | string {
  return SAFE_DIGITS.test(value) ? Number(value) : value;
}

/** Like `digits`, with a pattern of its own and words for what is right. */
export function digitsLike(pattern: RegExp, rule: string, description: string): z.ZodString {
  return z.string().regex(pattern, rule).meta({ description, 'x-wire': 'integer' });
}

/** Text that must say something. */
export function someText(description: string): z.ZodString {
  return z.string().min(1, 'must not be empty').meta({ description });
}

/** A 4-digit voicemail code; specification section 8. Text, because 0123 is a code and 123 is none. */
export function voicemailCode(): z.ZodString {
  return secret(digitsLike(/^[0-9]{4}$/, 'must be 4 digits', '4-digit voicemail code.'));
}

/** A telephone number in E.164. The plus sign is recommended by the specification and not required. */
export function e164(description: string): z.ZodString {
  return z
    .string()
    .regex(/^\+?[1-9][0-9]{6,14}$/, 'must be an international number such as +61400000000')
    .meta({ description, examples: ['+61400000000'] });
}

/** The name of a time zone. */
export function zone(description: string): z.ZodString {
  return z
    .string()
    .refine(isZone, 'must be the name of a time zone such as Australia/Melbourne')
    .meta({ description, examples: ['Australia/Melbourne'] });
}

/** By what the platform knows, aliases included. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // The only way the platform tells that it does not know a zone.
    return false;
  }
}

/** `YYYY-MM-DD HH:MM:SS` of input: a moment that exists. */
export function datetimeInput(description: string): z.ZodString {
  return z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'must have the form YYYY-MM-DD HH:MM:SS')
    .refine(isDatetime, 'must be a date and time that exist')
    .meta({ description, examples: ['2026-01-31 23:59:59'], 'x-time': 'datetime' });
}

function isDatetime(value: string): boolean {
  const time = new Date(`${value.replace(' ', 'T')}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value.replace(' ', 'T'));
}

export function mailAddresses(description: string): z.ZodArray<z.ZodString> {
  return z.array(z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be a mail address')).meta({ description });
}

/** Marks what is shown only when asked for: passwords, codes and addresses that open a recording. */
export function secret<S extends z.ZodType>(schema: S): S {
  return schema.meta({ ...schema.meta(), 'x-secret': true });
}

function isSecret(schema: z.ZodType): boolean {
  return schema.meta()?.['x-secret'] === true;
}

export const MASK = '[hidden]';

/** A copy of an answer of this operation without its secrets; fields nobody documented stay as they are. */
export function maskSecrets(operation: Operation, answer: unknown): unknown {
  return mask(operation.result, answer);
}

/** A copy of the input of an operation without its secrets, to show what would be sent. */
export function maskInput(operation: Operation, input: Readonly<Record<string, unknown>>): unknown {
  return mask(z.object({ ...operation.params.shape, ...operation.query.shape, ...operation.body.shape }), input);
}

function mask(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined) {
    return value;
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return mask(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodUnion) {
    const option = schema.options.find((each) => each instanceof z.ZodArray === Array.isArray(value));
    return option === undefined ? value : mask(option, value);
  }
  if (schema instanceof z.ZodType && isSecret(schema)) {
    return MASK;
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((entry) => mask(schema.element, entry));
  }
  if (schema instanceof z.ZodRecord && typeof value === 'object') {
    return mapEntries(value, (entry) => mask(schema.valueType, entry));
  }
  if (schema instanceof z.ZodObject && typeof value === 'object') {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    return mapEntries(value, (entry, name) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return field === undefined ? entry : mask(field, entry);
    });
  }
  return value;
}

/** Keeps the absence of a prototype, which keeps a key such as `__proto__` harmless. */
function mapEntries(value: object, change: (entry: unknown, name: string) => unknown): object {
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
  for (const [name, entry] of Object.entries(value)) {
    Object.defineProperty(copy, name, {
      value: change(entry, name),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}
