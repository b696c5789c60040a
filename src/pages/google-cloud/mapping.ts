/**
 * Maps Google Cloud's document with about a year of incidents. Google Workspace and Firebase have the same form
 * (captures). Incidents without an end are open. Product and region form one name, `us-east1: Compute Engine`, so that
 * either can be selected.
 */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { NoticeDetail, Update } from '../../core/page/page-model.ts';
import type { ComponentName } from '../../core/transition/details.ts';
import { DAY } from '../../core/text/duration.ts';
import type { InterfaceOrigin } from '../../provider/http.ts';
import { readLine, type Raw } from '../../provider/status-rows.ts';
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
} from '../reading.ts';
import { refuseOtherDocument, type KeptDocument, type Shown } from '../vendor-page.ts';

/** Names by host, as the document has none. */
const NAMES: Readonly<Record<string, string>> = {
  'status.cloud.google.com': 'Google Cloud',
  'www.google.com': 'Google Workspace',
  'status.firebase.google.com': 'Firebase',
};
const IMPACT: Readonly<Record<string, string>> = {
  service_outage: 'critical',
  service_disruption: 'major',
  service_information: 'minor',
};
/** Incidents that ended earlier are read only on request. */
const LISTED_FOR_MS = 7 * DAY;

/** `/incidents.json`: current incidents, and the archive. */
export function mapIncidents(value: unknown, origin: InterfaceOrigin): { shown: Shown; kept: KeptDocument } {
  if (!Array.isArray(value) || toRows(value).some((raw) => !('begin' in raw))) {
    throw refuseOtherDocument(origin, "is no list of Google Cloud's incidents");
  }
  const { base } = origin;
  const name = NAMES[base.hostname] ?? base.host;
  // Links are relative to the page, with or without trailing slash.
  const place = new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}/`);
  const all = readRows(value, (raw) => incident(raw, place));
  const known = all.filter((each) => each !== null);
  const newest = known.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt ?? 0), 0);
  const listed = all.filter((each) => each === null || each.endedAt === null || each.endedAt >= newest - LISTED_FOR_MS);
  const isBad = known.some(({ endedAt, impact }) => endedAt === null && impact !== 'minor');
  return {
    shown: {
      document: { page: null, name, updatedAt: null },
      page: toShownPage({ name, state: isBad ? 'degraded' : 'operational', url: place.href }),
      components: NO_COMPONENTS,
      notices: toListing('notices', listed),
    },
    kept: {
      notices: toListing('notices', all.slice(0, LIMITS.notices)),
      since: known.reduce((oldest, { createdAt }) => Math.min(oldest, createdAt ?? Infinity), Infinity),
      updatedAt: null,
    },
  };
}

function incident(raw: Raw, base: URL): NoticeDetail | null {
  const id = readId(raw['id']) ?? readId(raw['number']);
  if (id === null) return null;
  const endedAt = toTime(raw['end']);
  const latest = isObject(raw['most_recent_update']) ? raw['most_recent_update'] : (toRows(raw['updates'])[0] ?? {});
  const own = readState(latest['status']) ?? readState(raw['status_impact']) ?? 'unknown';
  const impact = IMPACT[readState(raw['status_impact']) ?? own];
  const uri = typeof raw['uri'] === 'string' ? URL.parse(raw['uri'], base) : null;
  const state = endedAt !== null ? 'resolved' : own === 'available' ? 'recovering' : 'investigating';
  return createNotice({
    id,
    subject: readLine(titleOf(raw['external_desc']), LIMITS.subject) ?? `Notice ${id}`,
    url: uri !== null && uri.origin === base.origin && !uri.pathname.endsWith('.json') ? uri.href : base.href,
    type: 'unplanned',
    timeline: endedAt === null ? 'present' : 'past_recent',
    ...(endedAt === null ? translateState(own, state) : { state }),
    beganAt: toTime(raw['begin']),
    endedAt,
    createdAt: toTime(raw['created']) ?? toTime(raw['begin']),
    updatedAt: toTime(raw['modified']),
    ...(impact !== undefined && { impact }),
    components: dropUnnamed(placesOf(raw)),
    updates: toHistory(toRows(raw['updates']).map(update)),
  });
}

/** Google Workspace puts a whole Markdown text here, starting with `**Title:**` (capture). */
function titleOf(description: unknown): unknown {
  if (typeof description !== 'string' || !description.startsWith('**Title')) return description;
  const [, title = '', text = ''] = description.split('**');
  return text.trim() === '' ? title : text;
}

function placesOf(raw: Raw): (ComponentName | null)[] {
  const places = [...toRows(raw['currently_affected_locations']), ...toRows(raw['previously_affected_locations'])];
  const regions = places.flatMap((place) => readId(place['id']) ?? []);
  return toRows(raw['affected_products']).flatMap((product) => {
    const name = readName(product['title']);
    const id = readId(product['id']) ?? name;
    if (name === null || id === null) return [null];
    return (regions.length === 0 ? ['global'] : regions).map((region) => ({
      id: `${region}/${id}`,
      name: `${region}: ${name}`,
    }));
  });
}

function update(raw: Raw): Update {
  const own = readState(raw['status']);
  return {
    state: own === 'available' ? 'recovering' : null,
    content: readContent(raw['text']),
    createdAt: toTime(raw['created']) ?? toTime(raw['when']),
    updatedAt: toTime(raw['modified']),
  };
}
