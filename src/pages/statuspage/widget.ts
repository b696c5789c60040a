/**
 * incident.io's own summary → what a look brings back: what is open and what is planned, with the last text of each. It
 * lists the components that are hit and no others, and keeps nothing that is over.
 */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { Component, NoticeDetail } from '../../core/page/page-model.ts';
import type { Origin } from '../../provider/http.ts';
import { readLine, readUrl, type Raw } from '../../provider/status-rows.ts';
import {
  contentOf,
  hitsOf,
  idOf,
  inOurWords,
  listingOf,
  nameOf,
  noticeOf,
  pageSeen,
  readRows,
  rowsOf,
  stateOf,
  timeOf,
  unreadIds,
} from '../reading.ts';
import { notOfThisType, type Shown } from '../vendor-page.ts';

const STATES: Readonly<Record<string, string>> = {
  monitoring: 'recovering',
  maintenance_scheduled: 'scheduled',
  maintenance_in_progress: 'underway',
};

const LISTS = ['ongoing_incidents', 'in_progress_maintenances', 'scheduled_maintenances'] as const;

/** `/api/v1/summary` */
export function widgetSummary(value: unknown, origin: Origin): Shown {
  const raw = isObject(value) ? value : {};
  const isOne = LISTS.some((key) => Array.isArray(raw[key]));
  if (!isOne) throw notOfThisType(origin, 'is no summary of a Statuspage or of incident.io');
  const open = [...rowsOf(raw['ongoing_incidents']), ...rowsOf(raw['in_progress_maintenances'])];
  const all = LISTS.flatMap((key) => readRows(raw[key], notice));
  const hit = open.flatMap((each) => rowsOf(each['affected_components']));
  const components = listingOf('components', hit.map(component), () => unreadIds(hit, component));
  const notices = listingOf('notices', all, () => LISTS.flatMap((key) => unreadIds(raw[key], notice)));
  const isTrouble = rowsOf(raw['ongoing_incidents']).length > 0;
  const isWork = rowsOf(raw['in_progress_maintenances']).length > 0;
  const name = nameOf(raw['page_title']) ?? origin.base.host;
  const state = isTrouble ? 'degraded' : isWork ? 'under_maintenance' : 'operational';
  return {
    document: { page: null, name, updatedAt: null, rowsComeAndGo: true },
    page: pageSeen({ name, state, url: readUrl(raw['page_url']) }),
    components,
    notices,
  };
}

function component(raw: Raw): Component | null {
  const [id, name, own] = [idOf(raw['id']), nameOf(raw['name']), stateOf(raw['current_status'])];
  if (id === null || name === null || own === null) return null;
  const state = own === 'operational' || own === 'under_maintenance' ? own : 'degraded';
  return { id, name, ...inOurWords(own, state), parentId: null, updatedAt: null };
}

function notice(raw: Raw): NoticeDetail | null {
  const [id, own] = [idOf(raw['id']), stateOf(raw['status'])];
  if (id === null || own === null) return null;
  const state = STATES[own] ?? own;
  const isPlanned = own.startsWith('maintenance');
  const at = timeOf(raw['last_update_at']);
  const content = contentOf(raw['last_update_message']);
  const hits = rowsOf(raw['affected_components']).map(component);
  const updates = content === '' ? [] : [{ state, content, createdAt: at, updatedAt: at }];
  return noticeOf({
    id,
    subject: readLine(raw['name'], LIMITS.subject) ?? `Notice ${id}`,
    url: readUrl(raw['url']),
    type: isPlanned ? 'planned' : 'unplanned',
    ...inOurWords(own, state),
    timeline: state === 'scheduled' ? 'future' : 'present',
    beginsAt: timeOf(raw['starts_at']),
    endsAt: timeOf(raw['ends_at']),
    beganAt: timeOf(raw['started_at']),
    updatedAt: at,
    components: hitsOf(hits.map((each) => (each === null ? null : { id: each.id, name: each.name }))),
    updates,
  });
}
