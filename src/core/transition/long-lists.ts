/**
 * What is done with a list of any length. Spread into a call, as in `push(...list)`, each of its elements becomes an
 * argument, and at some hundred thousand of them the program ends.
 */

export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}

/** The list as it was, where all in it are: then there is nothing in it to compare, to count or to keep anew. */
export function unlessSame<T>(before: T[] | null, after: T[]): T[] {
  return before?.length === after.length && after.every((one, index) => one === before[index]) ? before : after;
}

/** Infinity for none. */
export function least(numbers: Iterable<number>): number {
  let found = Infinity;
  for (const number of numbers) if (number < found) found = number;
  return found;
}

/** -Infinity for none. */
export function greatest(numbers: Iterable<number>): number {
  let found = -Infinity;
  for (const number of numbers) if (number > found) found = number;
  return found;
}
