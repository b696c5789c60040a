/** Reads a feed from its own address. */
import { applyClock } from '../reading.ts';
import type { PageLimits, PageType } from '../vendor-page.ts';
import { mapFeed as shownBy } from './mapping.ts';
import { XML } from './xml.ts';

/** RSS and Atom: captures of several vendors. */
const limits: PageLimits = {
  called: 'a feed',
  ends: 'told',
  history: 'as many entries as the feed has, mostly 25',
  components: false,
  maintenance: true,
  texts: true,
  hits: false,
  answerBytes: 2 * 1024 * 1024,
};

export const feed: PageType = {
  limits,
  base: (typed) => typed,
  accept: 'application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.9',
  open: (_, ask, now) => ({
    look: async (signal) => applyClock(await ask('', shownBy, { signal, form: XML }), now()),
  }),
};
