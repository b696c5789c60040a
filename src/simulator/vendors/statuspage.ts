/** The world as Statuspage answers. It has no false alarms or cancelled work: they are deleted. */
import { HOUR } from '../../core/text/duration.ts';
import {
  isOver,
  openOf,
  type VendorComponent,
  type VendorNotice,
  type VendorPages,
  type VendorWorld,
} from './vendor-world.ts';

const STATES: Readonly<Record<string, string>> = {
  recovering: 'monitoring',
  underway: 'in_progress',
  complete: 'completed',
  degraded: 'partial_outage',
};
const DELETED: readonly string[] = ['false_alarm', 'cancelled'];
const INDICATORS: Readonly<Record<string, readonly [indicator: string, description: string]>> = {
  operational: ['none', 'All Systems Operational'],
  under_maintenance: ['maintenance', 'Service Under Maintenance'],
};
const TROUBLE = ['major', 'Partial System Outage'] as const;
/** Notices per kind in the archive. */
const KEPT = 50;

export const statuspage: VendorPages = (world) => {
  const page = {
    id: 'kctbh9vrtdwd',
    name: world.name,
    url: 'https://status.example.com',
    time_zone: 'Australia/Brisbane',
    updated_at: local(world.updatedAt),
  };
  const [indicator, description] = INDICATORS[world.state] ?? TROUBLE;
  const status = { indicator, description };
  const components = rowsOf(world.components);
  const there = { ...world, notices: world.notices.filter(({ state }) => !DELETED.includes(state)) };
  const incidents = openOf(there, ['incident']).toReversed().map(recordOf);
  const works = openOf(there, ['work']).toReversed().map(recordOf);
  const of = (state: string): object[] => works.filter(({ status: own }) => own === state);
  return new Map([
    ['/api/v2/summary.json', { json: { page, components, incidents, scheduled_maintenances: works, status } }],
    ['/api/v2/incidents.json', { json: { page, incidents: newestOf(there, 'incident') } }],
    ['/api/v2/scheduled-maintenances.json', { json: { page, scheduled_maintenances: newestOf(there, 'work') } }],
    ['/api/v2/status.json', { json: { page, status } }],
    ['/api/v2/components.json', { json: { page, components } }],
    ['/api/v2/incidents/unresolved.json', { json: { page, incidents } }],
    ['/api/v2/scheduled-maintenances/upcoming.json', { json: { page, scheduled_maintenances: of('scheduled') } }],
    ['/api/v2/scheduled-maintenances/active.json', { json: { page, scheduled_maintenances: of('in_progress') } }],
  ]);
};

/** Archive including open notices; deleted ones leave no trace. */
function newestOf({ notices }: VendorWorld, kind: VendorNotice['kind']): object[] {
  return notices
    .filter((each) => each.kind === kind)
    .toReversed()
    .slice(0, KEPT)
    .map(recordOf);
}

function rowsOf(components: readonly VendorComponent[]): object[] {
  const children = Map.groupBy(components, ({ parentId }) => parentId);
  return components.map(({ id, name, state, parentId }, position) => {
    const own = children.get(id)?.map((child) => child.id);
    return {
      id,
      name,
      status: wordOf(state),
      position: position + 1,
      group_id: parentId,
      group: own !== undefined,
      ...(own !== undefined && { components: own }),
      only_show_if_degraded: false,
    };
  });
}

function wordOf(state: string): string {
  return STATES[state] ?? state;
}

function recordOf(notice: VendorNotice) {
  const isWork = notice.kind === 'work';
  return {
    id: notice.id,
    name: notice.subject,
    status: wordOf(notice.state),
    impact: isWork ? 'maintenance' : notice.hits.length === 0 ? 'minor' : 'major',
    created_at: local(notice.createdAt),
    updated_at: local(notice.updatedAt),
    // For planned work, the time of announcement.
    started_at: local(isWork ? notice.createdAt : (notice.beganAt ?? notice.createdAt)),
    monitoring_at: local(notice.updates.findLast(({ state }) => state === 'recovering')?.createdAt ?? null),
    resolved_at: isOver(notice) ? local(notice.endedAt ?? notice.updatedAt) : null,
    shortlink: `https://stspg.example.com/${notice.id}`,
    components: notice.hits.map(({ id, name }) => ({ id, name })),
    incident_updates: notice.updates
      .map(({ state, content, createdAt, updatedAt }, index) => ({
        id: `${notice.id}-${index}`,
        status: wordOf(state ?? notice.state),
        body: content,
        created_at: local(createdAt),
        updated_at: local(updatedAt),
        display_at: local(createdAt),
        affected_components: null,
      }))
      .toReversed(),
    ...(isWork && { scheduled_for: local(notice.beginsAt), scheduled_until: local(notice.endsAt) }),
  };
}

/** Local time of the page: Brisbane has no daylight saving. */
function local(at: number | null): string | null {
  return at === null ? null : new Date(at + 10 * HOUR).toISOString().replace('Z', '+10:00');
}
