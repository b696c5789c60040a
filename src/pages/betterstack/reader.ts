/** Better Stack's page: a single document. */
import { applyClock } from '../reading.ts';
import type { PageLimits, PageType } from '../vendor-page.ts';
import { mapIndex } from './mapping.ts';

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
    look: async (signal) => applyClock(await ask('/index.json', mapIndex, { signal }), now()),
  }),
};
