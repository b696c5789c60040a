/** Takes wrong parts out of a value and still knows which number every entry had before. */
import type { Path } from './problem.ts';

/** The shape of a value, with the first number of every entry of a list. */
export interface Numbering {
  number: number;
  entries: Numbering[];
  keys: Map<string, Numbering>;
}

export function numberingOf(value: unknown, number = 0): Numbering {
  if (Array.isArray(value))
    return { number, entries: value.map((item, index) => numberingOf(item, index)), keys: new Map() };
  const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return { number, entries: [], keys: new Map(pairs.map(([key, item]) => [key, numberingOf(item)])) };
}

export function originalPath(numbering: Numbering, path: Path): Path {
  let current: Numbering | undefined = numbering;
  return path.map((key) => {
    current = typeof key === 'number' ? current?.entries[key] : current?.keys.get(key);
    return typeof key === 'number' ? (current?.number ?? key) : key;
  });
}

export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

/** Removes the values at the paths, as they are numbered now; entries of lists close up. */
export function removeAll(root: unknown, paths: readonly Path[], numbering: Numbering): void {
  const outer = paths.filter((path) => !paths.some((other) => other.length < path.length && startsWith(path, other)));
  const distinct = new Map(outer.map((path) => [JSON.stringify(path), path]));
  // From the end of each list, so that a removal does not renumber the ones still to come.
  for (const path of [...distinct.values()].toSorted(lastFirst)) {
    const holder = valueAt(root, path.slice(0, -1));
    const key = path.at(-1);
    if (Array.isArray(holder) && typeof key === 'number') {
      holder.splice(key, 1);
      numberingAt(numbering, path.slice(0, -1))?.entries.splice(key, 1);
    } else if (typeof holder === 'object' && holder !== null && key !== undefined) {
      Reflect.deleteProperty(holder, key);
    }
  }
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((key, index) => path[index] === key);
}

function lastFirst(a: Path, b: Path): number {
  for (const [index, key] of a.entries()) {
    const other = b[index];
    if (other === undefined) return -1;
    if (key === other) continue;
    return typeof key === 'number' && typeof other === 'number' ? other - key : String(key) < String(other) ? 1 : -1;
  }
  return a.length === b.length ? 0 : 1;
}

function numberingAt(numbering: Numbering, path: Path): Numbering | undefined {
  let current: Numbering | undefined = numbering;
  for (const key of path) current = typeof key === 'number' ? current?.entries[key] : current?.keys.get(key);
  return current;
}
