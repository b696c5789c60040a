/**
 * Field types of both interfaces. Values of answers are documented but not enforced, because the provider sends states
 * outside its specification. Secret fields (passwords, codes, URLs of recordings) are masked before display.
 */
import { isTimeZone } from '../core/text/time-zone.ts';
import * as z from 'zod';
import type { Operation } from './operation.ts';
import { describeSchema } from '../net/schema.ts';

/** Digits that a JSON number represents exactly. */
const SAFE_DIGITS = /^(0|[1-9][0-9]{0,14})$/;

/** Documented values; others are accepted unchanged. */
export function stateText(values: readonly string[], description: string): z.ZodString {
  return describeSchema(z.string(), {
    description: `${description} One of: ${values.join(', ')}.`,
    examples: [...values],
  });
}

/** ISO 8601 in UTC with milliseconds and a trailing Z. */
export function timestamp(description: string): z.ZodString {
  return describeSchema(z.string(), { description, examples: ['2026-01-31T23:59:59.000Z'] });
}

/** `YYYY-MM-DD HH:MM:SS` in an answer. */
export function datetimeText(description: string): z.ZodString {
  return describeSchema(z.string(), { description, examples: ['2026-01-31 23:59:59'] });
}

/** Seconds since the Unix epoch. */
export function epoch(description: string): z.ZodInt {
  return describeSchema(z.int(), { description, examples: [1_769_904_000] });
}

export function text(description: string): z.ZodString {
  return describeSchema(z.string(), { description });
}

export function integer(description: string): z.ZodInt {
  return describeSchema(z.int(), { description });
}

export function flag(description: string): z.ZodBoolean {
  return describeSchema(z.boolean(), { description });
}

/** 1 or 0 as yes or no. */
export function oneOrZero(description: string): z.ZodInt {
  return describeSchema(z.int(), { description: `${description} 1 yes, 0 no.`, examples: [0, 1] });
}

/** Nullable in the specification, without a type. */
export function untyped(
  description: string,
): z.ZodNullable<z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean]>> {
  return describeSchema(z.union([z.string(), z.number(), z.boolean()]).nullable(), { description });
}

/**
 * Digits that are no quantity: telephone numbers and codes. Kept as text, because `0123` and `000` are no numbers.
 * `x-wire: integer`: the specification types them as integer, so they are sent as a JSON number if that is exact.
 */
export function digits(description: string): z.ZodString {
  return describeSchema(z.string().regex(/^[0-9]{1,20}$/, 'must be digits only'), { description, 'x-wire': 'integer' });
}

/** Digits of an answer, typed as integer in the specification: telephone numbers, prefixes. */
export function digitsAnswer(description: string): z.ZodString {
  return describeSchema(z.string(), { description, 'x-wire': 'integer' });
}

/** True if the specification types this text as integer. */
export function isSentAsInteger(schema: z.ZodType): boolean {
  return schema.meta()?.['x-wire'] === 'integer';
}

/** Wire format of digits: a JSON number if exact, else text. */
export function encodeDigits(value: string): number | string {
  return SAFE_DIGITS.test(value) ? Number(value) : value;
}

/** Like `digits`, with its own pattern and rule. */
export function digitsLike(pattern: RegExp, rule: string, description: string): z.ZodString {
  return describeSchema(z.string().regex(pattern, rule), { description, 'x-wire': 'integer' });
}

export function nonEmptyText(description: string): z.ZodString {
  return describeSchema(z.string().min(1, 'must not be empty'), { description });
}

/** A 4-digit voicemail code (specification section 8), as text: 0123 is a code, 123 is not. */
export function voicemailCode(): z.ZodString {
  return secret(digitsLike(/^[0-9]{4}$/, 'must be 4 digits', '4-digit voicemail code.'));
}

/** E.164; the specification recommends the plus sign without requiring it. */
export function e164(description: string): z.ZodString {
  return describeSchema(
    z.string().regex(/^\+?[1-9][0-9]{6,14}$/, 'must be an international number such as +61400000000'),
    { description, examples: ['+61400000000'] },
  );
}

/** IANA time zone. */
export function zone(description: string): z.ZodString {
  const field = z.string().refine(isTimeZone, 'must be the name of a time zone such as Australia/Melbourne');
  return describeSchema(field, { description, examples: ['Australia/Melbourne'] });
}

/** `YYYY-MM-DD HH:MM:SS` of an existing time. */
export function datetimeInput(description: string): z.ZodString {
  const field = z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'must have the form YYYY-MM-DD HH:MM:SS')
    .refine(isDatetime, 'must be a date and time that exist');
  return describeSchema(field, { description, examples: ['2026-01-31 23:59:59'], 'x-time': 'datetime' });
}

function isDatetime(value: string): boolean {
  const time = new Date(`${value.replace(' ', 'T')}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value.replace(' ', 'T'));
}

export function mailAddresses(description: string): z.ZodArray<z.ZodString> {
  return describeSchema(z.array(z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be a mail address')), { description });
}

/** Marks fields that are shown only on request: passwords, codes and URLs of recordings. */
export function secret<S extends z.ZodType>(schema: S): S {
  return schema.meta({ ...schema.meta(), 'x-secret': true });
}

function isSecret(schema: z.ZodType): boolean {
  return schema.meta()?.['x-secret'] === true;
}

export const MASK = '[hidden]';

/** Copies an answer without its secrets; undocumented fields stay. */
export function maskSecrets(operation: Operation, answer: unknown): unknown {
  return mask(operation.result, answer);
}

/** Copies an input without its secrets, to show a request before it is sent. */
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

/** Keeps objects without a prototype, so that keys such as `__proto__` stay harmless. */
export function mapEntries(value: object, change: (entry: unknown, name: string) => unknown): object {
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
