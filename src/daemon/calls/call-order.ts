/** Calls in the order of their ends. */
import type { Call } from '../../core/calls/call-model.ts';

export function compareEnds(a: Call, b: Call): number {
  return a.ended - b.ended;
}

/** Both sorted; of calls that ended at once, those of the first list come first. */
export function mergeByEnd(calls: readonly Call[], fresh: readonly Call[]): Call[] {
  const [first] = fresh;
  if (first === undefined) return [...calls];
  const at = findFirst(calls, first.ended);
  return [...calls.slice(0, at), ...[...calls.slice(at), ...fresh].toSorted(compareEnds)];
}

/** Index of the first call that ended at this second or later. */
export function findFirst(calls: readonly Call[], ended: number): number {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((calls[middle]?.ended ?? Infinity) < ended) low = middle + 1;
    else high = middle;
  }
  return low;
}
