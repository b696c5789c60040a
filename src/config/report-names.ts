/** Whose a report is, and what people call what is in it. */
import { pickSharedName, type SourceName } from '../core/report/customer-phones.ts';

import { compareNames } from '../core/text/plain.ts';
import { readDisplayName, type Config } from './config.ts';

type Watched = Pick<Config, 'accounts' | 'instance'>;
type Account = Watched['accounts'][number];

export interface ReportNames {
  /** Null where nobody has a name but the host. */
  heading: string | null;
  names: Readonly<Record<string, SourceName>>;
  /** Accounts of the customer with the pages named for them; absent where all of it is asked for. */
  sources?: readonly string[];
}

/** `isHostName`: the instance has the name of the host. `customer`: see `findCustomer`. */
export function createReportNames(
  { accounts, instance }: Watched,
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

/** The customer that somebody means by its label or by what it is called, whatever the case; null for none. */
export function findCustomer({ accounts }: Pick<Watched, 'accounts'>, written: string): string | null {
  const isMeant = (name: string): boolean => name.toLowerCase() === written.toLowerCase();
  const all = customersIn(accounts);
  return all.find(isMeant) ?? all.find((customer) => isMeant(nameCustomer(customer, accounts))) ?? null;
}

function nameCustomer(customer: string, accounts: readonly Account[]): string {
  const own = accounts.filter((account) => customerOfAccount(account) === customer);
  return pickSharedName(customer, own.map(readDisplayName));
}

/** By name. */
export function listReportCustomers({ accounts }: Pick<Watched, 'accounts'>): string[] {
  return customersIn(accounts).toSorted(compareNames);
}

function customersIn(accounts: readonly Account[]): string[] {
  return [...new Set(accounts.map(customerOfAccount))];
}

/** All of a customer's accounts are one. */
function customerOfAccount(account: Account): string {
  return account.labels['customer'] ?? readDisplayName(account);
}
