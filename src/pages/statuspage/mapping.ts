/**
 * Maps Statuspage's documents. Open incidents have occurred together with the indicator `none`, so the page's state is
 * the worst of indicator, impacts and components.
 */
import { formatState } from '../../core/text/plain.ts';
import { isObject } from '../../core/text/plain-object.ts';
import type { Listing } from '../../core/observation/listing.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { Component, NoticeDetail, Page, Update } from '../../core/page/page-model.ts';
import type { ComponentName } from '../../core/transition/details.ts';
import type { InterfaceOrigin } from '../../provider/http.ts';
import { readLine, readUrl, type Raw } from '../../provider/status-rows.ts';
import {
  readContent,
  toHistory,
  findEnd,
  dropUnnamed,
  readId,
  translateState,
  toListing,
  readName,
  createNotice,
  readRows,
  toRows,
  readState,
  toTime,
  listUnreadIds,
} from '../reading.ts';
import { refuseOtherDocument, type KeptDocument, type Shown } from '../vendor-page.ts';

/** Limit of incidents, and of maintenances: documented, and confirmed by captures. */
export const KEPT_RECORDS = 50;

const INCIDENT: Readonly<Record<string, string>> = { monitoring: 'recovering', postmortem: 'resolved' };
const MAINTENANCE: Readonly<Record<string, string>> = {
  in_progress: 'underway',
  verifying: 'underway',
  completed: 'complete',
};
const NO_TROUBLE: readonly (string | null)[] = ['none', 'maintenance', null];
/** Internal records of the system. */
const INTERNAL = '_system_metadata:';

/** `/api/v2/summary.json` */
export function mapSummary(value: unknown, origin: InterfaceOrigin): Shown {
  const raw = isObject(value) ? value : {};
  const head = isObject(raw['page']) ? raw['page'] : null;
  if (head === null || !isObject(raw['status'])) throw refuseOtherDocument(origin, 'is no summary of a Statuspage');
  const url = readUrl(head['url']);
  const rows = readRows(raw['components'], component);
  const components = toListing('components', rows, () => listUnreadIds(raw['components'], component));
  const incidents = noticesOf(raw['incidents'], url, incident);
  const maintenances = noticesOf(raw['scheduled_maintenances'], url, maintenance);
  const name = readName(head['name']) ?? origin.base.host;
  const notices = toListing('notices', [...incidents, ...maintenances], () => [
    ...listUnreadIds(raw['incidents'], (each) => incident(each, url)),
    ...listUnreadIds(raw['scheduled_maintenances'], (each) => maintenance(each, url)),
  ]);
  return {
    document: {
      page: readId(head['id']),
      name,
      updatedAt: toTime(head['updated_at']),
      // incident.io's imitation lists only affected components; Atlassian's documents have a time zone.
      ...(!('time_zone' in head) && { rowsComeAndGo: true }),
    },
    page: { kind: 'observed', value: pageOf({ name, url, status: raw['status'] }, components, incidents) },
    components,
    notices,
  };
}

function pageOf(
  { name, url, status }: { name: string; url: string | null; status: Raw },
  components: Listing<Component>,
  incidents: readonly (NoticeDetail | null)[],
): Page {
  const indicator = readState(status['indicator']);
  const states = components.kind === 'missed' ? [] : components.items.map(({ state }) => state);
  const isBad = incidents.some((each) => each !== null && each.impact !== 'none' && each.timeline === 'present');
  // An undocumented word does not mean operational.
  const isTrouble = !NO_TROUBLE.includes(indicator) || isBad || states.includes('degraded');
  const isWork = indicator === 'maintenance' || states.includes('under_maintenance');
  const state = isTrouble ? 'degraded' : isWork ? 'under_maintenance' : 'operational';
  const word = readName(status['description']) ?? formatState(indicator ?? 'unknown');
  // Show the indicator's word only if it agrees with the state.
  const isItsWord = state !== 'operational' && indicator !== 'none';
  return { name, state, url, noticeCount: null, updatedAt: null, ...(isItsWord && { word }) };
}

/** Operational and maintenance are taken literally; every other state is degraded and keeps its word. */
function component(raw: Raw): Component | null {
  const [id, name, own] = [readId(raw['id']), readName(raw['name']), readState(raw['status'])];
  if (id === null || name === null || own === null) return null;
  const state = own === 'operational' || own === 'under_maintenance' ? own : 'degraded';
  return {
    id,
    name,
    ...translateState(own, state),
    parentId: readId(raw['group_id']),
    ...(raw['group'] === true && { group: true }),
    updatedAt: toTime(raw['updated_at']),
  };
}

function noticesOf(
  value: unknown,
  page: string | null,
  read: (raw: Raw, page: string | null) => NoticeDetail | null,
): (NoticeDetail | null)[] {
  const isForPeople = ({ name }: Raw): boolean => typeof name !== 'string' || !name.startsWith(INTERNAL);
  return readRows(value, (raw) => (isForPeople(raw) ? [read(raw, page)] : [])).flat();
}

