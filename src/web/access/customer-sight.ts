/**
 * The page of a user who sees some customers only: `http.users[].customers`. All answers to such a user come from the
 * web that `limitToCustomers` narrows, and only at the addresses of `FOR_CUSTOMERS`; all others are refused.
 */
import type { AlertStory } from '../../core/history/rows.ts';
import { toRowKey, type DayAlert, type DaysView } from '../../core/report/days.ts';
import type { PastWork } from '../../core/report/past-work.ts';
import type { OpenAlert, SystemStatus } from '../../core/view/system-status.ts';
import type { RecentHours } from '../../core/view/recent.ts';
import type { Story } from '../../core/view/story/story.ts';
import type { PageHistory, Web } from '../web.ts';

type SourceNames = ReadonlySet<string>;

/** Addresses whose answers use the narrowed web only. A new route is closed until it is added here. */
const FOR_CUSTOMERS =
  /^\/(|customers\/[^/]+|days|days\.csv|maintenance|maintenance\.csv|alerts\/\d{1,9}(?:\/callers\.csv)?|calendar\.ics|badge\.svg|feed\.atom|events|healthz|seen\/[a-z0-9]{1,60}|sign-in|sign-out|style-\w+\.css|live-\w+\.js|inter-\w+\.woff2|api\/?|api\/(openapi\.json|verdict|status|alerts|ended|components|maintenance|days|alerts\/\d{1,9}))$/;

export function isForCustomers(path: string): boolean {
  return FOR_CUSTOMERS.test(path);
}

const CHANGES_NOTHING = 'A user of some customers looks, and changes nothing.';

/** Has only sources of the customers: no receivers, silences or members, and nothing about Linewatch itself. */
export function limitToCustomers(web: Web, customers: readonly string[]): Web {
  const only = (): SourceNames => web.sourcesOf(customers);
  const limited = (asked: SourceNames | null = null): SourceNames =>
    asked === null ? only() : only().intersection(asked);
  const refused = (): Promise<string> => Promise.resolve(CHANGES_NOTHING);
  return {
    ...web,
    sourcesOf: (others) => limited(web.sourcesOf(others)),
    status: (asked) => narrowStatus(web.status(limited(asked)), limited(asked)),
    alert(number, asked) {
      const sources = limited(asked);
      const { status, story, labelsOf } = web.alert(number, sources);
      return { status: narrowStatus(status, sources), story: narrowStory(story, sources), labelsOf };
    },
    async missed(number) {
      const reports = await web.missed(number);
      return typeof reports === 'string' ? reports : reports.filter(({ source }) => only().has(source));
    },
    withSilence: () => narrowStatus(web.status(only()), only()),
    history: narrowHistory(web.history, only),
    waiting: () => Promise.resolve([]),
    changes: {
      mute: refused,
      endSilence: refused,
      acknowledge: refused,
      release: refused,
      test: refused,
      // The link is in a message to them.
      seen: web.changes.seen,
      deliver: refused,
    },
  };
}

function narrowStatus(status: SystemStatus, only: SourceNames): SystemStatus {
  const isOwn = ({ sources }: Pick<OpenAlert, 'sources'>): boolean => sources.every((source) => only.has(source));
  return {
    ...status,
    sources: status.sources.filter(({ name }) => only.has(name)),
    open: status.open.filter(isOwn).map((alert) => ({ ...alert, notified: [], notTold: null, also: [] })),
    ended: status.ended.filter(isOwn),
    maintenance: status.maintenance.filter(({ source }) => only.has(source)),
    receivers: [],
    silences: [],
    endedSilences: [],
    unsaved: [],
    members: null,
  };
}

function narrowStory(story: Story | null, only: SourceNames): Story | null {
  if (story === null || !story.sources.every((source) => only.has(source))) return null;
  return { ...story, notified: [], untold: [], silences: [], notTold: null, also: [] };
}

