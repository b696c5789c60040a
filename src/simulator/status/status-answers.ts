/** Operations of the status interface, answered from a world. */
import type { statusCatalogue } from '../../provider/catalogue/status-catalogue.ts';
import {
  createHtmlReply,
  createJsonReply,
  renderWebPage,
  type Answers,
  type ApiCall,
  type RawReply,
} from '../simulated-reply.ts';
import { takePage, toHref, toNextPageLink, toSelfLink, type LinkStyle, type Meta } from './links.ts';
import type { StatusWorld } from './world.ts';
import type {
  ComponentDocument,
  NoticeDetailDocument,
  NoticeItemDocument,
  PageDocument,
  StatusDocuments,
} from './page-documents.ts';

/** Missing notices answer 404, or 410 if they were deleted for good. */
export function createStatusAnswers(world: StatusWorld, links: () => LinkStyle): Answers<typeof statusCatalogue> {
  function manner(call: ApiCall): Manner {
    return { links: links(), origin: call.url.origin, ignoreFilters: call.ignoreFilters };
  }
  // `createJsonReply`, because null states and absent links deviate from the documented shapes, as in the real
  // interface.
  return {
    'status.show': (_input, call) => answerPage(world.documents(call.versionsAgo), manner(call)),
    'components.list': ({ page }, call) => answerComponents(world.documents(call.versionsAgo), { page }, manner(call)),
    'notices.list': (input, call) =>
      createJsonReply(
        200,
        answerNotices(
          world.documents(call.versionsAgo),
          { page: input.page, type: input['filter[type_eq]'], timeline: input['filter[timeline_state_eq]'] },
          manner(call),
        ),
      ),
    'notices.show': ({ id }, call) => {
      const documents = world.documents(call.versionsAgo);
      const answer = answerNotice(documents, id, manner(call));
      return answer === null ? noSuchNotice(documents.gone.has(id) ? 410 : 404) : createJsonReply(200, answer);
    },
  };
}

/** In the interface's own format. */
function noSuchNotice(status: 404 | 410): RawReply {
  return createJsonReply(status, { error: status === 410 ? 'Gone' : 'Not found' });
}

/** An HTML page of 35 kB, whatever the client accepts. */
export function refuseUnknownPath(): RawReply {
  return createHtmlReply(404, renderWebPage('Page not found'));
}

const STATUS_PATH = /^(?:\/api)?(?:\/v1)?\/(?<collection>status|components|notices)(?<id>\/[^/]+?)?(?:\.json)?$/;

/**
 * Normalises a status path: with or without `/api`, with `.json`, and `/api/notices/ID`, which notices use for
 * themselves. Other paths are returned unchanged.
 */
export function toCanonicalPath(path: string): string {
  const groups = STATUS_PATH.exec(path)?.groups;
  if (groups === undefined) return path;
  return `/api/v1/${groups['collection']}${groups['id'] ?? ''}`;
}

interface SelfLink {
  links: { self: string };
}

type PageAnswer = {
  page: PageDocument & {
    links: { components: { href: string; count: number }; notices: { href: string; count: number } };
  };
};

interface ListingQuery {
  page?: number | undefined;
  type?: string | undefined;
  timeline?: string | undefined;
}

/** Form of an answer: link style, origin of the request, and whether filters apply. */
interface Manner {
  links: LinkStyle;
  origin: string;
  ignoreFilters: boolean;
}

function answerPage(documents: StatusDocuments, manner: Manner): PageAnswer {
  const { created_at, updated_at, ...page } = documents.page;
  return {
    page: {
      ...page,
      links: {
        components: { href: toHref(manner.links, 'components'), count: documents.components.length },
        notices: { href: toHref(manner.links, 'notices'), count: documents.notices.length },
      },
      created_at,
      updated_at,
    },
  };
}

function answerComponents(
  documents: StatusDocuments,
  query: ListingQuery,
  manner: Manner,
): { components: ComponentDocument[]; meta: Meta } {
  const link = (page: number): string => toNextPageLink(manner.links, 'components', page, {}, manner.origin);
  const { items, meta } = takePage(documents.components, query.page ?? 1, manner.links, link);
  return { components: items, meta };
}

function answerNotices(
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
  const link = (page: number): string => toNextPageLink(manner.links, 'notices', page, filters, manner.origin);
  const { items, meta } = takePage(matching, query.page ?? 1, manner.links, link);
  return { notices: items.map((notice) => withSelf(notice, manner.links)), meta };
}

/** Null if there is no such notice (404, or 410 if it was deleted for good). */
function answerNotice(
  documents: StatusDocuments,
  id: number,
  manner: Manner,
): { notice: NoticeDetailDocument & SelfLink } | null {
  const notice = documents.details.get(id);
  return notice === undefined ? null : { notice: withSelf(notice, manner.links) };
}

function withSelf<T extends { id: number }>(notice: T, links: LinkStyle): T & SelfLink {
  return { ...notice, links: { self: toSelfLink(links, notice.id) } };
}
