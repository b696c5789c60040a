/** AWS' own page: captures; what its codes mean is inferred. */
import type { PageLimits } from '../vendor-page.ts';

export const limits: PageLimits = {
  called: "AWS' status page",
  ends: 'told',
  history: 'events that ended a short while ago',
  components: false,
  maintenance: false,
  texts: true,
  hits: true,
  needsChoice: 'products and regions',
  answerBytes: 4 * 1024 * 1024,
};
