/** Statuses of an IT firm with customers and of one firm, calm and in their nights: whatever the pages show of them adds up. */
import { sortOpenAlerts } from '../../src/core/view/verdict/alert-order.ts';
import type {
  AccountView,
  EndedAlert,
  MaintenanceView,
  MissingPhone,
  OpenAlert,
  PageView,
  PartView,
  SystemStatus,
  SiteView,
  SourceView,
} from '../../src/core/view/system-status.ts';
import { toSiteKey, type RecentHours, type TroubleSpan } from '../../src/core/view/recent.ts';
import type { AlertStory } from '../../src/core/history/rows.ts';
import type { AlertHistory } from '../../src/core/view/story/alert-history.ts';
import type { Story } from '../../src/core/view/story/story.ts';
import type { RecentDeliveries } from '../../src/core/view/recent-deliveries.ts';
import type { WaitingReport } from '../../src/core/view/status-schema.ts';
import type { RecentHistory } from '../../src/web/views/now-page.ts';
import { accountView, alertView, INCIDENT, pageView, partView, statusView, SITE_LOST, VIEWED_AT } from './views.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONE = 'Australia/Melbourne';

type Account = SourceView & AccountView;
type Page = SourceView & PageView;

export interface Stood {
  status: SystemStatus;
  history: RecentHistory;
}

/** Name, then sites as offline, all and name. */
const HIT: readonly [name: string, ...sites: [number, number, string][]][] = [
  ['Bayside Dental Group', [14, 14, 'Brighton'], [10, 12, 'Sandringham'], [0, 12, 'Hampton']],
  ['Marram Logistics', [12, 18, 'Altona'], [5, 12, 'Geelong']],
  ['Umber Legal', [14, 14, 'Collins Street'], [0, 8, 'Queen Street']],
  ['Tallow & Finch Accountants', [12, 12, 'Fitzroy']],
  ['Corella Travel', [8, 10, 'Southbank'], [3, 9, 'Bendigo']],
  ['Ironbark Hardware', [6, 9, 'Preston'], [3, 9, 'Footscray'], [0, 8, 'Coburg']],
  ['Lorikeet Early Learning', [5, 6, 'Northcote'], [3, 8, 'Brunswick']],
  ['Saltbush Vets', [7, 9, 'Kew']],
  ['Quoll Physiotherapy', [4, 8, 'Hawthorn'], [1, 8, 'Camberwell']],
  ['Mallee Ag Services', [4, 11, 'Mildura']],
  ['Pardalote Real Estate', [1, 21, 'Malvern']],
];
const WELL: readonly [string, number][] = [
  ['Grevillea Florists', 6],
  ['Hume Building Supplies', 28],
  ['Jarrah Joinery', 10],
  ['Nardoo Catering', 13],
  ['Starling Optical', 15],
  ['Wombat Self Storage', 17],
  ['Yarrow Aged Care', 23],
];

function site(name: string | null, lost: number, total: number, from: number): SiteView {
  const missing = Array.from({ length: lost }, (_, index): MissingPhone => {
    const extension = String(from + index);
    return { extension, name: `Desk ${extension}`, since: VIEWED_AT - (13 - (index % 4)) * MINUTE, isLost: true };
  });
  return { site: name, isNamed: name !== null, registered: total - lost, total, missing };
}

export function account(
  called: string,
  sites: readonly [number, number, string | null][],
  more: Partial<Account> = {},
): Account {
  const all = sites.map(([lost, total, name], index) => site(name, lost, total, 1_001 + index * 100));
  const missing = all.flatMap((one) => one.missing);
  const total = all.reduce((sum, one) => sum + one.total, 0);
  return {
    ...accountView(called, total, missing.length),
    statusPages: ['provider'],
    phones: { registered: total - missing.length, total, missing, sites: all },
    ...more,
  };
}

const PARTS = [
  'SIP Trunks – Melbourne',
  'Registrations',
  'Call Queues',
  'Voicemail',
  'SMS',
  'Number Porting',
  'Customer Portal',
  'Account API',
];