function narrowHistory(history: PageHistory, only: () => SourceNames): PageHistory {
  return {
    trouble: history.trouble,
    deliveries: () => Promise.resolve(null),
    async days() {
      const view = await history.days();
      return typeof view === 'string' ? view : narrowDays(view, only());
    },
    async now() {
      const { recent, days } = await history.now();
      const sources = only();
      return {
        recent: recent === null ? null : narrowRecent(recent, sources),
        days: days === null ? null : narrowDays(days, sources),
      };
    },
    async story(number, alert) {
      const kept = await history.story(number, alert);
      return kept === null || typeof kept === 'string' ? kept : narrowKept(kept, only());
    },
    export: () => Promise.resolve({ cause: 'nothing kept', why: 'There is no export for a user of some customers.' }),
  };
}

function narrowRecent(recent: RecentHours, only: SourceNames): RecentHours {
  const isOwn = ([key]: readonly [string, unknown]): boolean => only.has(key.split('\n')[0] ?? '');
  return {
    ...recent,
    sources: new Map([...recent.sources].filter(isOwn)),
    sites: new Map([...recent.sites].filter(isOwn)),
    unread: new Map([...recent.unread].filter(isOwn)),
    offline: recent.offline.filter(({ account }) => only.has(account)),
  };
}

/** Memoised: views are immutable, and pages request them repeatedly. */
const narrowed = new WeakMap<DaysView, Map<string, DaysView>>();

function narrowDays(view: DaysView, only: SourceNames): DaysView {
  const key = [...only].toSorted().join('\n');
  const bySources = narrowed.get(view) ?? new Map<string, DaysView>();
  narrowed.set(view, bySources);
  const known = bySources.get(key);
  if (known !== undefined) return known;
  const rows = view.rows.filter(({ source }) => only.has(source));
  const keys = new Set(rows.map(toRowKey));
  const own: DaysView = {
    days: view.days,
    keptSince: view.keptSince,
    rows,
    alerts: view.alerts.flatMap((alert) => narrowDayAlert(alert, only)),
    gaps: view.gaps.flatMap((gap) => {
      const sources = gap.sources.filter((source) => only.has(source));
      return sources.length === 0 ? [] : [{ ...gap, sources }];
    }),
    alertsOf: new Map([...view.alertsOf].filter(([row]) => keys.has(row))),
    records: new Map([...view.records].filter(([row]) => keys.has(row))),
    notices: view.notices.filter(({ source }) => only.has(source)),
    works: view.works.flatMap((work) => narrowWork(work, only)),
    hours:
      view.hours === null
        ? null
        : { spans: view.hours.spans, rows: view.hours.rows.filter(({ source }) => only.has(source)) },
  };
  bySources.set(key, own);
  return own;
}

function narrowWork(work: PastWork, only: SourceNames): PastWork[] {
  if (!only.has(work.source)) return [];
  const losses = work.losses.filter(({ account }) => only.has(account));
  return [{ ...work, losses, measured: work.measured.filter((account) => only.has(account)) }];
}

/** The title of an alert with other sources may concern those. */
function narrowDayAlert(alert: DayAlert, only: SourceNames): DayAlert[] {
  const sources = alert.sources.filter((source) => only.has(source));
  if (sources.length === 0) return [];
  if (sources.length === alert.sources.length) return [alert];
  return [{ ...alert, sources, title: `Alert #${alert.number}`, felt: null }];
}

/** Null if no part of it remains. */
function narrowKept(kept: AlertStory, only: SourceNames): AlertStory | null {
  const isOwn = ({ source }: { source: string }): boolean => only.has(source);
  const isOfOwn = ({ transition }: AlertStory['transitions'][number]): boolean => only.has(transition.source);
  const [alerts, transitions] = [kept.alerts.filter(isOwn), kept.transitions.filter(isOfOwn)];
  if (alerts.length + transitions.length === 0) return null;
  return {
    alerts,
    transitions,
    carried: kept.carried.filter(isOfOwn),
    deliveries: [],
    phones: kept.phones.filter(isOwn),
    silences: [],
  };
}
