/** The world as pages of smaller vendors. */
import { toTimestamp } from '../../core/transition/details.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { isOver, listNotices, openOf, listSpokenUpdates, type VendorNotice, type VendorPages } from './vendor-world.ts';

const SITE = 'https://status.example.com';

const INSTATUS: Readonly<Record<string, string>> = {
  degraded: 'PARTIALOUTAGE',
  recovering: 'MONITORING',
  scheduled: 'NOTSTARTEDYET',
  underway: 'INPROGRESS',
};
const INSTATUS_PAGE: Readonly<Record<string, string>> = { operational: 'UP', under_maintenance: 'UNDERMAINTENANCE' };

function inInstatus(state: string): string {
  return INSTATUS[state] ?? state.replaceAll('_', '').toUpperCase();
}

export const instatus: VendorPages = (world) => {
  const [incidents, works] = [openOf(world, ['incident']), openOf(world, ['work'])];
  const shared = ({ id, subject, state, updatedAt }: VendorNotice): object => ({
    id,
    name: subject,
    status: inInstatus(state),
    url: `${SITE}/${id}`,
    updatedAt: toTimestamp(updatedAt),
  });
  const summary = {
    page: { name: world.name, url: SITE, status: INSTATUS_PAGE[world.state] ?? 'HASISSUES' },
    // Absent if there are none.
    ...(incidents.length > 0 && {
      activeIncidents: incidents.map((each) => ({
        ...shared(each),
        started: toTimestamp(each.beganAt ?? each.createdAt),
        impact: 'PARTIALOUTAGE',
      })),
    }),
    ...(works.length > 0 && {
      activeMaintenances: works.map((each) => ({
        ...shared(each),
        start: toTimestamp(each.beginsAt),
        duration: String(((each.endsAt ?? 0) - (each.beginsAt ?? 0)) / MINUTE),
      })),
    }),
  };
  const components = world.components.map(({ id, name, state, parentId }) => {
    const parent = world.components.find((other) => other.id === parentId);
    const group = parent === undefined ? null : { id: parent.id, name: parent.name };
    return { id, name, status: inInstatus(state), group };
  });
  return new Map([
    ['/summary.json', { json: summary }],
    ['/v2/components.json', { json: { components } }],
  ]);
};

const BETTER_STACK: Readonly<Record<string, string>> = { degraded: 'downtime', under_maintenance: 'maintenance' };

/** As captured: only the report has the relation to its updates. */
export const betterstack: VendorPages = (world) => {
  const resources = world.components.map(({ id, name, state }) => ({
    id,
    type: 'status_page_resource',
    attributes: { public_name: name, status: BETTER_STACK[state] ?? state },
  }));
  const shown = listNotices(world, ['incident', 'work']);
  const reports = shown.map((each) => {
    const isWork = each.kind === 'work';
    const open = isWork ? 'maintenance' : each.state === 'recovering' ? 'operational' : 'downtime';
    return {
      id: each.id,
      type: 'status_report',
      attributes: {
        title: each.subject,
        report_type: isWork ? 'maintenance' : 'manual',
        starts_at: toTimestamp(isWork ? each.beginsAt : (each.beganAt ?? each.createdAt)),
        // Null even if resolved.
        ends_at: isWork ? toTimestamp(each.endsAt) : null,
        aggregate_state: isOver(each) ? 'resolved' : open,
        affected_resources: each.hits.map(({ id }) => ({
          status_page_resource_id: id,
          status: isOver(each) ? 'resolved' : open,
        })),
      },
      relationships: {
        status_updates: {
          data: each.updates.map((_, index) => ({ id: `${each.id}-${index}`, type: 'status_update' })),
        },
      },
    };
  });
  const updates = shown.flatMap((each) =>
    each.updates.map(({ content, createdAt }, index) => ({
      id: `${each.id}-${index}`,
      type: 'status_update',
      attributes: { message: content, published_at: toTimestamp(createdAt), affected_resources: [] },
    })),
  );
  const attributes = { company_name: world.name, aggregate_state: BETTER_STACK[world.state] ?? world.state };
  const data = { id: '1', type: 'status_page', attributes };
  return new Map([['/index.json', { json: { data, included: [...resources, ...reports, ...updates] } }]]);
};

const STATUSIO: Readonly<Record<string, number>> = { identified: 200, recovering: 300, resolved: 400, complete: 400 };
const STATUSIO_COMPONENT: Readonly<Record<string, number>> = {
  operational: 100,
  under_maintenance: 200,
  degraded: 400,
};

