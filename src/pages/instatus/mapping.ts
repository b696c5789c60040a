/**
 * Maps Instatus' documents. Empty lists are absent, and there is no archive. Live pages have ids; the documentation
 * (instatus.com/help/api/public-data) shows none.
 */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { Listing } from '../../core/observation/listing.ts';
import type { Component, NoticeDetail } from '../../core/page/page-model.ts';
import { MINUTE } from '../../core/text/duration.ts';
import type { InterfaceOrigin } from '../../provider/http.ts';
import { readLine, readUrl, type Raw } from '../../provider/status-rows.ts';
import {
  readId,
  translateState,
  toListing,
  readMinutes,
  readName,
  createNotice,
  toShownPage,
  toPlace,
  readRows,
  readState,
  toTime,
  listUnreadIds,
} from '../reading.ts';
import { refuseOtherDocument, type Shown } from '../vendor-page.ts';

const PAGE: Readonly<Record<string, string>> = { up: 'operational', undermaintenance: 'under_maintenance' };
const NOTICE: Readonly<Record<string, string>> = {
  monitoring: 'recovering',
  notstartedyet: 'scheduled',
  inprogress: 'underway',
  verifying: 'underway',
  completed: 'complete',
};
/** Words are joined: `UNDERMAINTENANCE`. */
const WORDS: Readonly<Record<string, string>> = {
  hasissues: 'has issues',
  undermaintenance: 'under maintenance',
  degradedperformance: 'degraded performance',
  partialoutage: 'partial outage',
  minoroutage: 'minor outage',
  majoroutage: 'major outage',
  notstartedyet: 'not started yet',
  inprogress: 'in progress',
};
const IMPACT: Readonly<Record<string, string>> = {
  operational: 'none',
  degradedperformance: 'minor',
  minoroutage: 'minor',
  partialoutage: 'major',
  majoroutage: 'critical',
};

/** `/summary.json`, without components. */
export function mapSummary(value: unknown, origin: InterfaceOrigin): Omit<Shown, 'components'> {
  const page = isObject(value) && isObject(value['page']) ? value['page'] : null;
  const own = readState(page?.['status']);
  if (!isObject(value) || page === null || own === null) throw refuseOtherDocument(origin, 'is no summary of Instatus');
  const name = readName(page['name']) ?? origin.base.host;
  const incidents = readRows(value['activeIncidents'], incident);
  const maintenances = readRows(value['activeMaintenances'], maintenance);
  const notices = toListing('notices', [...incidents, ...maintenances], () => [
    ...listUnreadIds(value['activeIncidents'], incident, noticeId),
    ...listUnreadIds(value['activeMaintenances'], maintenance, noticeId),
  ]);
  // UP has occurred together with an open incident.
  const isBad = incidents.some((each) => each !== null && each.timeline === 'present' && each.impact !== 'none');
  const state = isBad ? 'degraded' : (PAGE[own] ?? 'degraded');
  return {
    document: { ...toPlace(readUrl(page['url'])), name, updatedAt: null },
    page: toShownPage({ name, ...worded(own, state), url: readUrl(page['url']) }),
    notices,
  };
}

/** `/v2/components.json` */
export function mapComponents(value: unknown, origin: InterfaceOrigin): Listing<Component> {
  if (!isObject(value) || !Array.isArray(value['components'])) {
    throw refuseOtherDocument(origin, 'holds no list of components');
  }
  const rows = value['components'];
  return toListing('components', readRows(rows, component), () => listUnreadIds(rows, component));
}

function component(raw: Raw): Component | null {
  const [id, name, own] = [readId(raw['id']), readName(raw['name']), readState(raw['status'])];
  if (id === null || name === null || own === null) return null;
  const group = isObject(raw['group']) ? raw['group'] : {};
  return {
    id,
    name,
    ...worded(own, PAGE[own] ?? (own === 'operational' ? own : 'degraded')),
    parentId: readId(group['id']),
    updatedAt: null,
  };
}

function worded(own: string, ours: string): { state: string; word?: string } {
  const spaced = WORDS[own] ?? own;
  return own === 'up' || spaced.replaceAll(' ', '_') === ours ? { state: ours } : translateState(spaced, ours);
}

/** Pages without ids, as documented, have an address per notice. */
function noticeId(raw: Raw): string | null {
  return readId('id' in raw ? raw['id'] : readUrl(raw['url']));
}

function record(raw: Raw) {
  const [id, own] = [noticeId(raw), readState(raw['status'])];
  if (id === null || own === null) return null;
  const begun = toTime(raw['started'] ?? raw['start']);
  return {
    id,
    begun,
    own,
    subject: readLine(raw['name'], LIMITS.subject) ?? `Notice ${id}`,
    url: readUrl(raw['url']),
    updatedAt: toTime(raw['updatedAt']),
    namesNoComponents: true as const,
  };
}

function incident(raw: Raw): NoticeDetail | null {
  const known = record(raw);
  if (known === null) return null;
  const { own, begun, ...shared } = known;
  const state = NOTICE[own] ?? own;
  const impact = readState(raw['impact']);
  return createNotice({
    ...shared,
    ...worded(own, state),
    type: 'unplanned',
    timeline: state === 'resolved' ? 'past_recent' : 'present',
    beganAt: begun,
    createdAt: begun,
    ...(impact !== null && { impact: IMPACT[impact] ?? impact }),
  });
}

/** Duration in minutes, as number or text. */
function maintenance(raw: Raw): NoticeDetail | null {
  const known = record(raw);
  if (known === null) return null;
  const { own, begun, ...shared } = known;
  const state = NOTICE[own] ?? own;
  const minutes = readMinutes(raw['duration']);
  const isOver = state === 'complete';
  return createNotice({
    ...shared,
    ...worded(own, state),
    type: 'planned',
    timeline: isOver ? 'past_recent' : state === 'underway' ? 'present' : 'future',
    beginsAt: begun,
    endsAt: begun === null || minutes === null ? null : begun + minutes * MINUTE,
  });
}
