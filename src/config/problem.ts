/** What is wrong in a configuration, where, and how it is said to a person. */

const LEVELS = ['error', 'warning'] as const;

export interface Problem {
  /** An error refuses the configuration; a warning is told and lived with. */
  level: (typeof LEVELS)[number];
  /** The file as the user would name it; empty where no file is to blame. */
  file: string;
  /** Counted from 1; null where no place in the file is to blame. */
  line: number | null;
  column: number | null;
  /** Key path such as `receivers[0].smtp.port`; empty for the whole file. */
  path: string;
  /** What is wrong and what would be right, without the name of the key and without any secret. */
  message: string;
}

/** `linewatch.yaml:12:5: receivers[0].webhok_url: unknown key; did you mean "webhook_url"? Allowed: …` */
export function formatProblem(problem: Problem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== null && part !== '').join(':');
  const level = problem.level === 'warning' ? 'warning' : '';
  return [place, level, problem.path, problem.message].filter((part) => part !== '').join(': ');
}

/** A value in quotes, on one line and of bearable length. */
export function formatValue(value: unknown): string {
  return JSON.stringify(shorten(String(value)));
}

/** At most 60 characters or so, with an ellipsis where something is cut. */
export function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}

/** By file in the order given, then by line and column. */
export function sortProblems(problems: readonly Problem[], files: readonly string[]): Problem[] {
  return problems.toSorted(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

/** Where a value stands: the keys that lead to it from the top of a file, as zod and YAML count them. */
export type Path = readonly (string | number)[];

/** Undefined where nothing stands there. */
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
 * A key as it may be shown. In `{api_key:hunter2}` and `{api_key" hunter2}` one wrong character makes a key of name
 * and value, so of what is no plain word only the beginning is shown; an address as a key, such as a site's, is.
 */
function shownKey(key: string): string {
  if (/^[\w.-]+$/.test(key) || /^[0-9A-Fa-f:.]+$/.test(key)) return shorten(key);
  return `${shorten(/^[\w.-]*/.exec(key)?.[0] ?? '')}…`;
}
