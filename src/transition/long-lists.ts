/** The least and the greatest of numbers of any count: what is spread into a call ends the program when it is long. */

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
