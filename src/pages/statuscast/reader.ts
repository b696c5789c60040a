/** StatusCast's page: one document has all. */
import { byTheClock } from '../reading.ts';
import type { PageType } from '../vendor-page.ts';
import { limits } from './limits.ts';
import { summary } from './mapping.ts';

export const statuscast: PageType = {
  limits,
  open: (_, ask, now) => ({
    look: async (signal) => byTheClock(await ask('/summary.json', summary, { signal }), now()),
  }),
};
