/** Paths of keys, and how they are shown. */
import { shorten } from './problem.ts';

/** Where a value stands: the keys that lead to it from the top of a file, as zod and YAML count them. */
export type Path = readonly (string | number)[];

export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
