/**
 * Names the author of statements on a status page: the provider of the account, or another vendor by the page's name in
 * the configuration. At the beginning of a sentence it is capitalised.
 */
import type { OfVendor } from '../transition/transition.ts';
import { formatList, toOneLine } from '../text/plain.ts';

export const PROVIDER = 'the provider';

/** `the provider`, or `“carrier”` for another vendor's page of that name. */
export function formatAuthor(page?: string | null): string {
  return page === undefined || page === null ? PROVIDER : `“${toOneLine(page) || 'without a name'}”`;
}

/** Author of a page's content, by its source. */
export function findAuthor({ source, vendor }: OfVendor & { source: string }): string {
  return formatAuthor(vendor === true ? source : null);
}

/** Authors of several texts: `the provider and “carrier”`. */
export function listAuthors(each: readonly { by?: string }[]): string {
  return formatList([...new Set(each.map(({ by = PROVIDER }) => by))]);
}

/** Possessive label: `Provider’s notice`, `“carrier”’s notice`. */
export function formatPossessive(by: string, what: string): string {
  return `${by === PROVIDER ? 'Provider' : by}’s ${what}`;
}

/** Author in an alert: of its latest text, else of a page that is part of it. */
export function findAlertAuthor(
  views: readonly (OfVendor & { name: string; type: string })[],
  { sources, said }: { sources: readonly string[]; said?: readonly (OfVendor & { source: string })[] },
): string {
  const page = views.find(({ name, type }) => type === 'status page' && sources.includes(name));
  const source = said?.at(-1) ?? (page === undefined ? null : { ...page, source: page.name });
  return source === null ? PROVIDER : findAuthor(source);
}
