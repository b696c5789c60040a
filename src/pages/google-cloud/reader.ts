/** Google Cloud's page: a single document with open incidents and about a year of closed ones. */
import type { PageLimits, KeptDocument, PageType } from '../vendor-page.ts';
import { mapIncidents } from './mapping.ts';

/** Google Cloud's own page: captures. */
const limits: PageLimits = {
  called: 'a status page of Google Cloud or Google Workspace',
  ends: 'told',
  history: 'about a year of incidents',
  components: false,
  maintenance: false,
  texts: true,
  hits: true,
  needsChoice: 'products and regions',
  answerBytes: 10 * 1024 * 1024,
};

export const googleCloud: PageType = {
  limits,
  open(_, ask) {
    let kept: KeptDocument | null = null;
    return {
      async look(signal) {
        const read = await ask('/incidents.json', mapIncidents, { signal });
        ({ kept } = read);
        return read.shown;
      },
      kept: (kind) => Promise.resolve(kind === 'unplanned' ? kept : null),
    };
  },
};
