/** Maps Slack's two documents: current notices, and the archive. */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { NoticeDetail, Update } from '../../core/page/page-model.ts';
import type { InterfaceOrigin } from '../../provider/http.ts';
import { readLine, readUrl, type Raw } from '../../provider/status-rows.ts';
import {
  readContent,
  toHistory,
  dropUnnamed,
  readId,
  translateState,
  toListing,
  readName,
  NO_COMPONENTS,
  createNotice,
  toShownPage,
  readRows,
  toRows,
  readState,
  toTime,
  listUnreadIds,
} from '../reading.ts';
import { refuseOtherDocument, type KeptDocument, type Shown } from '../vendor-page.ts';

/**
 * Slack grades by type (docs.slack.dev: notice, incident, outage). Most are an `incident`, even if one feature fails
 * for some customers: only an outage is critical.
 */
const IMPACT: Readonly<Record<string, string>> = { outage: 'major', incident: 'minor', notice: 'none' };
const NAME = 'Slack';

/** `/api/v2.0.0/current` */
export function mapCurrent(value: unknown, origin: InterfaceOrigin): Shown {
  const own = isObject(value) ? readState(value['status']) : null;
  if (!isObject(value) || own === null || !Array.isArray(value['active_incidents'] ?? [])) {
    throw refuseOtherDocument(origin, "is none of Slack's status page");
  }
  const rows = value['active_incidents'];
  const notices = readRows(rows, incident);
  const isWork = notices.length > 0 && notices.every((each) => each?.type === 'planned');
  const state = own === 'ok' ? 'operational' : isWork ? 'under_maintenance' : 'degraded';
  return {
    document: { page: null, name: NAME, updatedAt: toTime(value['date_updated']) },
    page: toShownPage({
      name: NAME,
      ...(state === 'operational' ? { state } : translateState(own, state)),
      url: origin.base.href,
    }),
    components: NO_COMPONENTS,
    notices: toListing('notices', notices, () => listUnreadIds(rows, incident)),
  };
}

/** `/api/v2.0.0/history` */
export function mapHistory(value: unknown, origin: InterfaceOrigin): KeptDocument {
  if (!Array.isArray(value)) throw refuseOtherDocument(origin, "is no history of Slack's status page");
  const rows = readRows(value, incident);
  const times = rows.flatMap((row) => row?.createdAt ?? []);
  return {
    notices: toListing('notices', rows),
    since: times.reduce((oldest, at) => Math.min(oldest, at), Infinity),
    updatedAt: null,
  };
}

function incident(raw: Raw): NoticeDetail | null {
  const [id, own] = [readId(raw['id']), readState(raw['status'])];
  if (id === null || own === null) return null;
  const kind = readState(raw['type']) ?? 'incident';
  const updates = toHistory(toRows(raw['notes']).map(note));
  const names = Array.isArray(raw['services']) ? (raw['services'] as unknown[]).map(readName) : [];
  const [createdAt, updatedAt] = [toTime(raw['date_created']), toTime(raw['date_updated'])];
  const shared = {
    id,
    subject: readLine(raw['title'], LIMITS.subject) ?? `Notice ${id}`,
    url: readUrl(raw['url']),
    createdAt,
    updatedAt,
    components: dropUnnamed(names.map((name) => (name === null ? null : { id: name, name }))),
    updates,
  };
  if (kind === 'maintenance') {
    const state = own === 'active' ? 'underway' : own === 'completed' || own === 'resolved' ? 'complete' : own;
    const isOver = state === 'complete' || state === 'cancelled';
    const timeline = isOver ? 'past_recent' : state === 'underway' ? 'present' : 'future';
    const endedAt = isOver ? updatedAt : null;
    return createNotice({ ...shared, type: 'planned', timeline, ...translateState(own, state), endedAt });
  }
  const state = own === 'active' ? 'investigating' : own === 'completed' ? 'resolved' : own;
  const isOver = state === 'resolved' || state === 'cancelled';
  return createNotice({
    ...shared,
    type: 'unplanned',
    timeline: isOver ? 'past_recent' : 'present',
    ...translateState(own, state),
    beganAt: createdAt,
    endedAt: isOver ? updatedAt : null,
    ...(IMPACT[kind] !== undefined && { impact: IMPACT[kind] }),
  });
}

function note(raw: Raw): Update {
  const at = toTime(raw['date_created']);
  return { state: null, content: readContent(raw['body']), createdAt: at, updatedAt: at };
}
