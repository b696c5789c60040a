/** For what asks a running daemon of which no history is kept. */
import type { RequestContext } from '../../src/daemon/requests/request.ts';

export const NO_HISTORY: Pick<RequestContext, 'stories' | 'record'> = {
  stories: { history: { story: () => Promise.resolve(null) }, failed: () => undefined },
  record: () => Promise.resolve(),
};
