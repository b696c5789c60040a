/**
 * What is done with a list of any length. Spread into a call, as in `push(...list)`, each of its elements becomes an
 * argument, and at some hundred thousand of them the program ends.
 */

export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
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