export function provider(down: number): Page {
  const all = PARTS.map((name, index) => ({
    id: String(index + 1),
    name,
    state: index < down ? 'degraded' : 'operational',
    parentId: null,
    isOperational: index >= down,
    since: VIEWED_AT - (index === 0 ? 13 : 8) * MINUTE,
  }));
  const notOperational = all.slice(0, down).map(({ id, name, state }) => ({ id, name, state }));
  return pageView('provider', {
    called: 'Southern Cross Voice',
    state: down > 0 ? 'Degraded' : 'Operational',
    isWell: down === 0,
    url: 'https://status.southerncrossvoice.example/',
    components: { total: all.length, notOperational, all },
  });
}

export function carrier(isWell: boolean): Page {
  return pageView('yarra', {
    called: 'Yarra Fibre',
    vendor: true,
    state: isWell ? 'Operational' : 'Partial outage',
    isWell,
    url: 'https://status.yarrafibre.example/',
  });
}

function lossOf({ name, phones }: Account, because: NonNullable<PartView['phones']>['because']): PartView {
  const sites = (phones?.sites ?? []).filter(({ missing }) => missing.length > 0);
  const total = phones?.total ?? 0;
  const offline = total - (phones?.registered ?? 0);
  return {
    ...partView(name),
    phones: {
      offline,
      total,
      since: VIEWED_AT - 13 * MINUTE,
      sites: sites.map((one) => ({ site: one.site, offline: one.missing.length, total: one.total })),
      because,
    },
  };
}

const WORDS =
  'A session border controller in our Melbourne data centre has stopped forwarding traffic. Phones registered through it have lost their registration. We are moving traffic to Sydney.';

function outage(accounts: readonly Account[], title: string): OpenAlert {
  const parts = accounts.map((one) => lossOf(one, INCIDENT));
  const [first = partView('provider'), ...others] = parts;
  const said = [
    {
      source: 'provider',
      state: 'investigating',
      at: VIEWED_AT - 12 * MINUTE,
      text: 'We are receiving reports of inbound calls failing.',
    },
    { source: 'provider', state: 'identified', at: VIEWED_AT - 8 * MINUTE, text: WORDS },
  ];
  const page = { ...partView('provider'), affected: PARTS.slice(0, 3) };
  return alertView(4, [first, ...others, page], {
    title,
    subject: 'Inbound calls failing in Melbourne',
    state: 'Identified',
    words: { at: VIEWED_AT - 8 * MINUTE, text: WORDS },
    said,
    notified: ['ops-slack', 'ops-mail', 'on-call'].map((receiver) => ({ receiver, at: VIEWED_AT - 8 * MINUTE })),
    affected: PARTS.slice(0, 3),
    url: 'https://status.southerncrossvoice.example/notices/5002',
    minutesAgo: 14,
  });
}

function work(number: number, source: string, subject: string, inMs: number, lastsMs: number): MaintenanceView {
  return {
    alert: `work-${number}`,
    number,
    source,
    severity: 'info',
    subject,
    phase: 'to come',
    beginsAt: VIEWED_AT + inMs,
    endsAt: VIEWED_AT + inMs + lastsMs,
    beganAt: null,
    endedAt: null,
    revision: 0,
    changedAt: VIEWED_AT - DAY,
    affected: ['Voicemail'],
    words: null,
    url: null,
  };
}

