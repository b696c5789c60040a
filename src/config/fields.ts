/**
 * What single values may look like. Each field says what it is to editors (JSON Schema) and what is wrong to
 * people, in one place. A reference that could not be read (`${env:NAME}`) passes every field: loading has
 * already told of it, and a second complaint about the same value would only hide the first.
 */
import { z } from 'zod';
import { RANGE_PATTERN, readCalendarRange } from './calendar-range.ts';
import { DURATION_PATTERN, durationAdvice, formatDuration, parseDuration } from './duration.ts';
import { list, quote } from './problem.ts';
import { holdsReference } from './reference-syntax.ts';

export interface About {
  title: string;
  description: string;
  default?: unknown;
  examples?: unknown[];
}

/** A text; `advise` answers what is wrong and what to write, or null. */
export function text(about: About & { pattern?: string }, advise: (value: string) => string | null = notEmpty) {
  const { pattern, ...meta } = about;
  const field = z.string().superRefine((value, context) => {
    const advice = holdsReference(value) ? null : advise(value);
    if (advice !== null) context.addIssue({ code: 'custom', message: advice });
  });
  return field.meta(pattern === undefined ? { minLength: 1, ...meta } : { pattern: `${pattern}|\\$\\{`, ...meta });
}

export function notEmpty(value: string): string | null {
  return value.trim() === '' ? 'it must not be empty' : null;
}

/** A text that is secret: nothing of it may be quoted. */
export function secret(about: About, advice: (value: string) => string | null = () => null) {
  return text(about, (value) => notEmpty(value) ?? advice(value));
}

export const NAME_PATTERN = '^[a-z0-9-]+$';

export function name(about: About) {
  return text({ ...about, pattern: NAME_PATTERN }, (value) => {
    if (new RegExp(NAME_PATTERN).test(value) && value.length <= 63) return null;
    if (value.length > 63) return `${quote(value)} is too long for a name; at most 63 characters`;
    const better = value
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '');
    const hint = better === '' || better === value ? '' : `, such as ${quote(better)}`;
    return `${quote(value)} is not a name; use lower-case letters, digits and "-"${hint}`;
  });
}

export interface Limits {
  atLeast?: number;
  atMost?: number;
}

export function duration(about: About, { atLeast = 0, atMost = 366 * 86_400_000 }: Limits = {}) {
  return text({ ...about, pattern: DURATION_PATTERN }, (value) => {
    const ms = parseDuration(value);
    if (ms === null) return durationAdvice(value);
    if (ms < atLeast) return `${value} is too short; at least ${formatDuration(atLeast)}`;
    return ms > atMost ? `${value} is too long; at most ${formatDuration(atMost)}` : null;
  });
}

export function calendarRange(about: About) {
  return text({ ...about, pattern: RANGE_PATTERN }, (value) => {
    const reading = readCalendarRange(value);
    return 'advice' in reading ? reading.advice : null;
  });
}

export function date(about: About) {
  return text({ ...about, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }, (value) => {
    const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
    const real = !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
    return real ? null : `${quote(value)} is not a date; write year-month-day, as in 2026-12-25`;
  });
}

export function timezone(about: About) {
  return text({ ...about, examples: ['Australia/Melbourne', 'UTC'] }, (value) =>
    isTimezone(value)
      ? null
      : `${quote(value)} is not a time zone; write its IANA name, as in Australia/Melbourne or UTC`,
  );
}

export function isTimezone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A fraction is fine unless `whole`; both ends belong to the range unless `above` is said. */
export function number(
  about: About,
  range: { above?: number; atLeast?: number; atMost?: number; whole?: boolean },
  why = '',
) {
  const because = why === '' ? '' : `; ${why}`;
  let field = z.number();
  if (range.whole === true) field = field.int({ error: ({ input }) => `${String(input)} is not a whole number` });
  const { above, atLeast, atMost } = range;
  if (above !== undefined)
    field = field.gt(above, { error: ({ input }) => `${String(input)} is too low; more than ${above}` });
  if (atLeast !== undefined)
    field = field.min(atLeast, { error: ({ input }) => `${String(input)} is too low; at least ${atLeast}` });
  if (atMost !== undefined)
    field = field.max(atMost, { error: ({ input }) => `${String(input)} is too high; at most ${atMost}${because}` });
  return field.meta({ ...about });
}

export function flag(about: About) {
  return z.boolean().meta({ ...about });
}

export function choice<const T extends readonly [string, ...string[]]>(about: About, values: T) {
  return z.enum(values).meta({ ...about });
}

/** A list with at least one entry, or one entry alone. */
export function oneOrMore<T extends z.ZodType>(about: About, one: T) {
  const many = z.array(one).min(1, { error: 'the list is empty; at least one entry is needed' });
  return z.union([one, many]).meta({ ...about });
}

/** One entry or a list of them as a list. */
export function asList<T>(value: T | readonly T[]): T[] {
  return Array.isArray(value) ? [...value] : [value as T];
}

/** `a, b or c` of quoted words, for sentences on what is allowed. */
export function anyOf(values: readonly unknown[]): string {
  return list(values.map(String), 'or');
}
