/**
 * Offline phones over all customers and alerts, by cause. Numbers add up: a cause is the sum of its customers, and the
 * total is the sum of the causes. Unknown phones are excluded.
 */
import type { Because } from '../../alert/alert.ts';
import { toOneLine } from '../../text/plain.ts';
import { listBegunAlerts } from './alert-order.ts';
import { isAwaited, isUnknownPart } from './known.ts';
import type { SiteLoss } from '../../alert/shared-alert.ts';
import type { PartPhones } from '../story/part-phones.ts';
import type { OpenAlert, PageView, SystemStatus, SourceView } from '../system-status.ts';
import { listAccountViews, countNotSeen, listPageViews, sumPhones } from './sums.ts';

/** `sites` are those of all accounts. */
export interface PhoneLosses extends Pick<PartPhones, 'offline' | 'since' | 'sites'> {
  /** All watched phones, unknown ones included. */
  total: number;
  /** Number of customers with losses, and of all. */
  customers: number;
  watched: number;
  /** Sorted by phones offline. */
  causes: CauseLoss[];
  /** Phones that may be lost next: absent from one response. */
  notSeen: number;
  notKnown: { phones: number; customers: string[] };
}

export interface CauseLoss {
  cause: NamedCause;
  offline: number;
  since: number;
  /** Alerts that report it. */
  alerts: OpenAlert[];
  /** Sorted by phones offline. */
  customers: CustomerLoss[];
}

export interface CustomerLoss {
  name: string;
  offline: number;
  /** All phones of the accounts with losses. */
  total: number;
  since: number;
}

/** Cause of a loss; `by`: display name of the page that reports it, null if unknown. */
export type NamedCause =
  | { kind: 'provider'; by: string | null; state: string | null }
  | { kind: 'planned'; by: string | null; until: number | null }
  /** `says`: the current state on the provider's page, null if unknown. */
  | { kind: 'suspected'; says: string | null }
  /** `isSaid`: the page has reported the end. */
  | { kind: 'residual'; by: string | null; isSaid: boolean }
  | { kind: 'site'; places: string[] }
  | { kind: 'model'; because: Extract<Because, { kind: 'named' }> }
  | { kind: 'account' }
  | { kind: 'unknown' };

interface LossRow {
  alert: OpenAlert;
  account: SourceView;
  phones: PartPhones;
}

/** Null if no phone is known to be offline. */
export function sumPhoneLosses(status: SystemStatus): PhoneLosses | null {
  const accounts = listAccountViews(status);
  const byName = new Map(accounts.map((account) => [account.name, account]));
  const rows = listBegunAlerts(status).flatMap((alert) =>
    alert.parts.flatMap(({ source, phones }): LossRow[] => {
      const account = byName.get(source);
      return phones === undefined || account === undefined ? [] : [{ alert, account, phones }];
    }),
  );
  if (rows.length === 0) return null;
  const { well, wrong, unknown } = sumPhones(status);
  const blind = accounts.filter((account) => isUnknownPart(account, 'registrations') && !isAwaited(account));
  return {
    offline: offlineIn(rows),
    total: well + wrong + unknown,
    since: sinceOf(rows),
    customers: new Set(rows.map(({ account }) => account.called)).size,
    watched: new Set(accounts.map(({ called }) => called)).size,
    causes: [...Map.groupBy(rows, (row) => causeKey(row)).values()]
      .map((same) => causeLoss(same, status))
      .toSorted((a, b) => b.offline - a.offline || a.since - b.since),
    sites: sitesIn(rows),
    notSeen: countNotSeen(status),
    notKnown: {
      phones: blind.reduce((sum, { phones }) => sum + (phones?.total ?? 0), 0),
      customers: [...new Set(blind.map(({ called }) => toOneLine(called)))],
    },
  };
}

/** Losses with the same key have one cause. */
function causeKey({ alert, phones: { because } }: LossRow): string {
  if (because === null) return 'unknown';
  switch (because.kind) {
    case 'explained':
      return `explained ${because.number}`;
    case 'residual':
      return `residual ${alert.number}`;
    case 'named':
      return because.domain.kind === 'site' ? 'site' : `${because.domain.kind} ${because.domain.name}`;
    default:
      return because.kind;
  }
}

function causeLoss(rows: readonly LossRow[], status: SystemStatus): CauseLoss {
  return {
    cause: causeOf(rows, status),
    offline: offlineIn(rows),
    since: sinceOf(rows),
    alerts: [...new Set(rows.map(({ alert }) => alert))],
    customers: [...Map.groupBy(rows, ({ account }) => account.called)]
      .map(([called, own]) => customerLoss(toOneLine(called), own))
      .toSorted((a, b) => b.offline - a.offline || b.total - a.total),
  };
}

