/** Addresses of a Statuspage: one for the current state, and one per kind of archive. */
import { isNotFound, createOptionalDocument } from '../optional-document.ts';
import type { PageLimits, PageType } from '../vendor-page.ts';
import { KEPT_RECORDS, mapKeptIncidents, mapKeptMaintenances, mapSummary } from './mapping.ts';
import { mapWidget } from './widget.ts';

/** Statuspage by Atlassian, incident.io's imitation of it, and incident.io's own summary. */
const limits: PageLimits = {
  called: 'a Statuspage',
  ends: 'kept',
  history: `the ${KEPT_RECORDS} newest incidents and maintenances`,
  components: true,
  maintenance: true,
  texts: true,
  hits: true,
  // A page with 539 rows has 331 kB; 50 incidents with long histories about 500 kB.
  answerBytes: 4 * 1024 * 1024,
};

export const statuspage: PageType = {
  limits,
  open(_, ask) {
    /** incident.io's own summary, if Atlassian's form is missing; null until either has answered. */
    let isWidget: boolean | null = null;
    /** incident.io has no archive of maintenances. */
    const maintenances = createOptionalDocument((signal) =>
      ask('/api/v2/scheduled-maintenances.json', mapKeptMaintenances, { signal }),
    );

    return {
      async look(signal) {
        if (isWidget !== true) {
          try {
            const shown = await ask('/api/v2/summary.json', mapSummary, { signal });
            isWidget = false;
            return shown;
          } catch (error) {
            if (isWidget === false || !isNotFound(error)) throw error;
          }
        }
        const shown = await ask('/api/v1/summary', mapWidget, { signal });
        isWidget = true;
        return shown;
      },
      async kept(kind, signal) {
        if (isWidget === true) return null;
        if (kind === 'unplanned') return await ask('/api/v2/incidents.json', mapKeptIncidents, { signal });
        return await maintenances(signal);
      },
    };
  },
};
