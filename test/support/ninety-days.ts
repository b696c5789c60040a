/**
 * A history of seventy-five days, made by hand: a page whose parts degrade and are worked on, a customer who loses phones,
 * an afternoon in which nothing was watched, and a source that could not be read.
 */
import { createAlert, type Alert } from '../../src/core/alert/alert.ts';
import { toDeliveryRecords, type TransitionRecord } from '../../src/core/history/record.ts';
import type { MissedParts } from '../../src/core/observation/listing.ts';
import type { History } from '../../src/history/history-writer.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export const WATCHED_DAYS = 75;
/** Numbers that a daemon assigns beside it count from 1. */
const FIRST_NUMBER = 101;

export interface PastTrouble {
  /** Days before the end at which it began, and how long it lasted. */
  daysAgo: number;
  lasted: number;
  severity: Alert['severity'];
  title: string;
  /** Ids of components with their state meanwhile, or sites with how many phones were lost. */
  components?: Readonly<Record<string, 'degraded' | 'under_maintenance'>>;
  lost?: Readonly<Record<string, number>>;
  /** Index of the provider's trouble that caused it. */
  cause?: number;
  /** Default: counted from the first. */
  number?: number;
}

export const PAST: readonly PastTrouble[] = [
  {
    daysAgo: 70,
    lasted: 18 * MINUTE,
    severity: 'warning',
    title: 'SMS delivery delays',
    components: { 3: 'degraded' },
  },
  {
    daysAgo: 52,
    lasted: 45 * MINUTE,
    severity: 'info',
    title: 'Customer Portal upgrade',
    components: { 4: 'under_maintenance' },
  },
  {
    daysAgo: 45,
    lasted: 5 * HOUR,
    severity: 'critical',
    title: 'Hosted PBX outage',
    components: { 1: 'degraded', 2: 'degraded' },
  },
  {
    daysAgo: 44.9,
    lasted: 4 * HOUR,
    severity: 'critical',
    title: '14 of 20 phones offline at Richmond',
    lost: { Richmond: 14 },
    cause: 2,
  },
  {
    daysAgo: 18,
    lasted: 95 * MINUTE,
    severity: 'warning',
    title: 'SMS delivery delays <b>again</b>',
    components: { 3: 'degraded' },
  },
  {
    daysAgo: 8,
    lasted: 9 * MINUTE,
    severity: 'warning',
    title: '3 phones offline at Parramatta',
    lost: { Parramatta: 3 },
  },
];

export interface PastPlace {
  history: History;
  /** When it ends, epoch milliseconds. */
  until: number;
  /** From when the days of what happened are counted back; default: `until`. */
  from?: number;
  page: string;
  account: string;
  /** By id, with the names of their ancestors. */
  components: Readonly<Record<string, string>>;
  /** How many phones each has. */
  sites: Readonly<Record<string, number>>;
  /** Events; default: `PAST`. */
  past?: readonly PastTrouble[];
}

const READ: MissedParts = { page: null, components: null, notices: null };
const READ_ACCOUNT: MissedParts = { registrations: null, toggles: null };

export async function writePast({
  history,
  until,
  from = until,
  page,
  account,
  components,
  sites,
  past = PAST,
}: PastPlace): Promise<void> {
  const began = until - WATCHED_DAYS * DAY;
  const stands = (troubles: readonly PastTrouble[]) => ({
    states: Object.entries(components).map(([id, name]) => ({
      subject: `component/${id}`,
      name,
      state: troubles.flatMap((trouble) => trouble.components?.[id] ?? []).at(0) ?? 'operational',
    })),
    phones: Object.entries(sites).map(([site, total]) => {
      const lost = troubles.reduce((sum, trouble) => sum + (trouble.lost?.[site] ?? 0), 0);
      return { site, total, registered: total - lost, away: 0, lost };
    }),
  });
  const all = past.map((trouble, index) =>
    alertOf(
      trouble,
      `past-${FIRST_NUMBER + index}`,
      trouble.number ?? FIRST_NUMBER + index,
      trouble.lost === undefined ? page : account,
      from,
    ),
  );
  const edges = all.flatMap((one) => [
    { at: one.alert.startedAt, ...one, isEnd: false },
    { at: one.alert.resolvedAt ?? until, ...one, isEnd: true },
  ]);
  const open = new Set<PastTrouble>();
  const commit = async (
    at: number,
    source: string,
    alerts: readonly Alert[],
    unrecorded: readonly TransitionRecord[],
  ): Promise<void> => {
    const { states, phones } = stands([...open]);
    history.committed(source, {
      at,
      alerts,
      unrecorded,
      ...(source === page ? { states, phones: null } : { states: null, phones }),
    });
    await history.flush();
  };
  for (const source of [page, account]) await commit(began, source, [], []);
  for (const { at, trouble, alert, isEnd } of edges.toSorted((a, b) => a.at - b.at)) {
    if (isEnd) open.delete(trouble);
    else open.add(trouble);
    const told = recordsOf(trouble, alert, at, isEnd);
    await commit(at, alert.source, [isEnd ? alert : { ...alert, status: 'open', resolvedAt: null }], told);
    await tell(history, alert, told, at);
  }
  for (let at = began; at <= until; at += 10 * MINUTE) {
    const daysAgo = (until - at) / DAY;
    // Half a day without a watch, and a night in which the account did not answer.
    if (daysAgo > 30 && daysAgo < 30.5) continue;
    history.swept(page, READ, at, 20 * MINUTE);
    if (daysAgo < 17 || daysAgo > 18.6) history.swept(account, READ_ACCOUNT, at, 20 * MINUTE);
  }
  // Coverage is written with the next commit.
  for (const source of [page, account]) await commit(until, source, [], []);
}

