/** Status.io: live captures; the codes from other readers of it. */
import type { PageLimits } from '../vendor-page.ts';

export const limits: PageLimits = {
  called: 'a page of Status.io',
  ends: 'absence',
  history: null,
  components: true,
  maintenance: true,
  texts: true,
  hits: true,
  answerBytes: 2 * 1024 * 1024,
};
