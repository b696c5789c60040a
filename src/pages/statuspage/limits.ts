/** Statuspage by Atlassian, incident.io's imitation of it, and incident.io's own summary. */
import type { PageLimits } from '../vendor-page.ts';

/** Incidents and, by themselves, maintenances: documented, and counted on captures. */
export const KEPT_RECORDS = 50;

export const limits: PageLimits = {
  called: 'a Statuspage',
  ends: 'kept',
  history: `the ${KEPT_RECORDS} newest incidents and maintenances`,
  components: true,
  maintenance: true,
  texts: true,
  hits: true,
  // A page of 539 rows has 331 kB; 50 incidents with long histories some 500 kB.
  answerBytes: 4 * 1024 * 1024,
};