export const statusio: VendorPages = (world) => {
  const shared = (each: VendorNotice): object => ({
    _id: each.id,
    name: each.subject,
    datetime_open: toTimestamp(each.createdAt),
    components_affected: each.hits.map(({ id, name }) => ({ _id: id, name })),
    containers_affected: [],
    messages: listSpokenUpdates(each).map(({ state, content, createdAt }) => ({
      details: content,
      state: STATUSIO[state ?? each.state] ?? 100,
      status: each.kind === 'work' ? 200 : 400,
      datetime: toTimestamp(createdAt),
    })),
    ...(each.kind === 'work' && {
      datetime_planned_start: toTimestamp(each.beginsAt),
      datetime_planned_end: toTimestamp(each.endsAt),
    }),
  });
  const works = openOf(world, ['work']);
  const result = {
    status_overall: {
      status: 'see the code',
      status_code: STATUSIO_COMPONENT[world.state] ?? 300,
      updated: toTimestamp(world.updatedAt),
    },
    status: world.components.map(({ id, name, state }) => ({
      id,
      name,
      status_code: STATUSIO_COMPONENT[state] ?? 300,
      status: state,
      containers: [],
    })),
    incidents: openOf(world, ['incident']).map(shared),
    maintenance: {
      active: works.filter(({ state }) => state === 'underway').map(shared),
      upcoming: works.filter(({ state }) => state !== 'underway').map(shared),
    },
  };
  return new Map([['/1.0/status/533c6539221ae15e3f000031', { json: { result } }]]);
};

const STATUSCAST: Readonly<Record<string, string>> = { recovering: 'Monitored', news: 'Informational' };
const STATUSCAST_PAGE: Readonly<Record<string, string>> = {
  operational: 'Available',
  under_maintenance: 'Maintenance',
};

export const statuscast: VendorPages = (world) => {
  const incidents = openOf(world, ['incident', 'work', 'news']).map((each) => {
    const isWork = each.kind === 'work';
    const status = (state: string): string => (isWork ? 'Maintenance' : (STATUSCAST[state] ?? state));
    return {
      Id: Number(each.id),
      Title: each.subject,
      Status: status(each.state),
      IncidentType: isWork ? 'Scheduled Maintenance' : 'Incident',
      StartDate: toTimestamp(isWork ? each.beginsAt : each.createdAt),
      DateCreated: toTimestamp(each.createdAt),
      DateUpdated: toTimestamp(each.updatedAt),
      ShortUrl: `${SITE}/${each.id}`,
      Posts: each.updates.map(({ state, content, createdAt }) => ({
        Text: content,
        Status: status(state ?? each.state),
        DateCreated: toTimestamp(createdAt),
      })),
    };
  });
  const Status = STATUSCAST_PAGE[world.state] ?? 'Unavailable';
  return new Map([['/summary.json', { json: { Status, StatusText: Status, UnresolvedIncidents: incidents } }]]);
};

const SLACK_WORK: Readonly<Record<string, string>> = {
  scheduled: 'scheduled',
  complete: 'completed',
  cancelled: 'cancelled',
};

export const slack: VendorPages = (world) => {
  const record = (each: VendorNotice): object => ({
    id: Number(each.id),
    title: each.subject,
    type: each.kind === 'work' ? 'maintenance' : 'incident',
    status: each.kind === 'work' ? (SLACK_WORK[each.state] ?? 'active') : isOver(each) ? 'resolved' : 'active',
    url: `${SITE}/${each.id}`,
    services: each.hits.map(({ name }) => name),
    date_created: toTimestamp(each.createdAt),
    date_updated: toTimestamp(each.updatedAt),
    notes: each.updates
      .toReversed()
      .map(({ content, createdAt }) => ({ date_created: toTimestamp(createdAt), body: content })),
  });
  const open = openOf(world, ['incident', 'work']);
  const current = {
    status: open.length > 0 ? 'active' : 'ok',
    date_updated: toTimestamp(world.updatedAt),
    active_incidents: open.map(record),
  };
  const history = world.notices.filter(({ kind }) => kind !== 'news').toReversed();
  return new Map<string, { json: unknown }>([
    ['/api/v2.0.0/current', { json: current }],
    ['/api/v2.0.0/history', { json: history.map(record) }],
  ]);
};