const PLANNED = [
  work(21, 'provider', 'Voicemail storage', 21 * HOUR, 2 * HOUR),
  work(22, 'yarra', 'Fibre work, Carlton exchange', 4 * DAY, 2 * HOUR),
  {
    ...work(23, 'provider', 'Customer Portal upgrade', 14 * DAY, 45 * MINUTE),
    affected: ['Customer Portal'],
    words: { at: VIEWED_AT - DAY, text: 'Calls and registrations are not affected.' },
  },
  {
    ...work(20, 'provider', 'SMS gateway', -DAY, 2 * HOUR),
    phase: 'ended' as const,
    beganAt: VIEWED_AT - DAY + 3 * MINUTE,
    endedAt: VIEWED_AT - DAY + 113 * MINUTE,
  },
  {
    ...work(18, 'provider', 'Call recording storage', -6 * DAY, HOUR),
    phase: 'ended' as const,
    beganAt: VIEWED_AT - 6 * DAY,
    endedAt: VIEWED_AT - 6 * DAY + 85 * MINUTE,
  },
  { ...work(19, 'yarra', 'Fibre work, Kew exchange', -3 * DAY, 2 * HOUR), phase: 'cancelled' as const },
].toSorted((a, b) => (a.beginsAt ?? 0) - (b.beginsAt ?? 0));

function ended(number: number, title: string, source: string, agoMs: number, lastedMs: number): EndedAlert {
  const startedAt = VIEWED_AT - agoMs;
  return {
    number,
    sources: [source],
    severity: 'warning',
    title,
    startedAt,
    endedAt: startedAt + lastedMs,
    state: null,
    url: null,
  };
}

export function toggles(wrong = false): Pick<AccountView, 'toggles'> {
  return {
    toggles: [
      { id: '1', name: 'After hours', status: !wrong, expected: true, changesAt: VIEWED_AT + 4 * HOUR },
      { id: '2', name: 'Public holiday', status: false, expected: false, changesAt: VIEWED_AT + 30 * DAY },
      { id: '3', name: 'Emergency redirect', status: false, expected: null },
    ],
  };
}

/** `lost`: of each account the stretches of the last 24 hours. */
function recentOf(
  accounts: readonly Account[],
  pages: readonly Page[],
  lost: ReadonlyMap<string, TroubleSpan[]>,
): RecentHours {
  const none: TroubleSpan[] = [];
  return {
    since: VIEWED_AT - DAY,
    until: VIEWED_AT,
    sources: new Map([...accounts, ...pages].map(({ name }) => [name, lost.get(name) ?? none])),
    sites: new Map(
      accounts.flatMap(({ name, phones }) =>
        (phones?.sites ?? []).map(
          (one, index) => [toSiteKey(name, one.site), index === 0 ? (lost.get(name) ?? none) : none] as const,
        ),
      ),
    ),
    unread: new Map(),
    offline: accounts
      .flatMap(({ name, phones }) => {
        const all = phones?.missing ?? [];
        const times = [...new Set(all.map(({ since }) => since ?? 0))].toSorted((a, b) => a - b);
        return [
          { at: VIEWED_AT - DAY, account: name, offline: 0 },
          ...times.map((at) => ({ at, account: name, offline: all.filter(({ since }) => (since ?? 0) <= at).length })),
        ];
      })
      .toSorted((a, b) => a.at - b.at),
    readSince: VIEWED_AT - 30 * DAY,
    writtenUntil: VIEWED_AT - MINUTE,
  };
}

export function stood(
  sources: SourceView[],
  open: OpenAlert[],
  more: Partial<SystemStatus>,
  lost: ReadonlyMap<string, TroubleSpan[]> = new Map(),
): Stood {
  const accounts = sources.flatMap((one) => (one.type === 'account' ? [one] : []));
  const pages = sources.flatMap((one) => (one.type === 'status page' ? [one] : []));
  return {
    status: statusView(sources, sortOpenAlerts(open, sources), { timezone: ZONE, maintenance: PLANNED, ...more }),
    history: { recent: recentOf(accounts, pages, lost), days: null },
  };
}

