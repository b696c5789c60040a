/** The provider's own page: five operations, each a request. */
import {
  observeComponents,
  observeNotice,
  observeNotices,
  observePage,
  observePastPage,
} from '../../provider/observe.ts';
import type { StatusClient } from '../../provider/status-client.ts';
import type { PageReader } from '../page-reader.ts';

/** Notices and details are requested before page and components. */
export function createPageReader(client: StatusClient): PageReader {
  return {
    page: (signal) => observePage(client, { signal }),
    components: (signal, soFar) => observeComponents(client, { signal, ...(soFar && { soFar }) }),
    notices: (timeline, signal) =>
      observeNotices(client, timeline, { signal, urgency: 'urgent', firstPageOnly: timeline === 'past_recent' }),
    notice: (id, signal) => observeNotice(client, id, { signal, urgency: 'urgent' }),
    pastNotices: {
      list: (timeline, page, signal) => observePastPage(client, timeline, page, { signal, urgency: 'background' }),
      notice: (id, signal) => observeNotice(client, id, { signal, urgency: 'background' }),
    },
    restMs: () => client.waitMs(),
  };
}
