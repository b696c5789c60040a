/** The provider's status page in a night: its components, and notices that come and go. */

export const COMPONENTS = [
  'SIP Registration',
  'Inbound Calls',
  'Outbound Calls',
  'SMS',
  'Fax',
  'Customer Portal',
  'Billing',
  'Call Recording',
] as const;
export type ComponentName = (typeof COMPONENTS)[number];
/** Those without which a phone is not registered. */
export const OF_PHONES: readonly ComponentName[] = ['SIP Registration', 'Inbound Calls', 'Outbound Calls'];

export interface Notice {
  subject: string;
  type: 'unplanned' | 'planned';
  components: readonly ComponentName[];
  /** In the order of their times. */
  states: { at: number; state: string; content: string }[];
  window?: { begins: number; ends: number };
}

/** A component that is degraded without a notice. */
export interface Flip {
  component: ComponentName;
  from: number;
  until: number;
}

const ALWAYS = '2026-01-01T00:00:00.000Z';
const ENDS = ['resolved', 'false_alarm', 'complete'];
const HITS: Readonly<Record<string, string>> = {
  investigating: 'degraded',
  identified: 'degraded',
  underway: 'under_maintenance',
};

const time = (at: number): string => new Date(at).toISOString();

type Row = Record<string, unknown>;

export interface Documents {
  page: Row;
  components: Row[];
  notices: Row[];
  details: Map<string, Row>;
}

/** The moments at which the page changes. */
export function momentsOf(notices: readonly Notice[], flips: readonly Flip[]): number[] {
  const all = [
    ...notices.flatMap(({ states }) => states.map(({ at }) => at)),
    ...flips.flatMap((flip) => [flip.from, flip.until]),
  ];
  return [...new Set(all)].toSorted((a, b) => a - b);
}

export function documentsAt(notices: readonly Notice[], flips: readonly Flip[], at: number): Documents {
  const there = notices.flatMap((notice, index) => {
    const past = notice.states.filter((state) => state.at <= at);
    return past.length === 0 ? [] : [{ notice, id: 600_100 + index, past }];
  });
  const stateOf = (component: ComponentName): string => {
    const hits = there.flatMap(({ notice, past }) =>
      notice.components.includes(component) ? (HITS[past.at(-1)?.state ?? ''] ?? []) : [],
    );
    const flipped = flips.some((flip) => flip.component === component && flip.from <= at && at < flip.until);
    if (flipped || hits.includes('degraded')) return 'degraded';
    return hits[0] ?? 'operational';
  };
  const components = COMPONENTS.map((name, index) => componentRow(name, index, stateOf(name)));
  const states = components.map(({ state }) => state);
  const worst = ['degraded', 'under_maintenance'].find((state) => states.includes(state)) ?? 'operational';
  const rows = there.map((one) => noticeRow(one));
  return {
    page: {
      name: 'Example',
      state: worst,
      url: 'https://status.example.com',
      created_at: ALWAYS,
      updated_at: time(at),
    },
    components,
    notices: rows.map(({ item }) => item),
    details: new Map(
      rows.map(({ item, detail }) => [
        String(item['id']),
        { ...detail, components: components.filter(({ name }) => detail.hits.includes(name as ComponentName)) },
      ]),
    ),
  };
}

function componentRow(name: string, index: number, state: string): Row {
  return { id: index + 1, state, name, description: '', parent_id: null, created_at: ALWAYS, updated_at: ALWAYS };
}

function noticeRow({ notice, id, past }: { notice: Notice; id: number; past: Notice['states'] }): {
  item: Row;
  detail: Row & { hits: readonly ComponentName[] };
} {
  const [first] = past;
  const last = past.at(-1) ?? first;
  if (first === undefined || last === undefined) throw new Error('a notice has a state');
  const over = ENDS.includes(last.state);
  const begun = notice.type === 'unplanned' ? first.at : past.find(({ state }) => state === 'underway')?.at;
  const updates = past.map(({ at, state, content }) => ({
    state,
    content,
    created_at: time(at),
    updated_at: time(at),
  }));
  const item: Row = {
    id,
    type: notice.type,
    timeline_state: over ? 'past_recent' : last.state === 'scheduled' ? 'future' : 'present',
    state: last.state,
    subject: notice.subject,
    url: `https://status.example.com/notices/${id}`,
    ...(notice.window === undefined
      ? {}
      : { begins_at: time(notice.window.begins), ends_at: time(notice.window.ends) }),
    began_at: begun === undefined ? null : time(begun),
    ended_at: over ? time(last.at) : null,
    created_at: time(first.at),
    updated_at: time(last.at),
  };
  return {
    item: { ...item, latest_update: updates.at(-1) ?? null },
    detail: { ...item, updates, hits: notice.components },
  };
}
