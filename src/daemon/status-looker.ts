/** The provider's status interface behind the daemon's way of looking. */
import { observeComponents, observeNotice, observeNotices, observePage } from '../provider/observe.ts';
import type { StatusClient } from '../provider/status-client.ts';
import type { Looker } from './looker.ts';

export function statusLooker(client: StatusClient): Looker {
  return {
    page: (signal) => observePage(client, { signal }),
    components: (signal) => observeComponents(client, { signal }),
    notices: (timeline, signal) =>
      observeNotices(client, timeline, { signal, urgency: 'urgent', firstPageOnly: timeline === 'past_recent' }),
    notice: (id, signal) => observeNotice(client, id, { signal, urgency: 'urgent' }),
    restMs: () => client.waitMs(),
  };
}
