/**
 * Field types of the configuration: description for editors (JSON Schema), error text, default, and conversion in one
 * place. An unreadable reference (`${env:NAME}`) passes every field: loading has already reported it.
 */
import { isTimeZone } from '../../core/text/time-zone.ts';
import * as z from 'zod';
import { RANGE_PATTERN, readCalendarRange } from '../../core/text/hours.ts';
import { DAY, DURATION_PATTERN, explainDuration, formatDuration, parseDuration } from '../../core/text/duration.ts';
import { formatValue } from '../problem.ts';
import { hasReference } from '../references.ts';
import { describeSchema } from '../../net/schema.ts';

export type About = {
  title: string;
  description: string;
  default?: unknown;
  /** Default shown by editors if it depends on something else. */
  usually?: unknown;
  examples?: unknown[];
};

/** A field with a default may be omitted. */
type WithDefault<T extends z.ZodType, A> = A extends { default: z.input<T> } ? z.ZodPrefault<T> : T;

function withDefault<T extends z.ZodType, A extends About>(field: T, about: A): WithDefault<T, A> {
  const otherwise = about.default as z.core.util.NoUndefined<z.input<T>> | undefined;
  return (otherwise === undefined ? field : field.prefault(otherwise)) as WithDefault<T, A>;
}

/** Optional, with a default. */
export function or<T extends z.ZodType>(value: z.output<T>, field: T) {
  return field.optional().transform((given): z.output<T> => (given === undefined ? value : given));
}

/** Optional, null by default. */
export function optional<T extends z.ZodType>(field: T) {
  return field.optional().transform((given): z.output<T> | null => (given === undefined ? null : given));
}

/** Optional section; its settings then have their defaults. */
export function section<T extends z.ZodType>(field: T) {
  return field.optional().transform((given): z.output<T> => (given === undefined ? field.parse({}) : given));
}

