/** Google Cloud's own page: captures. */
import type { PageLimits } from '../vendor-page.ts';

export const limits: PageLimits = {
  called: "Google Cloud's status page",
  ends: 'told',
  history: 'about a year of incidents',
  components: false,
  maintenance: false,
  texts: true,
  hits: true,
  needsChoice: 'products and regions',
  answerBytes: 10 * 1024 * 1024,
};
