/** For what asks a running daemon of which no history is kept. */
import type { ControlWiring } from '../../src/daemon/requests/control.ts';

export const NO_HISTORY: Pick<ControlWiring, 'history' | 'record'> = {
  history: { past: { story: () => Promise.resolve(null) }, failed: () => undefined },
  record: () => Promise.resolve(),
};
