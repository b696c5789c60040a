/** StatusCast's one document → what a look brings back: what is not resolved, without components and without the past. */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { NoticeDetail, Update } from '../../core/page/page-model.ts';
import type { Origin } from '../../provider/http.ts';
import { readLine, readUrl, type Raw } from '../../provider/status-rows.ts';
import {
  contentOf,
  historyOf,
  idOf,
  inOurWords,
  listingOf,
  NO_COMPONENTS,
  noticeOf,
  pageSeen,
  readRows,
  rowsOf,
  stateOf,
  timeOf,
  unreadIds,
} from '../reading.ts';
import { notOfThisType, type Shown } from '../vendor-page.ts';

const PAGE: Readonly<Record<string, string>> = {
  available: 'operational',
  informational: 'operational',
  maintenance: 'under_maintenance',
};
/** What is still listed as unresolved though all is available again is watched, and not over. */
const INCIDENT: Readonly<Record<string, string>> = {
  monitored: 'recovering',
  monitoring: 'recovering',
  available: 'recovering',
  unavailable: 'investigating',
  degraded: 'investigating',
};
const IMPACT: Readonly<Record<string, string>> = { unavailable: 'major', degraded: 'minor' };

/** `/summary.json` */
export function summary(value: unknown, origin: Origin): Shown {
  const own = isObject(value) ? stateOf(value['Status']) : null;
  if (!isObject(value) || own === null || !('StatusText' in value || 'UnresolvedIncidents' in value)) {
    throw notOfThisType(origin, 'is no summary of StatusCast');
  }
  const name = origin.base.host;
  const rows = value['UnresolvedIncidents'];
  return {
    document: { page: null, name, updatedAt: null },
    page: pageSeen({ name, ...inOurWords(own, PAGE[own] ?? 'degraded'), url: origin.base.href }),
    components: NO_COMPONENTS,
    notices: listingOf('notices', readRows(rows, incident), () => unreadIds(rows, incident, (raw) => idOf(raw['Id']))),
  };
}

function incident(raw: Raw): NoticeDetail | null {
  const [id, own] = [idOf(raw['Id']), stateOf(raw['Status'])];
  if (id === null || own === null) return null;
  const kind = stateOf(raw['IncidentType']) ?? '';
  const updates = historyOf(rowsOf(raw['Posts']).map(post));
  const begun = timeOf(raw['StartDate']);
  const shared = {
    id,
    subject: readLine(raw['Title'], LIMITS.subject) ?? `Notice ${id}`,
    url: readUrl(raw['ShortUrl']),
    createdAt: timeOf(raw['DateCreated']),
    updatedAt: timeOf(raw['DateUpdated']),
    namesNobody: true as const,
    updates,
  };
  // The clock says whether work has begun.
  if (own === 'maintenance' || kind.includes('maintenance')) {
    return noticeOf({ ...shared, type: 'planned', timeline: null, state: null, beginsAt: begun });
  }
  if (own === 'informational') return noticeOf({ ...shared, type: 'general', timeline: 'present', state: null });
  return noticeOf({
    ...shared,
    type: 'unplanned',
    timeline: 'present',
    ...inOurWords(own, INCIDENT[own] ?? own),
    beganAt: begun,
    ...(IMPACT[own] !== undefined && { impact: IMPACT[own] }),
  });
}

function post(raw: Raw): Update {
  const [own, at] = [stateOf(raw['Status']), timeOf(raw['DateCreated'])];
  return {
    state: own === null ? null : (INCIDENT[own] ?? own),
    content: contentOf(raw['Text']),
    createdAt: at,
    updatedAt: at,
  };
}
