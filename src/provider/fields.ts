/**
 * The kinds of field the two interfaces use, each with its meaning. An answer's values are described and
 * not enforced: the provider has sent states outside its specification before and will again.
 */
import { z } from 'zod';

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
export function travelsAsInteger(schema: z.ZodType): boolean {
  return schema.meta()?.['x-wire'] === 'integer';
}

/** The form in which digits travel: a JSON number where nothing is lost, else text. */
export function digitsOnTheWire(value: string): number | string {
  return SAFE_DIGITS.test(value) ? Number(value) : value;
}
