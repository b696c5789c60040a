/** Customers with all their accounts: phones offline, registered and unknown, by site. The rows of page and wall. */
import { findMinimum } from '../transition/collections.ts';
import { compareNames, toOneLine } from '../text/plain.ts';
import { listBegunAlerts } from './verdict/alert-order.ts';
import { isAwaited, isUnknownPart } from './verdict/known.ts';
import type { CustomerLoss, NamedCause, PhoneLosses } from './verdict/phone-losses.ts';
import type { AccountView, MissingPhone, OpenAlert, SystemStatus, SourceView } from './system-status.ts';
import { listAccountViews } from './verdict/sums.ts';
import { TONES, computeSourceTone, type VerdictTone } from './verdict/verdict.ts';

export type CustomerAccount = SourceView & AccountView;

/** Watched phones by state; the states add up to all phones. */
export interface PhoneStates {
  offline: number;
  /** Absent from the last response, and not offline yet. */
  notSeen: number;
  unknown: number;
  registered: number;
}

export interface CustomerView extends PhoneStates {
  /** Key in addresses: the label, or the name of its account. */
  key: string;
  called: string;
  accounts: CustomerAccount[];
  total: number;
  /** When the first of its phones was lost, or became unknown; null for neither. */
  since: number | null;
  /** Cause of its losses with the most phones; null if none is offline. */
  cause: NamedCause | null;
  sites: CustomerSite[];
  tone: VerdictTone;
  /** Open alerts that affect it, in order. */
  alerts: OpenAlert[];
  /** Its first sweep has not ended. */
  isAwaited: boolean;
}

export interface CustomerSite extends PhoneStates {
  account: string;
  /** Null for phones of unknown address. */
  site: string | null;
  total: number;
  /** Lost, or absent from the last response. */
  missing: MissingPhone[];
}

/** Key of a customer in addresses and in `http.users`. */
export function toCustomerKey({ customer, name }: Pick<SourceView, 'customer' | 'name'>): string {
  return customer ?? name;
}

/** Sorted by name. `losses`: of the same status. */
export function listCustomers(status: SystemStatus, losses: PhoneLosses | null): CustomerView[] {
  const open = listBegunAlerts(status);
  const byCustomer = Map.groupBy(listAccountViews(status), ({ called }) => called);
  const alertsOf = groupBySource(open);
  const causesOf = Map.groupBy(listCustomerLosses(losses), ({ name }) => name);
  return [...byCustomer.values()]
    .map((accounts) => customerView(accounts, { open, alertsOf, causesOf }))
    .toSorted((a, b) => compareNames(a.called, b.called));
}

/** Open alerts by source, each list in order. */
function groupBySource(open: readonly OpenAlert[]): Map<string, OpenAlert[]> {
  const alertsOf = new Map<string, OpenAlert[]>();
  for (const alert of open) {
    for (const source of new Set(alert.sources)) {
      const known = alertsOf.get(source);
      if (known === undefined) alertsOf.set(source, [alert]);
      else known.push(alert);
    }
  }
  return alertsOf;
}

function listCustomerLosses(losses: PhoneLosses | null): CauseOfCustomer[] {
  return (losses?.causes ?? []).flatMap(({ cause, customers }) => customers.map((one) => ({ cause, ...one })));
}

interface CauseOfCustomer extends CustomerLoss {
  cause: NamedCause;
}

interface Concerns {
  open: readonly OpenAlert[];
  /** By name of an account. */
  alertsOf: ReadonlyMap<string, readonly OpenAlert[]>;
  /** By name of the customer for people. */
  causesOf: ReadonlyMap<string, readonly CauseOfCustomer[]>;
}

function customerView(accounts: readonly CustomerAccount[], { open, alertsOf, causesOf }: Concerns): CustomerView {
  const called = toOneLine(accounts[0]?.called ?? '');
  const own = new Set(accounts.flatMap(({ name }) => alertsOf.get(name) ?? []));
  const alerts = accounts.length === 1 ? [...own] : open.filter((alert) => own.has(alert));
  const sites = accounts.flatMap(sitesOf);
  const sum = (of: keyof PhoneStates): number => sites.reduce((all, site) => all + site[of], 0);
  const states = {
    offline: sum('offline'),
    notSeen: sum('notSeen'),
    unknown: sum('unknown'),
    registered: sum('registered'),
  };
  const causes = causesOf.get(called) ?? [];
  const [first] = causes.toSorted((a, b) => b.offline - a.offline);
  const tones = accounts.map((account) => computeSourceTone(account, alertsOf.get(account.name) ?? []));
  return {
    key: toCustomerKey(accounts[0] ?? { name: '' }),
    called,
    accounts: [...accounts],
    ...states,
    total: states.offline + states.notSeen + states.unknown + states.registered,
    since: causes.length > 0 ? findMinimum(causes.map(({ since }) => since)) : unknownSince(accounts),
    cause: first?.cause ?? null,
    sites,
    tone: TONES.find((tone) => tones.includes(tone)) ?? 'ok',
    alerts,
    isAwaited: accounts.some(isAwaited),
  };
}

function unknownSince(accounts: readonly CustomerAccount[]): number | null {
  const blind = accounts.filter((account) => isUnknownPart(account, 'registrations'));
  const read = blind.flatMap(({ lastReadAt }) => lastReadAt ?? []);
  return read.length === 0 ? null : findMinimum(read);
}

function sitesOf(account: CustomerAccount): CustomerSite[] {
  const isUnknown = isUnknownPart(account, 'registrations');
  return (account.phones?.sites ?? []).map(({ site, total, registered, missing }) => {
    const offline = isUnknown ? 0 : missing.filter(({ isLost }) => isLost).length;
    const unknown = isUnknown ? total : 0;
    const notSeen = isUnknown ? 0 : total - registered - offline;
    return {
      account: account.name,
      site,
      total,
      missing: isUnknown ? [] : missing,
      offline,
      notSeen,
      unknown,
      registered: isUnknown ? 0 : registered,
    };
  });
}

/** Sorts by phones offline, then by their share, then by unknown phones, then by name. */
export function compareWorstFirst(a: CustomerView, b: CustomerView): number {
  return (
    b.offline - a.offline ||
    b.offline / Math.max(1, b.total) - a.offline / Math.max(1, a.total) ||
    Number(hasUnknown(b)) - Number(hasUnknown(a)) ||
    b.unknown - a.unknown ||
    b.notSeen - a.notSeen ||
    TONES.indexOf(a.tone) - TONES.indexOf(b.tone) ||
    compareNames(a.called, b.called)
  );
}

/** The state of some or all of its phones is unknown. */
export function hasUnknown({ accounts }: Pick<CustomerView, 'accounts'>): boolean {
  return accounts.some((account) => isUnknownPart(account, 'registrations'));
}

/** It has offline or unknown phones. */
export function isInTrouble(customer: CustomerView): boolean {
  return customer.offline + customer.notSeen > 0 || (hasUnknown(customer) && !customer.isAwaited);
}
