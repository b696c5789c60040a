/** Sums of pages, phones and toggles, for page, wall, API and feeds. */
import { capitalize, formatList, formatCount, formatCountOf } from '../../text/plain.ts';
import { isStateless, isUnknownPart, computeSum, type Sum } from './known.ts';
import type { AccountView, PageView, SystemStatus, SourceView, ToggleView } from '../system-status.ts';

type WithSources = Pick<SystemStatus, 'sources'>;

export function listPageViews({ sources }: WithSources): (SourceView & PageView)[] {
  return sources.flatMap((source) => (source.type === 'status page' ? [source] : []));
}

export function listAccountViews({ sources }: WithSources): (SourceView & AccountView)[] {
  return sources.flatMap((source) => (source.type === 'account' ? [source] : []));
}

/** Status pages in state operational, of those that show a state. */
export function sumPages(status: WithSources): Sum {
  const pages = listPageViews(status).filter((page) => !isStateless(page));
  return computeSum(pages, 'page', ({ isWell }) => ({ well: isWell ? 1 : 0, wrong: isWell ? 0 : 1 }));
}

/** Registered phones; those away are excluded. */
export function sumPhones(status: WithSources): Sum {
  return computeSum(listAccountViews(status), 'registrations', ({ phones }) => ({
    well: phones?.registered ?? 0,
    wrong: phones === null ? 0 : phones.total - phones.registered,
  }));
}

/** Phones absent from one response: until the end of the hold-off they count neither as registered nor as offline. */
export function countNotSeen(status: WithSources): number {
  return listAccountViews(status).reduce((sum, account) => {
    if (isUnknownPart(account, 'registrations')) return sum;
    return sum + (account.phones?.missing.filter(({ isLost }) => !isLost).length ?? 0);
  }, 0);
}

/** Toggles in their expected state, of those that have one. */
export function sumToggles(status: WithSources): Sum {
  return computeSum(listAccountViews(status), 'toggles', ({ toggles }) => {
    const all = (toggles ?? []).filter(({ expected }) => expected !== null);
    const unknown = all.filter(({ status }) => status === null).length;
    const wrong = all.filter(isWrongToggle).length;
    return { well: all.length - unknown - wrong, wrong, unknown };
  });
}

function sumComponents(status: WithSources): Sum {
  return computeSum(listPageViews(status), 'page', ({ components: { total, notOperational } }) => ({
    well: total - notOperational.length,
    wrong: notOperational.length,
  }));
}

/** State at the last reading. */
export function isWrongToggle({ status, expected }: ToggleView): boolean {
  return status !== null && expected !== null && status !== expected;
}

/** Sums of pages, phones and toggles in one sentence; null if nothing is known. */
export function formatWellSums(status: WithSources): string | null {
  const phones = sumPhones(status);
  const components = sumComponents(status);
  const toggles = sumToggles(status);
  const parts = [
    ...(phones.well === 0 ? [] : [`${wellOf(phones, 'phone')} registered`]),
    ...(components.well + components.wrong === 0 ? [] : [`${wellOf(components, 'component')} operational`]),
    ...(toggles.well + toggles.wrong === 0
      ? []
      : [`${wellOf(toggles, 'toggle')} as ${toggles.well + toggles.wrong === 1 ? 'it' : 'they'} should be`]),
  ];
  return parts.length === 0 ? null : `${capitalize(formatList(parts))}.`;
}

/** "All" requires that all are known. */
function wellOf({ well, wrong, unknown, uncounted }: Sum, what: string): string {
  const total = well + wrong + unknown;
  if (total === 1) return well === 1 ? `1 ${what}` : `0 of 1 ${what}`;
  if (well < total || uncounted > 0) return formatCountOf(well, total, what);
  return total === 2 ? `both ${what}s` : `all ${formatCount(total, what)}`;
}
