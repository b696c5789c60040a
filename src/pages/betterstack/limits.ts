/** Better Stack: live captures and its documentation. */
import type { PageLimits } from '../vendor-page.ts';

export const limits: PageLimits = {
  called: 'a page of Better Stack',
  ends: 'told',
  history: 'as many reports as the page shows',
  components: true,
  maintenance: true,
  texts: true,
  hits: true,
  answerBytes: 2 * 1024 * 1024,
};
