/** What the running daemon can be asked over its control socket. */
import type { StatusReport } from './report.ts';

export interface ControlContract {
  status: { ask: Record<string, never>; answer: StatusReport };
}