/** 112 of 371 phones offline by the provider, 8 by a dead site, 25 not known. `count`: customers in all. */
export function firmNight(count = 20): Stood {
  const hit = HIT.map(([name, ...sites]) => account(name, sites));
  const more = Array.from({ length: Math.max(0, count - 20) }, (_, index) =>
    index % 3 === 0
      ? account(`Extra ${index} ${'Very Long Customer Name of Letters'.slice(0, 5 + (index % 30))}`, [
          [1 + (index % 5), 9, 'Office'],
          [0, 4, null],
        ])
      : account(`Calm ${index}`, [[0, 12, 'Office']]),
  );
  const kelso = account(
    'Kelso Freight',
    [
      [8, 8, 'Richmond'],
      [0, 8, 'Dandenong'],
    ],
    { sitePages: new Map([['Richmond', ['yarra']]]) },
  );
  const otway = account('Otway Transport', [[0, 25, 'Colac']], {
    unread: ['registrations'],
    isRefused: true,
    blind: ['registrations: the key is refused'],
  });
  const well = WELL.map(([name, total]) =>
    account(name, [[0, total, 'Office']], name === 'Starling Optical' ? toggles(true) : toggles()),
  );
  const everyHit = [...hit, ...more.filter(({ isWell }) => !isWell)];
  const open = [
    outage(everyHit, `112 of 371 phones offline at ${everyHit.length} customers — provider: identified`),
    alertView(6, [lossOf(kelso, SITE_LOST)], {
      title: 'Kelso Freight: Richmond has lost all 8 phones',
      why: 'Dandenong has all its 8 phones, and Southern Cross Voice names no fault that fits',
      minutesAgo: 11,
    }),
    alertView(8, [partView(otway.name)], {
      severity: 'warning',
      title: 'Otway Transport: API key refused (401)',
      minutesAgo: 11,
      why: 'Its 25 phones are not known',
    }),
    alertView(7, [partView('starling-optical')], {
      severity: 'warning',
      title: 'Starling Optical: “After hours” is off',
      minutesAgo: 65,
      state: 'It should be on until 08:30',
    }),
    alertView(3, [partView('yarra')], {
      severity: 'info',
      title: 'Yarra Fibre: fibre cut in Carlton',
      state: 'Investigating',
      minutesAgo: 8,
      said: [{ source: 'yarra', state: 'investigating', at: VIEWED_AT - 8 * MINUTE, text: 'We look into it.' }],
    }),
  ];
  return stood([provider(3), carrier(false), ...hit, kelso, otway, ...well, ...more], open, { instance: 'Wattle IT' });
}

export function firmCalm(count = 20): Stood {
  const names: [string, number][] = [
    ...HIT.map(([name, ...sites]): [string, number] => [name, sites.reduce((sum, [, total]) => sum + total, 0)]),
    ['Kelso Freight', 16],
    ['Otway Transport', 25],
    ...WELL,
    ...Array.from({ length: Math.max(0, count - 20) }, (_, index): [string, number] => [
      `Customer ${String(index).padStart(3, '0')}`,
      9 + (index % 20),
    ]),
  ];
  const accounts = names.slice(0, count).map(([name, total]) => account(name, [[0, total, 'Office']], toggles()));
  const lost = new Map<string, TroubleSpan[]>([
    [
      'corella-travel',
      [{ kind: 'lost', since: VIEWED_AT - 9 * HOUR, until: VIEWED_AT - 9 * HOUR + 15 * MINUTE, most: 1 }],
    ],
    [
      'mallee-ag-services',
      [{ kind: 'gap', since: VIEWED_AT - 6 * HOUR, until: VIEWED_AT - 6 * HOUR + 42 * MINUTE, most: 0 }],
    ],
  ]);
  return stood(
    [provider(0), carrier(true), ...accounts],
    [],
    {
      instance: 'Wattle IT',
      ended: [ended(2, 'Corella Travel: 1 phone offline', 'corella-travel', 9 * HOUR, 15 * MINUTE)],
    },
    lost,
  );
}

