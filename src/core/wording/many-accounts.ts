/** Phones of several accounts in the thread of one trouble: counted together, and by account. */
import type { Transition } from '../transition/transition.ts';
import type { PhonesDetails } from '../transition/details.ts';
import { causeOf } from './registration.ts';
import { listed, plural } from '../text/plain.ts';
import { list, named, type List, type Setting } from './wording.ts';

export interface ManyAccounts {
  headline: string;
  thing: string;
  sentences: string[];
  lists: List[];
}

/** Null unless everything is of lost or returned phones, of more than one account. */
export function manyAccounts(transitions: readonly Transition[], setting: Setting): ManyAccounts | null {
  const told = transitions.flatMap((transition) =>
    'domain' in transition.details && transition.kind.startsWith('registration.')
      ? [{ source: transition.source, details: transition.details }]
      : [],
  );
  if (told.length < transitions.length) return null;
  const accounts = Map.groupBy(told, ({ source }) => source);
  if (accounts.size < 2) return null;
  const counted = [...accounts].map(([source, all]) => ({ source, ...latest(all.map(({ details }) => details)) }));
  const down = counted.reduce((sum, account) => sum + account.down, 0);
  const total = counted.reduce((sum, account) => sum + account.total, 0);
  const thing = `phones of ${plural(accounts.size, 'account')}`;
  const nameOf = (source: string): string => named(setting.customer(source) ?? source);
  const items = counted
    .toSorted((one, other) => other.down - one.down)
    .map((account) =>
      account.down === 0
        ? `${nameOf(account.source)}: all ${account.total} online again`
        : `${nameOf(account.source)}: ${account.down} of ${plural(account.total, 'phone')} offline`,
    );
  const causes = told.flatMap(({ details }) => ('explained_by' in details ? causeOf(details.explained_by) : []));
  const worst = listed(
    counted
      .toSorted((one, other) => other.down - one.down)
      .map((account) => `${nameOf(account.source)} ${account.down}/${account.total}`),
    3,
  );
  return {
    headline:
      down === 0
        ? `All ${plural(total, 'phone')} of ${plural(accounts.size, 'account')} are online again`
        : `${down} of ${plural(total, 'phone')} of ${plural(accounts.size, 'account')} offline: ${worst}`,
    thing,
    sentences: [...new Set(causes), ...(down === 0 ? ['Calls are not tested.'] : [])],
    lists: list('Accounts', items),
  };
}

/** Of each site, model or account as a whole only the latest count. */
function latest(all: readonly PhonesDetails[]): { down: number; total: number } {
  const domains = new Map(all.map((details) => [JSON.stringify(details.domain), details]));
  const counts = [...domains.values()];
  return {
    down: counts.reduce((sum, details) => sum + details.down, 0),
    total: counts.reduce((sum, details) => sum + details.total, 0),
  };
}
