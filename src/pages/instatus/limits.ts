/** Instatus: live captures and its documentation. */
import type { PageLimits } from '../vendor-page.ts';

export const limits: PageLimits = {
  called: 'a page of Instatus',
  ends: 'absence',
  history: null,
  components: true,
  maintenance: true,
  texts: false,
  hits: false,
  answerBytes: 2 * 1024 * 1024,
};
