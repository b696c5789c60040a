/** A feed is asked at its own address, and has all there is to know. */
import { byTheClock } from '../reading.ts';
import type { PageType } from '../vendor-page.ts';
import { limits } from './limits.ts';
import { feed as shownBy } from './mapping.ts';
import { XML } from './xml.ts';

export const feed: PageType = {
  limits,
  base: (typed) => typed,
  accept: 'application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.9',
  open: (_, ask, now) => ({
    look: async (signal) => byTheClock(await ask('', shownBy, { signal, form: XML }), now()),
  }),
};
