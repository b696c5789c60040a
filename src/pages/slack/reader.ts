/** Slack's page: one document for what is open, one for what was. */
import type { PageType } from '../vendor-page.ts';
import { limits } from './limits.ts';
import { current, history } from './mapping.ts';

export const slack: PageType = {
  limits,
  open: (_, ask) => ({
    look: (signal) => ask('/api/v2.0.0/current', current, { signal }),
    kept: (_kind, signal) => ask('/api/v2.0.0/history', history, { signal }),
  }),
};
