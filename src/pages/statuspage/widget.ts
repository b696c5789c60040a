/**
 * Maps incident.io's own summary: open and planned notices with their last text. It lists only affected components and
 * has no archive.
 */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { Component, NoticeDetail } from '../../core/page/page-model.ts';
import type { InterfaceOrigin } from '../../provider/http.ts';
import { readLine, readUrl, type Raw } from '../../provider/status-rows.ts';
import {
  readContent,
  dropUnnamed,
  readId,
  translateState,
  toListing,
  readName,
  createNotice,
  toShownPage,
  readRows,
  toRows,
  readState,
  toTime,
  listUnreadIds,
} from '../reading.ts';
import { refuseOtherDocument, type Shown } from '../vendor-page.ts';

const STATES: Readonly<Record<string, string>> = {
  monitoring: 'recovering',
  maintenance_scheduled: 'scheduled',
  maintenance_in_progress: 'underway',
};

const LISTS = ['ongoing_incidents', 'in_progress_maintenances', 'scheduled_maintenances'] as const;

/** `/api/v1/summary` */
export function mapWidget(value: unknown, origin: InterfaceOrigin): Shown {
  const raw = isObject(value) ? value : {};
  const isOne = LISTS.some((key) => Array.isArray(raw[key]));
  if (!isOne) throw refuseOtherDocument(origin, 'is no summary of a Statuspage or of incident.io');
  const open = [...toRows(raw['ongoing_incidents']), ...toRows(raw['in_progress_maintenances'])];
  const all = LISTS.flatMap((key) => readRows(raw[key], notice));
  const hit = open.flatMap((each) => toRows(each['affected_components']));
  const components = toListing('components', hit.map(component), () => listUnreadIds(hit, component));
  const notices = toListing('notices', all, () => LISTS.flatMap((key) => listUnreadIds(raw[key], notice)));
  const isTrouble = toRows(raw['ongoing_incidents']).length > 0;
  const isWork = toRows(raw['in_progress_maintenances']).length > 0;
  const name = readName(raw['page_title']) ?? origin.base.host;
  const state = isTrouble ? 'degraded' : isWork ? 'under_maintenance' : 'operational';
  return {
    document: { page: null, name, updatedAt: null, rowsComeAndGo: true },
    page: toShownPage({ name, state, url: readUrl(raw['page_url']) }),
    components,
    notices,
  };
}

function component(raw: Raw): Component | null {
  const [id, name, own] = [readId(raw['id']), readName(raw['name']), readState(raw['current_status'])];
  if (id === null || name === null || own === null) return null;
  const state = own === 'operational' || own === 'under_maintenance' ? own : 'degraded';
  return { id, name, ...translateState(own, state), parentId: null, updatedAt: null };
}

function notice(raw: Raw): NoticeDetail | null {
  const [id, own] = [readId(raw['id']), readState(raw['status'])];
  if (id === null || own === null) return null;
  const state = STATES[own] ?? own;
  const isPlanned = own.startsWith('maintenance');
  const at = toTime(raw['last_update_at']);
  const content = readContent(raw['last_update_message']);
  const hits = toRows(raw['affected_components']).map(component);
  const updates = content === '' ? [] : [{ state, content, createdAt: at, updatedAt: at }];
  return createNotice({
    id,
    subject: readLine(raw['name'], LIMITS.subject) ?? `Notice ${id}`,
    url: readUrl(raw['url']),
    type: isPlanned ? 'planned' : 'unplanned',
    ...translateState(own, state),
    timeline: state === 'scheduled' ? 'future' : 'present',
    beginsAt: toTime(raw['starts_at']),
    endsAt: toTime(raw['ends_at']),
    beganAt: toTime(raw['started_at']),
    updatedAt: at,
    components: dropUnnamed(hits.map((each) => (each === null ? null : { id: each.id, name: each.name }))),
    updates,
  });
}
