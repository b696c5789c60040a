/**
 * Operations on lists of any length. A spread call such as `push(...list)` passes every element as an argument and
 * crashes at some hundred thousand.
 */

/** Changes `list`. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}

/** Returns `before` if the elements are equal: callers can then compare, count and write by identity. */
export function keepIfEqual<T>(before: T[] | null, after: T[]): T[] {
  return before?.length === after.length && after.every((one, index) => one === before[index]) ? before : after;
}

export interface Named {
  readonly name: string;
}

/** Lists do not change. */
const indexed = new WeakMap<readonly Named[], ReadonlyMap<string, Named>>();

/** The first with this name, by an index: an outage of a thousand accounts looks for each of them among thousands. */
export function findByName<T extends Named>(list: readonly T[], name: string): T | undefined {
  let byName = indexed.get(list);
  if (byName === undefined) indexed.set(list, (byName = new Map(list.toReversed().map((one) => [one.name, one]))));
  return byName.get(name) as T | undefined;
}

/** Infinity for an empty list. */
export function findMinimum(numbers: Iterable<number>): number {
  let found = Infinity;
  for (const number of numbers) if (number < found) found = number;
  return found;
}

/** Ignores null and undefined; null if nothing remains. */
export function findEarliest(times: Iterable<number | null | undefined>): number | null {
  let found: number | null = null;
  for (const time of times) if (typeof time === 'number' && (found === null || time < found)) found = time;
  return found;
}

/** -Infinity for an empty list. */
export function findMaximum(numbers: Iterable<number>): number {
  let found = -Infinity;
  for (const number of numbers) if (number > found) found = number;
  return found;
}

/** The middle value, or the mean of the two in the middle; null for an empty list. */
export function findMedian(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
