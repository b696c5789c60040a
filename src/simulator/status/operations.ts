/** The status interface's operations answered from a world. */
import type { statusCatalogue } from '../../provider/catalogue/status.ts';
import { type Answers, type Call, type Reply, htmlReply, jsonReply } from '../reply.ts';
import { webPage } from '../web-page.ts';
import { type Manner, answerComponents, answerNotice, answerNotices, answerPage } from './answer.ts';
import type { LinkStyle } from './links.ts';
import type { StatusWorld } from './world.ts';

export function statusAnswers(world: StatusWorld, links: () => LinkStyle): Answers<typeof statusCatalogue> {
  function manner(call: Call): Manner {
    return { links: links(), origin: call.url.origin, ignoreFilters: call.ignoreFilters };
  }
  // Null states and absent links depart from the documented shapes, as the real interface does; hence `jsonReply`.
  return {
    'status.show': (_input, call) => answerPage(world.documents(call.versionsAgo), manner(call)),
    'components.list': ({ page }, call) => answerComponents(world.documents(call.versionsAgo), { page }, manner(call)),
    'notices.list': (input, call) =>
      jsonReply(
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
      return answer === null ? noSuchNotice(documents.gone.has(id) ? 410 : 404) : jsonReply(200, answer);
    },
  };
}

/** A notice that is not there (any more): the interface says so in its own form. */
function noSuchNotice(status: 404 | 410): Reply {
  return jsonReply(status, { error: status === 410 ? 'Gone' : 'Not found' });
}

/** A wrong path: a web page of 35 kB, whatever was asked for. */
export function notThere(): Reply {
  return htmlReply(404, webPage('Page not found'));
}

const STATUS_PATH = /^(?:\/api)?(?:\/v1)?\/(?<collection>status|components|notices)(?<id>\/[^/]+?)?(?:\.json)?$/;

/**
 * The one path the routes know for all the ways a status path may be written: with and without `/api`, with
 * `.json`, and `/api/notices/ID`, which is how a notice names itself. Other paths come back as they are.
 */
export function canonicalPath(path: string): string {
  const groups = STATUS_PATH.exec(path)?.groups;
  if (groups === undefined) return path;
  return `/api/v1/${groups['collection']}${groups['id'] ?? ''}`;
}