export function oneFirmCalm(): Stood {
  const banksia = account(
    'Banksia Legal',
    [
      [0, 20, 'Richmond'],
      [0, 20, 'Parramatta'],
      [0, 19, 'Carlton'],
    ],
    toggles(),
  );
  return stood(
    [provider(0), carrier(true), banksia],
    [],
    {
      instance: 'Banksia Legal',
      ended: [
        ended(38, '1 phone offline at Richmond', 'banksia-legal', 2 * HOUR, 11 * MINUTE),
        ended(37, 'SMS delayed', 'provider', 12 * HOUR, 35 * MINUTE),
      ],
    },
    new Map<string, TroubleSpan[]>([
      [
        'banksia-legal',
        [{ kind: 'lost', since: VIEWED_AT - 2 * HOUR, until: VIEWED_AT - 2 * HOUR + 11 * MINUTE, most: 1 }],
      ],
      [
        'provider',
        [{ kind: 'down', since: VIEWED_AT - 12 * HOUR, until: VIEWED_AT - 12 * HOUR + 35 * MINUTE, most: 0 }],
      ],
    ]),
  );
}

export function oneFirmNight(): Stood {
  const banksia = account(
    'Banksia Legal',
    [
      [20, 20, 'Richmond'],
      [12, 20, 'Parramatta'],
      [5, 19, 'Carlton'],
    ],
    toggles(),
  );
  return stood(
    [provider(3), carrier(true), banksia],
    [
      outage(
        [banksia],
        '37 of 59 phones offline: Richmond 20/20, Parramatta 12/20, Carlton 5/19 — provider: identified',
      ),
    ],
    {
      instance: 'Banksia Legal',
    },
  );
}

/** Names of 45 letters without a break, right to left, and empty ones; a site without a name; one phone. */
export function strangeFirm(): Stood {
  const all = [
    account('W'.repeat(45), [
      [3, 9, 'X'.repeat(45)],
      [1, 2, null],
    ]),
    account('مكتب المحاماة في ملبورن', [[2, 8, 'الطابق الأول']]),
    account('One Phone', [[1, 1, null]]),
    account('Big', [
      [60, 120, 'Tower'],
      [3, 44, 'Annex'],
    ]),
  ];
  return stood([provider(3), ...all], [outage(all, '70 of 184 phones offline at 4 customers')], {
    instance: 'An instance with a name that is much longer than anybody would choose',
    maintenance: [],
  });
}

/** A firm whose mail does not arrive: receivers, what waits, and deliveries of the last day. */
export function deliveriesOf(stood: Stood): Stood & { deliveries: RecentDeliveries; waiting: WaitingReport[] } {
  const works = {
    isRemoved: false,
    waiting: 0,
    oldestWaitingAt: null,
    refused: 0,
    refusal: null,
    failing: null,
    tries: null,
    last: null,
  };
  const failing = { since: VIEWED_AT - 30 * MINUTE, reason: '550 5.1.1 unknown user' };
  const tries = { failures: 9, nextAt: VIEWED_AT + 40_000 };
  const receivers = [
    { name: 'ops-slack', type: 'slack', ...works },
    { name: 'ops-mail', type: 'email', ...works, waiting: 3, oldestWaitingAt: VIEWED_AT - 30 * MINUTE, failing, tries },
    { name: 'on-call', type: 'pagerduty', ...works },
    { name: 'tickets', type: 'webhook', ...works },
  ];
  return {
    ...stood,
    status: { ...stood.status, receivers },
    deliveries: {
      delivered: 61,
      missed: 3,
      medianMs: 500,
      slowestMs: 47_000,
      receivers: new Map(['ops-slack', 'on-call', 'tickets'].map((name) => [name, 400])),
      last: [
        { at: VIEWED_AT - 8 * MINUTE, alert: 4, receivers: ['ops-slack', 'on-call', 'tickets'], afterMs: 400 },
        { at: VIEWED_AT - HOUR, alert: null, receivers: ['ops-slack'], afterMs: 47_000 },
      ],
    },
    waiting: ['Corella Travel: 1 phone offline', 'Daily summary', 'Nardoo Catering: 1 phone offline'].map(
      (title, index) => ({
        id: `message-${index}`,
        receiver: 'ops-mail',
        state: index === 2 ? 'refused' : 'waiting',
        alert: index === 1 ? null : 30 + index,
        title,
        kinds: ['registration.lost'],
        promised_at: new Date(VIEWED_AT - (30 - index) * MINUTE).toISOString(),
        reason: '550 5.1.1 unknown user',
      }),
    ),
  };
}

