/** Rows of calls in the order of their ends. */

type EndOf = (row: number) => number;

/** `rows` are sorted; of calls that ended at once, those of `rows` come first. */
export function mergeByEnd(rows: Int32Array, fresh: Int32Array, endOf: EndOf): Int32Array {
  const added = fresh.toSorted((a, b) => endOf(a) - endOf(b));
  const merged = new Int32Array(rows.length + added.length);
  const [first] = added;
  const same = first === undefined ? rows.length : findFirst(rows, endOf(first), endOf);
  merged.set(rows.subarray(0, same));
  let [left, right] = [same, 0];
  for (let at = same; at < merged.length; at += 1) {
    const [own, other] = [rows[left], added[right]];
    const isOwn = own !== undefined && (other === undefined || endOf(own) <= endOf(other));
    merged[at] = (isOwn ? own : other) ?? 0;
    if (isOwn) left += 1;
    else right += 1;
  }
  return merged;
}

/** Index of the first call that ended at this second or later. */
export function findFirst(rows: Int32Array, ended: number, endOf: EndOf): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (endOf(rows[middle] ?? 0) < ended) low = middle + 1;
    else high = middle;
  }
  return low;
}
