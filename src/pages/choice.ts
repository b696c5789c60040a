/**
 * Pages whose rows are of all the products and regions that a vendor has: whoever watches one names his own. They are
 * named together, `us-east-1: Amazon EC2`, and either of them alone stands for all that it is part of.
 */
import type { ComponentFilter } from '../core/alert/watch.ts';
import type { PageReader } from './page-reader.ts';

/** What such a page shows now: every notice it lists, and the products and regions that they hit. No further request. */
export async function countRows(
  reader: PageReader,
  signal: AbortSignal,
): Promise<{ rows: number; places: readonly string[] }> {
  const listings = [await reader.notices('present', signal), await reader.notices('past_recent', signal)];
  const ids = new Set(listings.flatMap((each) => (each.kind === 'missed' ? [] : each.items.map(({ id }) => id))));
  const places = new Set<string>();
  for (const id of ids) {
    const detail = await reader.notice(id, signal);
    if (detail.kind !== 'observed') continue;
    for (const { name } of detail.value.components) for (const part of name.split(/: (.*)/s, 2)) places.add(part);
  }
  return { rows: ids.size, places: [...places] };
}

/** A pattern that names a region or a product alone means each place that has it. */
export function splitByPlace({ include, exclude }: ComponentFilter): { include: string[]; exclude: string[] } {
  const parts = (patterns: readonly string[]): string[] =>
    patterns.flatMap((pattern) => [pattern, `${pattern}: *`, `*: ${pattern}`]);
  return { include: parts(include), exclude: parts(exclude) };
}
