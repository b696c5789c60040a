/** Better Stack's page: one document has all. */
import { byTheClock } from '../reading.ts';
import type { PageType } from '../vendor-page.ts';
import { limits } from './limits.ts';
import { index } from './mapping.ts';

export const betterstack: PageType = {
  limits,
  open: (_, ask, now) => ({
    look: async (signal) => byTheClock(await ask('/index.json', index, { signal }), now()),
  }),
};
