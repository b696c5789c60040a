/** The world as Statuspage answers it. */
import { iso, isOver, openOf, type VendorNotice, type VendorPages } from './vendor-world.ts';

const STATES: Readonly<Record<string, string>> = {
  recovering: 'monitoring',
  underway: 'in_progress',
  complete: 'completed',
  false_alarm: 'resolved',
  cancelled: 'resolved',
  degraded: 'partial_outage',
};
const KEPT = 50;

export const statuspage: VendorPages = (world) => {
  const page = {
    id: 'kctbh9vrtdwd',
    name: world.name,
    url: 'https://status.example.com',
    time_zone: 'Etc/UTC',
    updated_at: iso(world.updatedAt),
  };
  const isBad = world.components.some(({ state }) => state === 'degraded');
  const status = isBad
    ? { indicator: 'major', description: 'Partial System Outage' }
    : { indicator: 'none', description: 'All Systems Operational' };
  const components = world.components.map(({ id, name, state }, position) => ({
    id,
    name,
    status: wordOf(state),
    position,
    group_id: null,
    group: false,
    only_show_if_degraded: false,
  }));
  const newest = (planned: boolean): object[] =>
    world.notices
      .filter((each) => each.planned === planned)
      .toReversed()
      .slice(0, KEPT)
      .map(recordOf);
  return new Map([
    [
      '/api/v2/summary.json',
      {
        json: {
          page,
          status,
          components,
          incidents: openOf(world, false).map(recordOf),
          scheduled_maintenances: openOf(world, true).map(recordOf),
        },
      },
    ],
    ['/api/v2/incidents.json', { json: { page, incidents: newest(false) } }],
    ['/api/v2/scheduled-maintenances.json', { json: { page, scheduled_maintenances: newest(true) } }],
  ]);
};

function wordOf(state: string): string {
  return STATES[state] ?? state;
}

function recordOf(notice: VendorNotice): object {
  return {
    id: notice.id,
    name: notice.subject,
    status: wordOf(notice.state),
    impact: notice.planned ? 'maintenance' : 'major',
    created_at: iso(notice.createdAt),
    updated_at: iso(notice.updatedAt),
    started_at: iso(notice.createdAt),
    resolved_at: isOver(notice) ? iso(notice.endedAt ?? notice.updatedAt) : null,
    shortlink: `https://stspg.example.com/${notice.id}`,
    components: notice.hits.map(({ id, name }) => ({ id, name })),
    incident_updates: notice.updates.toReversed().map(({ state, content, createdAt }, index) => ({
      id: `${notice.id}-${index}`,
      status: wordOf(state ?? notice.state),
      body: content,
      created_at: iso(createdAt),
      updated_at: iso(createdAt),
      display_at: iso(createdAt),
      affected_components: null,
    })),
    ...(notice.planned && { scheduled_for: iso(notice.beginsAt), scheduled_until: iso(notice.endsAt) }),
  };
}
