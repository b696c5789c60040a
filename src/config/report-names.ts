/** Whose a report is, and what people call what is in it. */
import type { SourceName } from '../core/report/monthly-report.ts';
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

/** `isHostName`: nobody has named the instance. `customer`: one of `listReportCustomers`. */
export function createReportNames(
  { accounts, instance }: Watched,
  { isHostName = false, customer }: { isHostName?: boolean; customer?: string | undefined } = {},
): ReportNames {
  const all = customersIn(accounts);
  const [only, ...others] = all;
  const named = accounts.some(({ displayName, labels }) => displayName !== null || labels['customer'] !== undefined);
  const names = Object.fromEntries(
    accounts.map((account) => [
      account.name,
      { called: readDisplayName(account), customer: customerOfAccount(account) },
    ]),
  );
  const usual = only !== undefined && others.length === 0 && named ? only : isHostName ? null : instance;
  if (customer === undefined) return { heading: usual, names };
  const own = accounts.filter((account) => customerOfAccount(account).toLowerCase() === customer.toLowerCase());
  const pages = own.flatMap(({ statusPages, sitePages }) => [...statusPages, ...Object.values(sitePages).flat()]);
  const [first] = own;
  return {
    heading: first === undefined ? customer : customerOfAccount(first),
    names,
    sources: [...new Set([...own.map(({ name }) => name), ...pages.filter((page) => page !== undefined)])],
  };
}

/** What they are called, by name. */
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
