/**
 * Pages that list all products and regions of a vendor, of which each user selects some. Product and region form one
 * name, `us-east1: Compute Engine` or `ap-southeast-2 (Sydney): Amazon EC2`; each part alone selects all its
 * combinations.
 */
import type { ComponentFilter } from '../core/alert/watch.ts';
import type { PageReader } from './page-reader.ts';

/** Listed notices and affected products and regions, without another request. */
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

/** A region with the place it is in: `ap-southeast-2 (Sydney)`. */
export function nameRegion(code: string, place: string): string {
  return `${code} (${place})`;
}

/** A pattern for a region, its place or a product alone matches all names with it. */
export function splitByPlace({ include, exclude }: ComponentFilter): { include: string[]; exclude: string[] } {
  const parts = (patterns: readonly string[]): string[] =>
    patterns.flatMap((pattern) => {
      const [region, product] = pattern.split(/: (.*)/s, 2);
      const named = product === undefined ? [`*: ${pattern}`] : [];
      const places = [nameRegion(region ?? '', '*'), nameRegion('*', region ?? '')];
      return [pattern, `${pattern}: *`, ...named, ...places.map((place) => `${place}: ${product ?? '*'}`)];
    });
  return { include: parts(include), exclude: parts(exclude) };
}
