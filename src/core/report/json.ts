/** The report as JSON: snake_case names, ISO 8601 times in UTC, durations in milliseconds. */
import type { Report } from './monthly-report.ts';

/** For `JSON.stringify`. */
export function toJsonReport(report: Report): unknown {
  return asJson(report, '');
}

const TIMES = /^(since|until|at|.*At|unwatchedSince|notWatchedBefore)$/;

function asJson(value: unknown, key: string): unknown {
  if (typeof value === 'number' && TIMES.test(key)) return new Date(value).toISOString();
  if (Array.isArray(value)) return value.map((one: unknown) => asJson(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [named(name), asJson(inner, name)]));
}

/** Appends the unit to durations whose name lacks it. */
function named(key: string): string {
  const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return LENGTHS.includes(key) ? `${name}_ms` : name;
}

const LENGTHS: readonly string[] = ['up', 'degraded', 'maintenance', 'unknown', 'known'];
