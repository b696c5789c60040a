/** StatusCast: from other readers of it only. */
import type { PageLimits } from '../vendor-page.ts';

export const limits: PageLimits = {
  called: 'a page of StatusCast',
  ends: 'absence',
  history: null,
  components: false,
  maintenance: true,
  texts: true,
  hits: false,
  answerBytes: 2 * 1024 * 1024,
};
