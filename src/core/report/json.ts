/** The report as JSON: snake_case names, ISO 8601 times in UTC, durations in milliseconds. */
import type { Report } from './monthly-report.ts';
import type { ReportJson } from './report-schema.ts';

/** `T` as JSON; `K` is its name in the report. Names of sources, the keys of `called`, stay as they are. */
export type JsonOf<T, K extends string = ''> = T extends number
  ? K extends TimeName
    ? string
    : T
  : T extends readonly (infer U)[]
    ? JsonOf<U, K>[]
    : T extends object
      ? K extends 'called'
        ? { -readonly [N in keyof T]: T[N] }
        : { [N in keyof T as N extends string ? JsonName<N> : never]: JsonOf<T[N], N & string> }
      : T;

type TimeName = 'since' | 'until' | 'at' | `${string}At` | 'unwatchedSince' | 'notWatchedBefore';
type JsonName<N extends string> = N extends (typeof LENGTHS)[number] ? `${N}_ms` : SnakeCase<N>;
type SnakeCase<N extends string> = N extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : N;

/** For `JSON.stringify`. */
export function toJsonReport(report: Report): ReportJson {
  return toJson(report, '') as JsonOf<Report>;
}

const TIMES = /^(since|until|at|.*At|unwatchedSince|notWatchedBefore)$/;

function toJson(value: unknown, key: string): unknown {
  if (typeof value === 'number' && TIMES.test(key)) return new Date(value).toISOString();
  if (Array.isArray(value)) return value.map((one: unknown) => toJson(one, key));
  if (typeof value !== 'object' || value === null) return value;
  const rename = key === 'called' ? (name: string): string => name : toJsonName;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), toJson(inner, name)]));
}

/** Appends the unit to durations whose name lacks it. */
function toJsonName(key: string): string {
  const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return (LENGTHS as readonly string[]).includes(key) ? `${name}_ms` : name;
}

const LENGTHS = ['up', 'degraded', 'maintenance', 'unknown', 'known'] as const;
