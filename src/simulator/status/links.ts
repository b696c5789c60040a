/**
 * Styles of links. Real pages mix them, so a world chooses one per kind of link and clients must follow the given link
 * (specification, section 9).
 */
import { PACE } from '../../core/observation/limits.ts';

export const NEXT_PAGE_STYLES = ['api', 'bare', 'json', 'bare-json', 'absolute', 'no-filters'] as const;
export const LAST_PAGE_STYLES = ['null', 'absent', 'empty'] as const;

export interface LinkStyle {
  /** `/v1/components` or `/api/v1/components` in the page's links. */
  href: 'bare' | 'api';
  /** `/api/v1/…?page=2`, `/v1/…?page=2`, with `.json`, absolute, or without the filters of the request. */
  nextPage: (typeof NEXT_PAGE_STYLES)[number];
  /** Value of `next_page` on the last page. */
  lastPage: (typeof LAST_PAGE_STYLES)[number];
  /** `/api/notices/ID`, `/api/v1/notices/ID` or `/v1/notices/ID`. */
  self: 'unversioned' | 'api' | 'bare';
}

/** As in the vendor's own examples. */
export const DEFAULT_LINKS: LinkStyle = { href: 'bare', nextPage: 'api', lastPage: 'null', self: 'unversioned' };

export function toHref(style: LinkStyle, collection: 'components' | 'notices'): string {
  return style.href === 'bare' ? `/v1/${collection}` : `/api/v1/${collection}`;
}

export function toSelfLink(style: LinkStyle, id: number): string {
  if (style.self === 'unversioned') return `/api/notices/${id}`;
  return style.self === 'bare' ? `/v1/notices/${id}` : `/api/v1/notices/${id}`;
}

/** `query`: the other parameters of the request; brackets of filters are percent-encoded. */
export function toNextPageLink(
  style: LinkStyle,
  collection: 'components' | 'notices',
  page: number,
  query: Readonly<Record<string, string>>,
  origin: string,
): string {
  const bare = style.nextPage.startsWith('bare');
  const suffix = style.nextPage.endsWith('json') ? '.json' : '';
  const kept = style.nextPage === 'no-filters' ? {} : query;
  const search = new URLSearchParams({ ...kept, page: String(page) });
  const path = `${bare ? '' : '/api'}/v1/${collection}${suffix}?${search.toString()}`;
  return style.nextPage === 'absolute' ? origin + path : path;
}

export type Meta = {
  count: number;
  total_count: number;
  next_page?: string | null;
};

interface PageOf<T> {
  items: T[];
  meta: Meta;
}

/** Page `page` (from 1) of a listing. Pages past the end are empty, as in the real interface. */
export function takePage<T>(
  all: readonly T[],
  page: number,
  style: LinkStyle,
  link: (page: number) => string,
): PageOf<T> {
  const items = all.slice((page - 1) * PACE.statusRowsPerPage, page * PACE.statusRowsPerPage);
  const meta: Meta = { count: items.length, total_count: all.length };
  if (page * PACE.statusRowsPerPage < all.length) meta.next_page = link(page + 1);
  else if (style.lastPage !== 'absent') meta.next_page = style.lastPage === 'null' ? null : '';
  return { items, meta };
}
