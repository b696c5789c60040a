/** Documents of a Statuspage, in the shape its vendor documents: small, and of nobody's. */
const ISO = (at: number): string => new Date(at).toISOString();

export interface Incident {
  id: string;
  name: string;
  status: string;
  impact: string;
  created_at: string;
  updated_at: string;
  started_at?: string;
  resolved_at?: string | null;
  shortlink?: string;
  components?: object[];
  incident_updates: object[];
  scheduled_for?: string;
  scheduled_until?: string;
}

export interface PageShown {
  id: string;
  at: number;
  indicator: string;
  components: object[];
  incidents: Incident[];
  maintenances: Incident[];
  /** What is kept of the past, besides what is open. */
  past: Incident[];
  pastMaintenances: Incident[];
}

export function shownPage(at: number, own: Partial<PageShown> = {}): PageShown {
  return {
    id: 'kctbh9vrtdwd',
    at,
    indicator: 'none',
    components: [component('c1', 'SMS'), component('c2', 'Voice')],
    incidents: [],
    maintenances: [],
    past: [],
    pastMaintenances: [],
    ...own,
  };
}

export function component(id: string, name: string, status = 'operational', own: object = {}): object {
  return { id, name, status, position: 1, group_id: null, group: false, only_show_if_degraded: false, ...own };
}

export function update(status: string, body: string, at: number): object {
  return {
    id: `u${at}`,
    status,
    body,
    created_at: ISO(at),
    updated_at: ISO(at),
    display_at: ISO(at),
    affected_components: null,
  };
}

export function incident(id: string, status: string, at: number, own: Partial<Incident> = {}): Incident {
  return {
    id,
    name: 'Delayed messages',
    status,
    impact: 'major',
    created_at: ISO(at),
    updated_at: ISO(at),
    started_at: ISO(at),
    resolved_at: null,
    shortlink: `https://stspg.example/${id}`,
    components: [component('c1', 'SMS', 'partial_outage')],
    incident_updates: [update(status, 'We are looking into it.', at)],
    ...own,
  };
}

/** What is under a path of the page. */
export function answersOf(shown: PageShown): Map<string, object> {
  const page = {
    id: shown.id,
    name: 'Carrier',
    url: 'https://status.carrier.example',
    time_zone: 'Etc/UTC',
    updated_at: ISO(shown.at),
  };
  const status = {
    indicator: shown.indicator,
    description: shown.indicator === 'none' ? 'All Systems Operational' : 'Partial System Outage',
  };
  return new Map<string, object>([
    [
      '/api/v2/summary.json',
      {
        page,
        status,
        components: shown.components,
        incidents: shown.incidents,
        scheduled_maintenances: shown.maintenances,
      },
    ],
    ['/api/v2/incidents.json', { page, incidents: [...shown.incidents, ...shown.past] }],
    [
      '/api/v2/scheduled-maintenances.json',
      { page, scheduled_maintenances: [...shown.maintenances, ...shown.pastMaintenances] },
    ],
  ]);
}
