/**
 * Who says what is told of a status page: the provider of one's telephony, or another vendor, whose page is called by the
 * name it has in the configuration. A sentence that begins with it begins with its `capital`.
 */
import type { OfVendor } from '../transition/transition.ts';
import { formatList, toOneLine } from '../text/plain.ts';

export const PROVIDER = 'the provider';

/** `the provider`, or `“carrier”` for the page of that name, which is no page of the provider's. */
export function speaker(page?: string | null): string {
  return page === undefined || page === null ? PROVIDER : `“${toOneLine(page) || 'without a name'}”`;
}

/** Of what was observed on a source. */
export function speakerOf({ source, vendor }: OfVendor & { source: string }): string {
  return speaker(vendor === true ? source : null);
}

/** Of what several say: `the provider and “carrier”`. */
export function speakers(each: readonly { by?: string }[]): string {
  return formatList([...new Set(each.map(({ by = PROVIDER }) => by))]);
}

/** As a label, of a link say: `Provider’s notice`, `“carrier”’s notice`. */
export function ownedBy(by: string, what: string): string {
  return `${by === PROVIDER ? 'Provider' : by}’s ${what}`;
}

/** Who says what is said of an alert: whose words it has, else whose page takes part in it. */
export function speakerIn(
  views: readonly (OfVendor & { name: string; type: string })[],
  { sources, said }: { sources: readonly string[]; said?: readonly (OfVendor & { source: string })[] },
): string {
  const page = views.find(({ name, type }) => type === 'status page' && sources.includes(name));
  const source = said?.at(-1) ?? (page === undefined ? null : { ...page, source: page.name });
  return source === null ? PROVIDER : speakerOf(source);
}
