/**
 * Maps Better Stack's single document (JSON:API). A report states that it is resolved; its end may be null even then.
 */
import { isObject } from '../../core/text/plain-object.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import type { Component, NoticeDetail, Update } from '../../core/page/page-model.ts';
import type { ComponentName } from '../../core/transition/details.ts';
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
  createNotice,
  toShownPage,
  readRows,
  toRows,
  readState,
  toTime,
  listUnreadIds,
} from '../reading.ts';
import { refuseOtherDocument, type Shown } from '../vendor-page.ts';

const STATES: Readonly<Record<string, string>> = { operational: 'operational', maintenance: 'under_maintenance' };
const IMPACT: Readonly<Record<string, string>> = { downtime: 'major', degraded: 'minor' };

/** An object of the document with type, id and attributes. */
interface ReportPart {
  id: string;
  type: string;
  own: Raw;
  /** Ids of the report's updates: only the report has the relation. */
  updates: readonly string[];
}

/** `/index.json` */
export function mapIndex(value: unknown, origin: InterfaceOrigin): Shown {
  const data = isObject(value) && isObject(value['data']) ? value['data'] : {};
  const own = isObject(data['attributes']) ? data['attributes'] : {};
  const state = readState(own['aggregate_state']);
  if (!isObject(value) || data['type'] !== 'status_page' || state === null) {
    throw refuseOtherDocument(origin, 'is no page of Better Stack');
  }
  const parts = readRows(value['included'], partOf);
  // Its type is unreadable: it could be either.
  const unusable = parts.filter((part) => part === null);
  const of = (type: string): ReportPart[] => parts.filter((part) => part !== null).filter((part) => part.type === type);
  const resources = of('status_page_resource');
  const components = toListing(
    'components',
    [...of('status_page_section').map(section), ...resources.map(resource), ...unusable],
    () => [
      ...resources.flatMap((each) => (resource(each) === null ? each.id : [])),
      ...listUnreadIds(value['included'], partOf).flatMap((id) => [id, sectionId(id)]),
    ],
  );
  const names = new Map(resources.map(({ id, own: { public_name: name } }) => [id, readName(name) ?? id]));
  const updates = new Map(of('status_update').map((update) => [update.id, update]));
  const reports = of('status_report').map((report) => reportOf(report, updates, names));
  const name = readName(own['company_name']) ?? readName(own['subdomain']) ?? origin.base.host;
  return {
    document: { page: readId(data['id']), name, updatedAt: null },
    page: toShownPage({ name, ...translateState(state, STATES[state] ?? 'degraded'), url: origin.base.href }),
    components,
    notices: toListing('notices', [...reports, ...unusable]),
  };
}

function partOf(raw: Raw): ReportPart | null {
  const [id, type] = [readId(raw['id']), readState(raw['type'])];
  if (id === null || type === null || !isObject(raw['attributes'])) return null;
  const related = isObject(raw['relationships']) ? raw['relationships'] : {};
  const linked = isObject(related['status_updates']) ? toRows(related['status_updates']['data']) : [];
  return { id, type, own: raw['attributes'], updates: linked.flatMap((each) => readId(each['id']) ?? []) };
}

function sectionId(id: string): string {
  return `section ${id}`;
}

/** A section has no state of its own, only its children do. */
function section({ id, own }: ReportPart): Component {
  return {
    id: sectionId(id),
    name: readName(own['name']) ?? 'Section',
    state: 'operational',
    unknown: true,
    group: true,
    parentId: null,
    updatedAt: null,
  };
}

/** Unmonitored resources are unknown, not operational. */
function resource({ id, own }: ReportPart): Component | null {
  const [name, state] = [readName(own['public_name']), readState(own['status'])];
  if (name === null || state === null) return null;
  const isMonitored = state !== 'not_monitored';
  const parent = readId(own['status_page_section_id']);
  return {
    id,
    name,
    ...translateState(state, isMonitored ? (STATES[state] ?? 'degraded') : 'operational'),
    ...(!isMonitored && { unknown: true }),
    parentId: parent === null ? null : sectionId(parent),
    updatedAt: null,
  };
}

function reportOf(
  part: ReportPart,
  all: ReadonlyMap<string, ReportPart>,
  names: ReadonlyMap<string, string>,
): NoticeDetail | null {
  const { id, own } = part;
  const state = readState(own['aggregate_state']);
  // Without a state its end is unknown.
  if (state === null) return null;
  const isPlanned = readState(own['report_type']) === 'maintenance';
  const [beganAt, endedAt] = [toTime(own['starts_at']), toTime(own['ends_at'])];
  const isOver = state === 'resolved';
  const hits = toRows(own['affected_resources']).map((raw): ComponentName | null => {
    const resourceId = readId(raw['status_page_resource_id']);
    return resourceId === null ? null : { id: resourceId, name: names.get(resourceId) ?? resourceId };
  });
  const updates = toHistory(part.updates.flatMap((each) => all.get(each) ?? []).map(updateOf));
  const shared = {
    id,
    subject: readLine(own['title'], LIMITS.subject) ?? `Notice ${id}`,
    url: readUrl(own['url']),
    createdAt: beganAt,
    components: dropUnnamed(hits),
    updates,
  };
  if (isPlanned) {
    // The start depends on the current time.
    const ours = isOver ? 'complete' : null;
    const window = { beginsAt: beganAt, endsAt: endedAt, endedAt: isOver ? endedAt : null };
    return createNotice({
      ...shared,
      type: 'planned',
      timeline: isOver ? 'past_recent' : null,
      state: ours,
      ...window,
    });
  }
  return createNotice({
    ...shared,
    type: 'unplanned',
    timeline: isOver ? 'past_recent' : 'present',
    ...translateState(state, isOver ? 'resolved' : state === 'operational' ? 'recovering' : 'investigating'),
    beganAt,
    endedAt: isOver ? endedAt : null,
    ...(IMPACT[state] !== undefined && { impact: IMPACT[state] }),
  });
}

function updateOf({ own }: ReportPart): Update {
  const at = toTime(own['published_at']);
  return { state: null, content: readContent(own['message']), createdAt: at, updatedAt: at };
}