/** A firm with one phone at a site without a name. */
export function onePhone(): Stood {
  return stood([provider(0), account('One Phone', [[0, 1, null]])], [], { instance: 'One Phone', maintenance: [] });
}

/** The story of an open alert. */
export function storyOfOpen({ status }: Stood, number: number, given: Partial<Story> = {}): Story {
  const alert = status.open.find((one) => one.number === number);
  if (alert === undefined) throw new Error(`#${number} is not open`);
  return {
    ...alert,
    status: 'open',
    facts: null,
    endedAt: null,
    called: {},
    words: alert.said,
    notified: alert.notified.map((one) => ({ ...one, type: 'slack', reminders: 0, waiting: 0, next: null })),
    untold: [],
    silences: [],
    ...given,
  };
}

function allBack(source: Account): Account {
  const { phones } = source;
  if (phones === null) return source;
  const sites = phones.sites.map((one) => ({ ...one, registered: one.total, missing: [] }));
  return { ...source, isWell: true, phones: { ...phones, registered: phones.total, missing: [], sites } };
}

/** The night of the firm when the provider recovers: of #4 some phones are back, and Priya has it. */
export function recoveringNight(): Stood & {
  stories: Story[];
  pasts: Map<number, AlertHistory>;
  kept: Map<number, AlertStory>;
} {
  const night = firmNight();
  const acknowledged = { by: 'Priya Nair', comment: 'Called Southern Cross, case 88213.', at: VIEWED_AT - 3 * MINUTE };
  const open = night.status.open.map((alert) =>
    alert.number === 4
      ? {
          ...alert,
          acknowledged,
          state: 'Recovering',
          parts: alert.parts.filter(({ phones }) => phones === undefined || phones.offline > 8) as OpenAlert['parts'],
        }
      : alert,
  );
  const before = night.status.open.find(({ number }) => number === 4);
  const losses = (before?.parts ?? []).flatMap(({ source, phones }) =>
    phones === undefined
      ? []
      : [{ source, site: 'Office', registered: phones.total - phones.offline, total: phones.total }],
  );
  const total = losses.reduce((sum, one) => sum + one.total, 0);
  const registered = losses.reduce((sum, one) => sum + one.registered, 0);
  const still = new Set(open.flatMap(({ parts }) => parts.map(({ source }) => source)));
  const sources = night.status.sources.map((source) =>
    source.type === 'account' && !still.has(source.name) ? allBack(source) : source,
  );
  const status = { ...night.status, open, sources };
  const history: AlertHistory = {
    moments: [],
    messages: [],
    phones: [
      {
        at: VIEWED_AT - 20 * MINUTE,
        registered: total,
        total,
        bySite: losses.map((one) => ({ ...one, registered: one.total })),
      },
      { at: VIEWED_AT - 13 * MINUTE, registered, total, bySite: losses },
    ],
    affected: [],
    before: [],
    silences: [],
    felt: null,
  };
  const over = storyOfOpen(night, 4, { number: 5, status: 'resolved', endedAt: VIEWED_AT - MINUTE, acknowledged });
  const open4 = storyOfOpen({ ...night, status }, 4, { also: [9] });
  const rows = history.phones.flatMap(({ at, bySite }) =>
    bySite.map((one) => ({ ...one, at, away: 0, lost: one.total - one.registered })),
  );
  const kept = { alerts: [], transitions: [], carried: [], deliveries: [], phones: rows, silences: [] };
  return {
    ...night,
    status,
    stories: [open4, storyOfOpen(night, 6), over],
    pasts: new Map([
      [4, history],
      [5, history],
    ]),
    kept: new Map([
      [4, kept],
      [5, kept],
    ]),
  };
}
