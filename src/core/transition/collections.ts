/**
 * For lists of any length. Spread into a call, as in `push(...list)`, every element becomes an argument, and at some
 * hundred thousand of them the program crashes.
 */

/** Changes `list`. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}

/**
 * `before` itself where `after` has the same elements: the same object need not be compared, counted or written again.
 */
export function keepIfEqual<T>(before: T[] | null, after: T[]): T[] {
  return before?.length === after.length && after.every((one, index) => one === before[index]) ? before : after;
}

/** Infinity for none. */
export function findMinimum(numbers: Iterable<number>): number {
  let found = Infinity;
  for (const number of numbers) if (number < found) found = number;
  return found;
}

/** The earliest of the times that there are; null where there is none. */
export function findEarliest(times: Iterable<number | null | undefined>): number | null {
  let found: number | null = null;
  for (const time of times) if (typeof time === 'number' && (found === null || time < found)) found = time;
  return found;
}

/** -Infinity for none. */
export function findMaximum(numbers: Iterable<number>): number {
  let found = -Infinity;
  for (const number of numbers) if (number > found) found = number;
  return found;
}