function alertOf(
  trouble: PastTrouble,
  id: string,
  number: number,
  source: string,
  from: number,
): { trouble: PastTrouble; alert: Alert } {
  const startedAt = from - trouble.daysAgo * DAY;
  const opened = createAlert({
    id,
    number,
    source,
    startedAt,
    now: startedAt,
    family: trouble.lost === undefined ? 'notice' : 'phones',
  });
  const { title, severity } = trouble;
  const cause = trouble.cause === undefined ? null : `past-${FIRST_NUMBER + trouble.cause}`;
  const resolvedAt = startedAt + trouble.lasted;
  return { trouble, alert: { ...opened, title, severity, cause, status: 'resolved', resolvedAt } };
}

const WORDS = 'We see it too, and look into it. <img src=x onerror=alert(1)>';

function recordsOf(trouble: PastTrouble, alert: Alert, at: number, isEnd: boolean): TransitionRecord[] {
  const { id, number, severity, title, source } = alert;
  const common = { at, source };
  const record = (transition: object, key: string): TransitionRecord =>
    ({
      transition: { id: `${id} ${key} ${isEnd ? 'end' : 'begin'}`, ...common, ...transition },
      status: isEnd ? 'resolved' : 'open',
      alert: { id, number, severity, title },
    }) as unknown as TransitionRecord;
  if (trouble.lost !== undefined) {
    const [site, down] = Object.entries(trouble.lost)[0] ?? ['', 0];
    const domain = { kind: 'site', name: site, address: null };
    const details = {
      domain,
      total: 20,
      down: isEnd ? 0 : down,
      phones: [],
      more: 0,
      sites: [site],
      since: new Date(at).toISOString(),
    };
    return [
      record(
        {
          subject: 'registrations',
          kind: isEnd ? 'registration.restored' : 'registration.mass',
          from: 20,
          to: 20 - down,
          details,
        },
        'mass',
      ),
    ];
  }
  const state = isEnd ? 'resolved' : 'investigating';
  const notice = { id: String(number), type: severity === 'info' ? 'planned' : 'unplanned', state, subject: title };
  const updates = [{ state, content: isEnd ? 'It works again.' : WORDS, created_at: new Date(at).toISOString() }];
  const times = { timeline_state: null, url: null, begins_at: null, ends_at: null, began_at: null, ended_at: null };
  const details = { notice: { ...notice, ...times }, components: null, updates };
  const parts = Object.entries(trouble.components ?? {}).map(([component, word]) =>
    record(
      {
        subject: `component/${component}`,
        kind: 'component.state',
        from: isEnd ? word : 'operational',
        to: isEnd ? 'operational' : word,
        details: { name: `Part ${component}`, parent_id: null, path: [], notice: null },
      },
      component,
    ),
  );
  const kind = isEnd ? 'notice.closed' : 'notice.opened';
  return [
    record({ subject: `notice/${number}`, kind, from: isEnd ? 'investigating' : null, to: state, details }, 'notice'),
    ...parts,
  ];
}

async function tell(history: History, alert: Alert, told: readonly TransitionRecord[], at: number): Promise<void> {
  const changes = told.map(({ transition, status }) => ({ transition, status }));
  for (const receiver of ['ops-slack', 'ops-mail']) {
    const message = { id: `${alert.id} ${receiver} ${at}`, alert, changes, promisedAt: at, dueAt: at, reminder: 0 };
    const attempt = { at: at + 400, receiver, outcome: 'delivered', detail: 'taken', recipients: [] } as const;
    history.delivered(receiver, toDeliveryRecords([message as never], attempt));
    await history.flush();
  }
}
