/** StatusCast's page: a single document. */
import { applyClock } from '../reading.ts';
import type { PageLimits, PageType } from '../vendor-page.ts';
import { mapSummary } from './mapping.ts';

/** No documentation of the format is known: derived from readers that third parties wrote. */
const limits: PageLimits = {
  called: 'a page of StatusCast',
  ends: 'absence',
  history: null,
  components: false,
  maintenance: true,
  texts: true,
  hits: false,
  answerBytes: 2 * 1024 * 1024,
};

export const statuscast: PageType = {
  limits,
  open: (_, ask, now) => ({
    look: async (signal) => applyClock(await ask('/summary.json', mapSummary, { signal }), now()),
  }),
};