function incident(raw: Raw, page: string | null): NoticeDetail | null {
  const own = readState(raw['status']);
  const shared = record(raw, page);
  if (shared === null || own === null) return null;
  const state = INCIDENT[own] ?? own;
  const impact = readState(raw['impact']);
  const updates = updatesOf(raw, INCIDENT);
  return createNotice({
    ...shared,
    ...translateState(own, state),
    type: 'unplanned',
    timeline: state === 'resolved' ? 'past_recent' : 'present',
    beganAt: toTime(raw['started_at']) ?? shared.createdAt,
    endedAt: state === 'resolved' ? (toTime(raw['resolved_at']) ?? findEnd(updates, ['resolved', 'postmortem'])) : null,
    ...(impact !== null && { impact: formatState(impact) }),
    updates,
  });
}

/** `started_at` is the time of the announcement. The work starts with the first update in the state `underway`. */
function maintenance(raw: Raw, page: string | null): NoticeDetail | null {
  const own = readState(raw['status']);
  const shared = record(raw, page);
  if (shared === null || own === null) return null;
  const state = MAINTENANCE[own] ?? own;
  const updates = updatesOf(raw, MAINTENANCE);
  const begun = updates.find((update) => update.state === 'underway');
  const isOver = state === 'complete';
  return createNotice({
    ...shared,
    ...translateState(own, state),
    type: 'planned',
    timeline: isOver ? 'past_recent' : state === 'underway' ? 'present' : 'future',
    beginsAt: toTime(raw['scheduled_for']),
    endsAt: toTime(raw['scheduled_until']),
    beganAt: begun?.createdAt ?? null,
    endedAt: isOver ? (toTime(raw['resolved_at']) ?? findEnd(updates, ['complete'])) : null,
    updates,
  });
}

/** Common to incidents and maintenances. */
function record(raw: Raw, page: string | null) {
  const id = readId(raw['id']);
  if (id === null) return null;
  const components = toRows(raw['components']).map(named);
  const fromUpdates = toRows(raw['incident_updates']).flatMap((update) =>
    toRows(update['affected_components']).map(hit),
  );
  return {
    id,
    subject: readLine(raw['name'], LIMITS.subject) ?? `Notice ${id}`,
    url: readUrl(raw['shortlink']) ?? page,
    createdAt: toTime(raw['created_at']),
    updatedAt: toTime(raw['updated_at']),
    components: dropUnnamed(components.length > 0 ? components : fromUpdates),
    // The imitation's incidents have no components: affected ones are unknown.
    ...(!Array.isArray(raw['components']) && fromUpdates.length === 0 && { namesNoComponents: true as const }),
  };
}

function named(raw: Raw): ComponentName | null {
  const [id, name] = [readId(raw['id']), readName(raw['name'])];
  return id === null || name === null ? null : { id, name };
}

function hit(raw: Raw): ComponentName | null {
  const [id, name] = [readId(raw['code']), readName(raw['name'])];
  return id === null || name === null ? null : { id, name };
}

/** `display_at` may be backdated: identify an update by its creation. */
function updatesOf(raw: Raw, states: Readonly<Record<string, string>>): Update[] {
  // Newest first, even within one minute.
  const rows = toRows(raw['incident_updates']).toReversed();
  return toHistory(
    rows.map((update) => {
      const own = readState(update['status']);
      return {
        state: own === null || own === 'postmortem' ? own : (states[own] ?? own),
        content: readContent(update['body']),
        createdAt: toTime(update['created_at']) ?? toTime(update['display_at']),
        updatedAt: toTime(update['updated_at']),
      };
    }),
  );
}

/** `/api/v2/incidents.json` */
export function mapKeptIncidents(value: unknown, origin: InterfaceOrigin): KeptDocument {
  return keptOf(value, origin, 'incidents', incident);
}

/** `/api/v2/scheduled-maintenances.json` */
export function mapKeptMaintenances(value: unknown, origin: InterfaceOrigin): KeptDocument {
  return keptOf(value, origin, 'scheduled_maintenances', maintenance);
}

function keptOf(
  value: unknown,
  origin: InterfaceOrigin,
  key: 'incidents' | 'scheduled_maintenances',
  read: (raw: Raw, page: string | null) => NoticeDetail | null,
): KeptDocument {
  const raw = isObject(value) ? value : {};
  const head = isObject(raw['page']) ? raw['page'] : null;
  if (head === null || !Array.isArray(raw[key])) throw refuseOtherDocument(origin, `holds no list of ${key}`);
  const rows = noticesOf(raw[key], readUrl(head['url']), read);
  const times = rows.flatMap((row) => row?.createdAt ?? []);
  const isAll = toRows(raw[key]).length < KEPT_RECORDS;
  return {
    notices: toListing('notices', rows),
    since: isAll ? null : times.reduce((oldest, at) => Math.min(oldest, at), Infinity),
    updatedAt: toTime(head['updated_at']),
  };
}
