/** Counts, for each component, its incidents and their length. The page, the report and messages print it. */
import { findMedian } from '../transition/collections.ts';
import { subtractMonths } from './past-import.ts';
import { toTimestamp } from '../transition/details.ts';
import type { RecordDetails } from '../transition/notice-details.ts';
import { measureLateness, type PageRecord, type PastNotice } from './past-notice.ts';

/** A record covers at most this many months. */
export const RECORD_MONTHS = 12;

const NO_INCIDENT: readonly (string | null)[] = ['false_alarm', 'cancelled'];

/** Records of all components that had incidents, most incidents first. Empty if the start of the record is unknown. */
export function countComponentRecords({ since, notices }: PageRecord, now: number): RecordDetails[] {
  if (since === null) return [];
  const wanted = subtractMonths(now, RECORD_MONTHS);
  const begins = Math.max(since, wanted);
  const reach = { months: since <= wanted ? RECORD_MONTHS : null, since: toTimestamp(begins) };
  const hit = new Map<string, { name: string; incidents: PastNotice[] }>();
  for (const notice of notices) {
    const at = notice.beganAt ?? notice.createdAt;
    if (!isIncident(notice) || at === null || at < begins || at > now) continue;
    for (const { id, name } of notice.components) {
      const known = hit.get(id) ?? { name, incidents: [] };
      known.name = name;
      known.incidents.push(notice);
      hit.set(id, known);
    }
  }
  return [...hit]
    .map(([id, { name, incidents }]) => ({
      id,
      name,
      incidents: incidents.length,
      ...reach,
      median_ms: findMedianLength(incidents),
    }))
    .toSorted((a, b) => b.incidents - a.incidents || (b.median_ms ?? 0) - (a.median_ms ?? 0));
}

/** False alarms and cancelled notices are not incidents. */
export function isIncident({ type, state }: Pick<PastNotice, 'type' | 'state'>): boolean {
  return type === 'unplanned' && !NO_INCIDENT.includes(state);
}

function findMedianLength(incidents: readonly PastNotice[]): number | null {
  const lengths = incidents
    .flatMap(({ beganAt, endedAt }) => (beganAt === null || endedAt === null ? [] : [endedAt - beganAt]))
    .filter((ms) => ms >= 0);
  const median = findMedian(lengths);
  return median === null ? null : Math.round(median);
}

/** Counts of incidents that a page published late. */
export interface Punctuality {
  incidents: number;
  /** `late`: long after their start. `afterEnd`: after they were over. */
  late: number;
  afterEnd: number;
}

export function countLateNotices(notices: readonly PastNotice[]): Punctuality {
  const incidents = notices.filter(isIncident);
  const count = (kind: string): number => incidents.filter((notice) => measureLateness(notice).kind === kind).length;
  return { incidents: incidents.length, late: count('late'), afterEnd: count('after its end') };
}
