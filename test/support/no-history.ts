/** For what asks a running daemon of which no history is kept. */
import type { RequestContext } from '../../src/daemon/requests/request.ts';

export const NO_HISTORY: Pick<RequestContext, 'history' | 'record'> = {
  history: { past: { story: () => Promise.resolve(null) }, failed: () => undefined },
  record: () => Promise.resolve(),
};