type CamelCase<S> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<CamelCase<B>>}` : S;

/** Keys in camelCase: `base_url` becomes `baseUrl`. */
type CamelCased<S extends z.ZodRawShape> = { [K in keyof S as CamelCase<K>]: z.output<S[K]> };

/** A mapping with exactly these keys; an unknown-key error lists them. */
export function settings<const S extends z.ZodRawShape>(shape: S) {
  return z
    .strictObject(shape, {
      error: ({ code }) => (code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : undefined),
    })
    .transform(
      (value) =>
        Object.fromEntries(Object.entries(value).map(([key, inner]) => [toCamelCase(key), inner])) as CamelCased<S>,
    );
}

/** `base_url` → `baseUrl`. */
export function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `advise` returns the error and a correction, or null. */
export function text<const A extends About & { pattern?: string }>(
  about: A,
  advise: (value: string) => string | null = explainEmpty,
) {
  return withDefault(checkedText(about, advise), about);
}

function checkedText(about: About & { pattern?: string }, advise: (value: string) => string | null) {
  const { pattern, ...meta } = about;
  const field = z.string().superRefine((value, context) => {
    const advice = hasReference(value) ? null : advise(value);
    if (advice !== null) context.addIssue({ code: 'custom', message: advice });
  });
  return describeSchema(
    field,
    pattern === undefined ? { minLength: 1, ...meta } : { pattern: `${pattern}|\\$\\{`, ...meta },
  );
}

/** Null if valid. */
export function explainEmpty(value: string): string | null {
  return value.trim() === '' ? 'it must not be empty' : null;
}

/** Errors never quote it. */
export function secret(about: About, advice: (value: string) => string | null = () => null) {
  return text(about, (value) => explainEmpty(value) ?? advice(value));
}

const NAME_PATTERN = '^[a-z0-9-]+$';

/** Lower-case letters, digits and hyphens, at most 63 characters. An error suggests a valid name. */
export function name(about: About) {
  return text({ ...about, pattern: NAME_PATTERN }, (value) => {
    if (new RegExp(NAME_PATTERN).test(value) && value.length <= 63) return null;
    if (value.length > 63) return `${formatValue(value)} is too long for a name; at most 63 characters`;
    const better = value
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '');
    const hint = better === '' || better === value ? '' : `, such as ${formatValue(better)}`;
    return `${formatValue(value)} is not a name; use lower-case letters, digits and "-"${hint}`;
  });
}

interface NumberLimits {
  atLeast?: number;
  atMost?: number;
}

/** Milliseconds. An unreadable reference, which only a check accepts, counts as absent: the default, else null. */
export function duration<const A extends About>(about: A, { atLeast = 0, atMost = 366 * DAY }: NumberLimits = {}) {
  const field = checkedText({ ...about, pattern: DURATION_PATTERN }, (value) => {
    const ms = parseDuration(value);
    if (ms === null) return explainDuration(value);
    if (ms < atLeast) return `${value} is too short; at least ${formatDuration(atLeast)}`;
    return ms > atMost ? `${value} is too long; at most ${formatDuration(atMost)}` : null;
  });
  const otherwise = parseDuration(String(about.default));
  const read = (value: string) =>
    (parseDuration(value) ?? otherwise) as A extends { default: string } ? number : number | null;
  return withDefault(field.transform(read), about);
}

const MOST_MONTHS = 120;

/** Number of months: `Infinity` for `all`, 0 for `off`. */
export function months<const A extends About & { default: string }>(about: A) {
  const pattern = '^([1-9][0-9]{0,2}M|all|off)$';
  const field = checkedText({ ...about, pattern, examples: ['12M', 'all', 'off'] }, (value) => {
    if (value === 'all' || value === 'off') return null;
    const count = readMonths(value);
    if (count === null) return `${formatValue(value)} is no number of months; write it as 12M, or all, or off`;
    return count <= MOST_MONTHS ? null : `${value} is too long; at most ${MOST_MONTHS}M, or all`;
  });
  const read = (value: string): number =>
    value === 'all' ? Infinity : value === 'off' ? 0 : (readMonths(value) ?? readMonths(about.default) ?? 0);
  return withDefault(field.transform(read), about);
}

function readMonths(value: string): number | null {
  const [, count] = /^([1-9]\d{0,5})M$/.exec(value) ?? [];
  return count === undefined ? null : Number(count);
}

/** `none`: error for an empty list, if that is invalid. */
export function calendarRanges(about: About, one: About, none?: string) {
  const range = checkedText({ ...one, pattern: RANGE_PATTERN }, (value) => {
    const reading = readCalendarRange(value);
    return 'advice' in reading ? reading.advice : null;
  });
  return list(about, range, none).transform((texts) =>
    texts.flatMap((written) => {
      const reading = readCalendarRange(written);
      return 'range' in reading ? [reading.range] : [];
    }),
  );
}

/** A date such as `2026-12-25`, kept as text. */
export function date(about: About) {
  return text({ ...about, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }, (value) => {
    const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
    const real = !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
    return real ? null : `${formatValue(value)} is not a date; write year-month-day, as in 2026-12-25`;
  });
}

/** Any zone known to the platform. */
export function timezone(about: About) {
  return text({ ...about, examples: ['Australia/Melbourne', 'UTC'] }, (value) =>
    isTimeZone(value)
      ? null
      : `${formatValue(value)} is not a time zone; write its IANA name, as in Australia/Melbourne or UTC`,
  );
}

/** Fractions unless `whole`; bounds are inclusive except `above`. */
export function number<const A extends About>(
  about: A,
  range: { above?: number; atLeast?: number; atMost?: number; whole?: boolean },
  why = '',
) {
  const because = why === '' ? '' : `; ${why}`;
  let field = z.number();
  if (range.whole === true) field = field.int({ error: ({ input }) => `${String(input)} is not a whole number` });
  const { above, atLeast, atMost } = range;
  if (above !== undefined) {
    field = field.gt(above, { error: ({ input }) => `${String(input)} is too low; more than ${above}` });
  }
  if (atLeast !== undefined) {
    field = field.min(atLeast, { error: ({ input }) => `${String(input)} is too low; at least ${atLeast}` });
  }
  if (atMost !== undefined) {
    field = field.max(atMost, { error: ({ input }) => `${String(input)} is too high; at most ${atMost}${because}` });
  }
  return withDefault(describeSchema(field, { ...about }), about);
}

export function flag<const A extends About>(about: A) {
  return withDefault(describeSchema(z.boolean(), { ...about }), about);
}

export function choice<const T extends readonly [string, ...string[]], const A extends About>(about: A, values: T) {
  return withDefault(describeSchema(z.enum(values), { ...about }), about);
}

/** `none`: error for an empty list. Invalid entries leave a gap, so that the others keep their index. */
export function list<T extends z.ZodType>(about: Partial<About>, entry: T, none?: string) {
  const entries = z.array(entry.optional());
  const field = none === undefined ? entries : entries.min(1, { error: none });
  return describeSchema(field, { ...about }).transform(withoutGaps);
}

export function withoutGaps<T>(all: readonly (T | undefined)[]): T[] {
  return all.filter((one) => one !== undefined);
}

/** One entry or a non-empty list; `mayBeEmpty` allows an empty list. */
export function oneOrMore<T extends z.ZodType>(about: About, one: T, mayBeEmpty = false) {
  const entries = z.array(one.optional());
  const error = 'the list is empty; at least one entry is needed';
  return z
    .union([one, mayBeEmpty ? entries : entries.min(1, { error })])
    .meta({ ...about })
    .transform((given) => withoutGaps(toList<z.output<T> | undefined>(given)));
}

export function toList<T>(value: T | readonly T[]): T[] {
  return Array.isArray(value) ? [...value] : [value as T];
}
