/** The world as each of the smaller systems answers it. */
import { iso, isOver, openOf, type VendorNotice, type VendorPages, type VendorWorld } from './vendor-world.ts';

const MINUTE = 60_000;

function isBad({ components }: VendorWorld): boolean {
  return components.some(({ state }) => state === 'degraded');
}

const INSTATUS: Readonly<Record<string, string>> = {
  operational: 'OPERATIONAL',
  degraded: 'PARTIALOUTAGE',
  under_maintenance: 'UNDERMAINTENANCE',
  investigating: 'INVESTIGATING',
  identified: 'IDENTIFIED',
  recovering: 'MONITORING',
  scheduled: 'NOTSTARTEDYET',
  underway: 'INPROGRESS',
};

export const instatus: VendorPages = (world) => {
  const [incidents, works] = [openOf(world, false), openOf(world, true)];
  const shared = ({ id, subject, state, updatedAt }: VendorNotice): object => ({
    id,
    name: subject,
    status: INSTATUS[state] ?? state.toUpperCase(),
    url: `https://status.example.com/${id}`,
    updatedAt: iso(updatedAt),
  });
  return new Map([
    [
      '/summary.json',
      {
        json: {
          page: {
            name: world.name,
            url: 'https://status.example.com',
            status: isBad(world)
              ? 'HASISSUES'
              : works.some(({ state }) => state === 'underway')
                ? 'UNDERMAINTENANCE'
                : 'UP',
          },
          ...(incidents.length > 0 && {
            activeIncidents: incidents.map((each) => ({
              ...shared(each),
              started: iso(each.beganAt ?? each.createdAt),
              impact: 'PARTIALOUTAGE',
            })),
          }),
          ...(works.length > 0 && {
            activeMaintenances: works.map((each) => ({
              ...shared(each),
              start: iso(each.beginsAt),
              duration: String(((each.endsAt ?? 0) - (each.beginsAt ?? 0)) / MINUTE),
            })),
          }),
        },
      },
    ],
    [
      '/v2/components.json',
      {
        json: {
          components: world.components.map(({ id, name, state }) => ({ id, name, status: INSTATUS[state] ?? state })),
        },
      },
    ],
  ]);
};

export const betterstack: VendorPages = (world) => {
  const resources = world.components.map(({ id, name, state }) => ({
    id,
    type: 'status_page_resource',
    attributes: {
      public_name: name,
      status: state === 'degraded' ? 'downtime' : state === 'under_maintenance' ? 'maintenance' : state,
    },
  }));
  const reports = world.notices.map((each) => ({
    id: each.id,
    type: 'status_report',
    attributes: {
      title: each.subject,
      report_type: each.planned ? 'maintenance' : 'manual',
      starts_at: iso(each.planned ? each.beginsAt : (each.beganAt ?? each.createdAt)),
      ends_at: each.planned ? iso(each.endsAt) : null,
      aggregate_state: isOver(each)
        ? 'resolved'
        : each.planned
          ? 'maintenance'
          : each.state === 'recovering'
            ? 'operational'
            : 'downtime',
      affected_resources: each.hits.map(({ id }) => ({ status_page_resource_id: id, status: 'downtime' })),
    },
  }));
  const updates = world.notices.flatMap((each) =>
    each.updates.map(({ content, createdAt }, index) => ({
      id: `${each.id}-${index}`,
      type: 'status_update',
      attributes: { message: content, published_at: iso(createdAt), affected_resources: [] },
      relationships: { status_report: { data: { id: each.id, type: 'status_report' } } },
    })),
  );
  const state = isBad(world) ? 'downtime' : 'operational';
  const data = { id: '1', type: 'status_page', attributes: { company_name: world.name, aggregate_state: state } };
  return new Map([['/index.json', { json: { data, included: [...resources, ...reports, ...updates] } }]]);
};

const STATUSIO: Readonly<Record<string, number>> = {
  investigating: 100,
  identified: 200,
  recovering: 300,
  resolved: 400,
};
const STATUSIO_COMPONENT: Readonly<Record<string, number>> = {
  operational: 100,
  under_maintenance: 200,
  degraded: 400,
};

export const statusio: VendorPages = (world) => {
  const shared = (each: VendorNotice): object => ({
    _id: each.id,
    name: each.subject,
    datetime_open: iso(each.createdAt),
    components_affected: each.hits.map(({ id, name }) => ({ _id: id, name })),
    containers_affected: [],
    messages: each.updates.map(({ state, content, createdAt }) => ({
      details: content,
      state: STATUSIO[state ?? each.state] ?? 100,
      status: 400,
      datetime: iso(createdAt),
    })),
    ...(each.planned && {
      datetime_planned_start: iso(each.beginsAt),
      datetime_planned_end: iso(each.endsAt),
    }),
  });
  const works = openOf(world, true);
  const result = {
    status_overall: { status: 'see the code', status_code: isBad(world) ? 400 : 100, updated: iso(world.updatedAt) },
    status: world.components.map(({ id, name, state }) => ({
      id,
      name,
      status_code: STATUSIO_COMPONENT[state] ?? 300,
      status: state,
      containers: [],
    })),
    incidents: openOf(world, false).map(shared),
    maintenance: {
      active: works.filter(({ state }) => state === 'underway').map(shared),
      upcoming: works.filter(({ state }) => state !== 'underway').map(shared),
    },
  };
  return new Map([['/1.0/status/533c6539221ae15e3f000031', { json: { result } }]]);
};

const STATUSCAST: Readonly<Record<string, string>> = {
  recovering: 'Monitored',
  underway: 'Maintenance',
  scheduled: 'Maintenance',
};

export const statuscast: VendorPages = (world) => {
  const incidents = openOf(world).map((each) => ({
    Id: Number(each.id),
    Title: each.subject,
    Status: STATUSCAST[each.state] ?? each.state,
    IncidentType: each.planned ? 'Scheduled Maintenance' : 'Incident',
    StartDate: iso(each.planned ? each.beginsAt : each.createdAt),
    DateCreated: iso(each.createdAt),
    DateUpdated: iso(each.updatedAt),
    ShortUrl: `https://status.example.com/${each.id}`,
    Posts: each.updates.map(({ content, createdAt }) => ({
      Text: content,
      Status: each.state,
      DateCreated: iso(createdAt),
    })),
  }));
  const Status = isBad(world) ? 'Unavailable' : 'Available';
  return new Map([['/summary.json', { json: { Status, StatusText: Status, UnresolvedIncidents: incidents } }]]);
};

export const slack: VendorPages = (world) => {
  const record = (each: VendorNotice): object => ({
    id: Number(each.id),
    title: each.subject,
    type: each.planned ? 'maintenance' : 'incident',
    status: isOver(each)
      ? each.planned
        ? 'completed'
        : 'resolved'
      : each.planned && each.state === 'scheduled'
        ? 'scheduled'
        : 'active',
    url: `https://slack-status.example.com/${each.id}`,
    services: each.hits.map(({ name }) => name),
    date_created: iso(each.createdAt),
    date_updated: iso(each.updatedAt),
    notes: each.updates.toReversed().map(({ content, createdAt }) => ({ date_created: iso(createdAt), body: content })),
  });
  const open = openOf(world);
  return new Map<string, { json: unknown }>([
    [
      '/api/v2.0.0/current',
      {
        json: {
          status: open.length > 0 ? 'active' : 'ok',
          date_updated: iso(world.updatedAt),
          active_incidents: open.map(record),
        },
      },
    ],
    ['/api/v2.0.0/history', { json: world.notices.toReversed().map(record) }],
  ]);
};
