/** Slack's page: one document for open notices, one for the archive. */
import type { PageLimits, PageType } from '../vendor-page.ts';
import { mapCurrent, mapHistory } from './mapping.ts';

/** Slack's own page: captures and its documentation. */
const limits: PageLimits = {
  called: "Slack's status page",
  ends: 'kept',
  history: 'what its history lists',
  components: false,
  maintenance: true,
  texts: true,
  hits: true,
  answerBytes: 4 * 1024 * 1024,
};

export const slack: PageType = {
  limits,
  open: (_, ask) => ({
    look: (signal) => ask('/api/v2.0.0/current', mapCurrent, { signal }),
    kept: (_kind, signal) => ask('/api/v2.0.0/history', mapHistory, { signal }),
  }),
};
