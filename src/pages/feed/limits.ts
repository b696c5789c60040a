/** RSS and Atom: captures of several vendors'. */
import type { PageLimits } from '../vendor-page.ts';

export const limits: PageLimits = {
  called: 'a feed',
  ends: 'told',
  history: 'as many entries as the feed has, mostly 25',
  components: false,
  maintenance: true,
  texts: true,
  hits: false,
  answerBytes: 2 * 1024 * 1024,
};