function customerLoss(name: string, rows: readonly LossRow[]): CustomerLoss {
  // An account may have several losses: its phones are counted once.
  const totals = new Map(rows.map(({ account, phones }) => [account.name, phones.total]));
  return {
    name,
    offline: offlineIn(rows),
    total: [...totals.values()].reduce((sum, total) => sum + total, 0),
    since: sinceOf(rows),
  };
}

function sitesIn(rows: readonly LossRow[]): SiteLoss[] {
  const bySite = new Map<string | null, SiteLoss & { accounts: Set<string> }>();
  for (const { account, phones } of rows) {
    for (const { site, offline, total } of phones.sites) {
      const known = bySite.get(site) ?? { site, offline: 0, total: 0, accounts: new Set() };
      // An account may have several losses at one site: its phones there are counted once.
      if (!known.accounts.has(account.name)) known.total += total;
      known.accounts.add(account.name);
      known.offline += offline;
      bySite.set(site, known);
    }
  }
  return [...bySite.values()]
    .map(({ site, offline, total }): SiteLoss => ({ site, offline, total }))
    .toSorted((a, b) => b.offline - a.offline || b.total - a.total);
}

/** All rows have one key. */
function causeOf(rows: readonly LossRow[], status: SystemStatus): NamedCause {
  const [first] = rows;
  const because = first?.phones.because ?? null;
  if (first === undefined || because === null) return { kind: 'unknown' };
  const { alert } = first;
  switch (because.kind) {
    case 'explained':
      return explainedBy(alert, because, status);
    case 'residual':
      return {
        kind: 'residual',
        by: pageNamed(status, because.page, [alert]),
        isSaid: because.without_resolve !== true,
      };
    case 'suspected':
      return { kind: 'suspected', says: providerSays(status, alert) };
    case 'account':
      return { kind: 'account' };
    case 'named':
      return because.domain.kind === 'site' ? { kind: 'site', places: placesOf(rows) } : { kind: 'model', because };
  }
}

function placesOf(rows: readonly LossRow[]): string[] {
  const names = rows.flatMap(({ phones: { because } }) => (because?.kind === 'named' ? [because.domain.name] : []));
  return [...new Set(names.map(toOneLine))];
}

/** The alert that explains the loss: its own, or another one. */
function explainedBy(
  alert: OpenAlert,
  { number, page }: Extract<Because, { kind: 'explained' }>,
  status: SystemStatus,
): NamedCause {
  const explaining = status.open.find((one) => one.number === number || one.also.includes(number));
  const by = pageNamed(status, page, explaining === undefined ? [alert] : [explaining, alert]);
  const work = status.maintenance.find((one) => one.number === number && one.phase === 'under way');
  if (work !== undefined) return { kind: 'planned', by, until: work.endsAt };
  return { kind: 'provider', by, state: explaining?.said.findLast(({ state }) => state !== null)?.state ?? null };
}

/** Display name of the page in one of the alerts, else of the page with this name. */
function pageNamed(status: SystemStatus, name: string | undefined, alerts: readonly OpenAlert[]): string | null {
  const pages = listPageViews(status);
  const speaking = alerts.flatMap(({ said, sources }) => [
    ...(said.length > 0 ? [said.at(-1)?.source] : []),
    ...sources,
  ]);
  const found = [name, ...speaking].flatMap((each) => pages.find((page) => page.name === each) ?? []);
  return found[0] === undefined ? null : toOneLine(found[0].called);
}

/** State of the provider's page; null if several pages are possible, or it was not read. */
function providerSays(status: SystemStatus, { sources }: OpenAlert): string | null {
  const own = listPageViews(status).filter(({ vendor }) => vendor !== true);
  const [page, ...others]: (SourceView & PageView)[] = own.some(({ name }) => sources.includes(name))
    ? own.filter(({ name }) => sources.includes(name))
    : own;
  if (page === undefined || others.length > 0 || page.state === null || isUnknownPart(page, 'page')) return null;
  return toOneLine(page.state).toLowerCase();
}

function offlineIn(rows: readonly LossRow[]): number {
  return rows.reduce((sum, { phones }) => sum + phones.offline, 0);
}

function sinceOf(rows: readonly LossRow[]): number {
  return rows.reduce((first, { phones }) => Math.min(first, phones.since), Infinity);
}
