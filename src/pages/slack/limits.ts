/** Slack's own page: captures and its documentation. */
import type { PageLimits } from '../vendor-page.ts';

export const limits: PageLimits = {
  called: "Slack's status page",
  ends: 'kept',
  history: 'what its history lists',
  components: false,
  maintenance: true,
  texts: true,
  hits: true,
  answerBytes: 4 * 1024 * 1024,
};
