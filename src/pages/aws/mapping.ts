/**
 * Maps AWS' single document. An event has a service, a region, and the services it spreads to. Region and service form
 * one name, `ap-southeast-2 (Sydney): Amazon EC2`, so that each part can be selected. `region_name` is the place, and
 * only the ARN has the region itself. Closed events stay for a while.
 */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { NoticeDetail, Update } from '../../core/page/page-model.ts';
import type { ComponentName } from '../../core/transition/details.ts';
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
  toTime,
} from '../reading.ts';
import { nameRegion } from '../choice.ts';
import { refuseOtherDocument, type Shown } from '../vendor-page.ts';

const NAME = 'AWS';
/** Page for people, on the document's host: single events have no page. */
const FOR_PEOPLE = '/health/status';
/** Inferred from captures; undocumented. */
const WORDS: Readonly<Record<string, string>> = { '1': 'information', '2': 'degradation', '3': 'disruption' };
const IMPACT: Readonly<Record<string, string>> = { '1': 'minor', '2': 'minor', '3': 'major' };
const OVER = '0';

/** `/public/currentevents` */
export function mapEvents(value: unknown, origin: InterfaceOrigin): Shown {
  if (!Array.isArray(value) || toRows(value).some((raw) => !('arn' in raw) && !('service' in raw))) {
    throw refuseOtherDocument(origin, 'is no list of events of AWS');
  }
  const { href } = new URL(FOR_PEOPLE, origin.base);
  const notices = readRows(value, (raw) => event(raw, href));
  const isBad = notices.some((each) => each?.timeline === 'present' && each.impact !== 'minor');
  return {
    document: { page: null, name: NAME, updatedAt: null },
    page: toShownPage({ name: NAME, state: isBad ? 'degraded' : 'operational', url: href }),
    components: NO_COMPONENTS,
    notices: toListing('notices', notices),
  };
}

function event(raw: Raw, url: string): NoticeDetail | null {
  const createdAt = toTime(raw['date']);
  const service = readId(raw['service']);
  const ofOld = service === null || createdAt === null ? null : `${service}@${createdAt}`;
  const id = 'arn' in raw ? readId(raw['arn']) : ofOld;
  if (id === null) return null;
  const code = readId(raw['status']) ?? '';
  const endedAt = toTime(raw['end_time']);
  const isOver = code === OVER || endedAt !== null;
  const region = regionOf(raw);
  const updates = toHistory(toRows(raw['event_log']).map(entry));
  return createNotice({
    id,
    subject: readLine(raw['summary'], LIMITS.subject) ?? readName(raw['service_name']) ?? `Notice ${id}`,
    url,
    type: 'unplanned',
    timeline: isOver ? 'past_recent' : 'present',
    ...(isOver ? { state: 'resolved' } : translateState(WORDS[code] ?? `status ${code}`, 'investigating')),
    beganAt: createdAt,
    endedAt: isOver ? (endedAt ?? updates.at(-1)?.createdAt ?? null) : null,
    createdAt,
    ...(IMPACT[code] !== undefined && { impact: IMPACT[code] }),
    components: dropUnnamed([placeOf(region, service, readName(raw['service_name'])), ...spreadOf(region, raw)]),
    updates,
  });
}

interface Region {
  /** Part of the ids of what an event affects. */
  id: string;
  name: string;
}

/** `arn:aws:health:ap-southeast-2::event/…` with the place `Sydney`; an event of all regions has `global` or neither. */
function regionOf(raw: Raw): Region {
  const place = readName(raw['region_name']);
  const id = /^arn:[^:]*:health:([a-z0-9-]+):/.exec(readId(raw['arn']) ?? '')?.[1] ?? place ?? 'global';
  return { id, name: place === null || place.toLowerCase() === id ? id : nameRegion(id, place) };
}

function placeOf(region: Region, service: string | null, name: string | null): ComponentName | null {
  return service === null ? null : { id: `${region.id}/${service}`, name: `${region.name}: ${name ?? service}` };
}

function spreadOf(region: Region, raw: Raw): (ComponentName | null)[] {
  const services = isObject(raw['impacted_services']) ? raw['impacted_services'] : {};
  return Object.entries(services)
    .slice(0, LIMITS.components)
    .map(([service, each]) => placeOf(region, readId(service), isObject(each) ? readName(each['service_name']) : null));
}

function entry(raw: Raw): Update {
  const at = toTime(raw['timestamp']);
  const state = readId(raw['status']) === OVER ? 'resolved' : null;
  return { state, content: readContent(raw['message'] ?? raw['summary']), createdAt: at, updatedAt: at };
}
