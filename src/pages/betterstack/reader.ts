/** Better Stack's page: one document has all. */
import { byTheClock } from '../reading.ts';
import type { PageLimits, PageType } from '../vendor-page.ts';
import { index } from './mapping.ts';

/** Better Stack: live captures and its documentation. */
const limits: PageLimits = {
  called: 'a page of Better Stack',
  ends: 'told',
  history: 'as many reports as the page shows',
  components: true,
  maintenance: true,
  texts: true,
  hits: true,
  answerBytes: 2 * 1024 * 1024,
};

export const betterstack: PageType = {
  limits,
  open: (_, ask, now) => ({
    look: async (signal) => byTheClock(await ask('/index.json', index, { signal }), now()),
  }),
};
