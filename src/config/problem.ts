/** Problems of a configuration with position and wording. */

const LEVELS = ['error', 'warning'] as const;

export interface Problem {
  /** An error rejects the configuration; a warning does not. */
  level: (typeof LEVELS)[number];
  /** Path as the user would write it; empty if no file is affected. */
  file: string;
  /** From 1; null without a position. */
  line: number | null;
  column: number | null;
  /** Key path such as `receivers[0].smtp.port`; empty for the whole file. */
  path: string;
  /** The error and a correction, without the key's name and without secrets. */
  message: string;
}

/** `linewatch.yaml:12:5: receivers[0].webhok_url: unknown key; did you mean "webhook_url"? Allowed: …` */
export function formatProblem(problem: Problem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== null && part !== '').join(':');
  const level = problem.level === 'warning' ? 'warning' : '';
  return [place, level, problem.path, problem.message].filter((part) => part !== '').join(': ');
}

/** In quotes, on one line, truncated. */
export function formatValue(value: unknown): string {
  return JSON.stringify(shorten(String(value)));
}

/** At most about 60 characters, with an ellipsis. */
export function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}

/** By file in the given order, then by line and column. */
export function sortProblems(problems: readonly Problem[], files: readonly string[]): Problem[] {
  return problems.toSorted(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

/** Keys from the top of a file, as in zod and YAML. */
export type Path = readonly (string | number)[];

/** Undefined if absent. */
export function findValue(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

/** `['receivers', 0, 'name']` → `receivers[0].name`. */
export function formatPath(path: Path): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += (text === '' ? '' : '.') + shownKey(key);
  }
  return text;
}

/**
 * Safe form of a key. In `{api_key:hunter2}` and `{api_key" hunter2}` a typo makes name and value one key, so only the
 * start of unusual keys is shown. Addresses as keys, such as a site's, are shown whole.
 */
function shownKey(key: string): string {
  if (/^[\w.-]+$/.test(key) || /^[0-9A-Fa-f:.]+$/.test(key)) return shorten(key);
  return `${shorten(/^[\w.-]*/.exec(key)?.[0] ?? '')}…`;
}
