/** Names in reports: title, customers and sources. */
import { pickSharedName, type SourceName } from '../core/report/customer-phones.ts';
import { compareNames } from '../core/text/plain.ts';
import { readDisplayName, type Config } from './config.ts';

type NamedConfig = Pick<Config, 'accounts' | 'instance'>;
type ReportedAccount = NamedConfig['accounts'][number];

export interface ReportNames {
  /** Null if only a host name is known. */
  heading: string | null;
  names: Readonly<Record<string, SourceName>>;
  /** The customer's accounts and pages; absent for a report on everything. */
  sources?: readonly string[];
}

/** `isHostName`: the instance has the name of the host. `customer`: see `findCustomer`. */
export function createReportNames(
  { accounts, instance }: NamedConfig,
  { isHostName = false, customer }: { isHostName?: boolean; customer?: string | undefined } = {},
): ReportNames {
  const [only, ...others] = customersIn(accounts);
  const named = accounts.some(({ displayName, labels }) => displayName !== null || labels['customer'] !== undefined);
  const names = Object.fromEntries(
    accounts.map((account) => [
      account.name,
      { called: readDisplayName(account), customer: customerOfAccount(account) },
    ]),
  );
  const usual =
    only !== undefined && others.length === 0 && named ? nameCustomer(only, accounts) : isHostName ? null : instance;
  if (customer === undefined) return { heading: usual, names };
  const own = accounts.filter((account) => customerOfAccount(account) === customer);
  const pages = own.flatMap(({ statusPages, sitePages }) => [...statusPages, ...Object.values(sitePages).flat()]);
  return {
    heading: nameCustomer(customer, accounts),
    names,
    sources: [...new Set([...own.map(({ name }) => name), ...pages.filter((page) => page !== undefined)])],
  };
}

/** Finds a customer by label or display name, ignoring case; null if there is none. */
export function findCustomer({ accounts }: Pick<NamedConfig, 'accounts'>, written: string): string | null {
  const isMeant = (name: string): boolean => name.toLowerCase() === written.toLowerCase();
  const all = customersIn(accounts);
  return all.find(isMeant) ?? all.find((customer) => isMeant(nameCustomer(customer, accounts))) ?? null;
}

function nameCustomer(customer: string, accounts: readonly ReportedAccount[]): string {
  const own = accounts.filter((account) => customerOfAccount(account) === customer);
  return pickSharedName(customer, own.map(readDisplayName));
}

/** By name. */
export function listReportCustomers({ accounts }: Pick<NamedConfig, 'accounts'>): string[] {
  return customersIn(accounts).toSorted(compareNames);
}

function customersIn(accounts: readonly ReportedAccount[]): string[] {
  return [...new Set(accounts.map(customerOfAccount))];
}

/** Accounts of one customer share its name. */
function customerOfAccount(account: ReportedAccount): string {
  return account.labels['customer'] ?? readDisplayName(account);
}
