/** Maps StatusCast's document: unresolved notices, without components and archive. */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { NoticeDetail, Update } from '../../core/page/page-model.ts';
import type { InterfaceOrigin } from '../../provider/http.ts';
import { readLine, readUrl, type Raw } from '../../provider/status-rows.ts';
import {
  readContent,
  toHistory,
  readId,
  translateState,
  toListing,
  NO_COMPONENTS,
  createNotice,
  toShownPage,
  readRows,
  toRows,
  readState,
  toTime,
  listUnreadIds,
} from '../reading.ts';
import { refuseOtherDocument, type Shown } from '../vendor-page.ts';

const PAGE: Readonly<Record<string, string>> = {
  available: 'operational',
  informational: 'operational',
  maintenance: 'under_maintenance',
};
/** States of an unresolved incident. `available`: the service is back, and the incident is not closed yet. */
const INCIDENT: Readonly<Record<string, string>> = {
  monitored: 'recovering',
  monitoring: 'recovering',
  available: 'recovering',
  unavailable: 'investigating',
  degraded: 'investigating',
};
const IMPACT: Readonly<Record<string, string>> = { unavailable: 'major', degraded: 'minor' };

/** `/summary.json` */
export function mapSummary(value: unknown, origin: InterfaceOrigin): Shown {
  const own = isObject(value) ? readState(value['Status']) : null;
  if (!isObject(value) || own === null || !('StatusText' in value || 'UnresolvedIncidents' in value)) {
    throw refuseOtherDocument(origin, 'is no summary of StatusCast');
  }
  const name = origin.base.host;
  const rows = value['UnresolvedIncidents'];
  return {
    document: { page: null, name, updatedAt: null },
    page: toShownPage({ name, ...translateState(own, PAGE[own] ?? 'degraded'), url: origin.base.href }),
    components: NO_COMPONENTS,
    notices: toListing('notices', readRows(rows, mapIncident), () =>
      listUnreadIds(rows, mapIncident, (raw) => readId(raw['Id'])),
    ),
  };
}

function mapIncident(raw: Raw): NoticeDetail | null {
  const [id, own] = [readId(raw['Id']), readState(raw['Status'])];
  if (id === null || own === null) return null;
  const kind = readState(raw['IncidentType']) ?? '';
  const updates = toHistory(toRows(raw['Posts']).map(mapPost));
  const begun = toTime(raw['StartDate']);
  const shared = {
    id,
    subject: readLine(raw['Title'], LIMITS.subject) ?? `Notice ${id}`,
    url: readUrl(raw['ShortUrl']),
    createdAt: toTime(raw['DateCreated']),
    updatedAt: toTime(raw['DateUpdated']),
    namesNoComponents: true as const,
    updates,
  };
  // Timeline and state follow from the planned times.
  if (own === 'maintenance' || kind.includes('maintenance')) {
    return createNotice({ ...shared, type: 'planned', timeline: null, state: null, beginsAt: begun });
  }
  if (own === 'informational') return createNotice({ ...shared, type: 'general', timeline: 'present', state: null });
  return createNotice({
    ...shared,
    type: 'unplanned',
    timeline: 'present',
    ...translateState(own, INCIDENT[own] ?? own),
    beganAt: begun,
    ...(IMPACT[own] !== undefined && { impact: IMPACT[own] }),
  });
}

function mapPost(raw: Raw): Update {
  const [own, at] = [readState(raw['Status']), toTime(raw['DateCreated'])];
  return {
    state: own === null ? null : (INCIDENT[own] ?? own),
    content: readContent(raw['Text']),
    createdAt: at,
    updatedAt: at,
  };
}
