/** The four answers of the status interface, cut from one set of documents in one style of links. */
import type {
  ComponentDocument,
  NoticeDetailDocument,
  NoticeItemDocument,
  PageDocument,
  StatusDocuments,
} from './document.ts';
import { type LinkStyle, type Meta, cutPage, hrefOf, nextPageOf, selfOf } from './links.ts';

interface SelfLink {
  links: { self: string };
}

export type PageAnswer = {
  page: PageDocument & {
    links: { components: { href: string; count: number }; notices: { href: string; count: number } };
  };
};

export interface ListingQuery {
  page?: number | undefined;
  type?: string | undefined;
  timeline?: string | undefined;
}

/** How an answer is to be written: the world's style, the origin that was asked, and whether filters count. */
export interface Manner {
  links: LinkStyle;
  origin: string;
  ignoreFilters: boolean;
}

export function answerPage(documents: StatusDocuments, manner: Manner): PageAnswer {
  const { created_at, updated_at, ...page } = documents.page;
  return {
    page: {
      ...page,
      links: {
        components: { href: hrefOf(manner.links, 'components'), count: documents.components.length },
        notices: { href: hrefOf(manner.links, 'notices'), count: documents.notices.length },
      },
      created_at,
      updated_at,
    },
  };
}

export function answerComponents(
  documents: StatusDocuments,
  query: ListingQuery,
  manner: Manner,
): { components: ComponentDocument[]; meta: Meta } {
  const link = (page: number): string => nextPageOf(manner.links, 'components', page, {}, manner.origin);
  const { items, meta } = cutPage(documents.components, query.page ?? 1, manner.links, link);
  return { components: items, meta };
}

export function answerNotices(
  documents: StatusDocuments,
  query: ListingQuery,
  manner: Manner,
): { notices: (NoticeItemDocument & SelfLink)[]; meta: Meta } {
  const filters: Record<string, string> = {};
  if (query.type !== undefined) filters['filter[type_eq]'] = query.type;
  if (query.timeline !== undefined) filters['filter[timeline_state_eq]'] = query.timeline;
  const matching = documents.notices.filter(
    (notice) =>
      manner.ignoreFilters ||
      ((query.type === undefined || notice.type === query.type) &&
        (query.timeline === undefined || notice.timeline_state === query.timeline)),
  );
  const link = (page: number): string => nextPageOf(manner.links, 'notices', page, filters, manner.origin);
  const { items, meta } = cutPage(matching, query.page ?? 1, manner.links, link);
  return { notices: items.map((notice) => withSelf(notice, manner.links)), meta };
}

/** Null where there is no such notice (404, or 410 where the documents say that it is gone). */
export function answerNotice(
  documents: StatusDocuments,
  id: number,
  manner: Manner,
): { notice: NoticeDetailDocument & SelfLink } | null {
  const notice = documents.details.get(id);
  return notice === undefined ? null : { notice: withSelf(notice, manner.links) };
}

function withSelf<T extends { id: number }>(notice: T, links: LinkStyle): T & SelfLink {
  return { ...notice, links: { self: selfOf(links, notice.id) } };
}
