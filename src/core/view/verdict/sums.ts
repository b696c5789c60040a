/** The sums that page, wall, interface and feeds show: pages, phones and toggles. */
import { capitalize, formatList, formatCount } from '../../text/plain.ts';
import { isUnknownPart, sumOf, type Sum } from './known.ts';
import type { AccountView, PageView, Picture, SourceView, ToggleView } from '../picture.ts';

type Sources = Pick<Picture, 'sources'>;

export function pagesOf({ sources }: Sources): (SourceView & PageView)[] {
  return sources.flatMap((source) => (source.type === 'status page' ? [source] : []));
}

export function accountsOf({ sources }: Sources): (SourceView & AccountView)[] {
  return sources.flatMap((source) => (source.type === 'account' ? [source] : []));
}

/** Status pages that call themselves operational. */
export function sumPages(picture: Sources): Sum {
  return sumOf(pagesOf(picture), 'page', ({ isWell }) => ({ well: isWell ? 1 : 0, wrong: isWell ? 0 : 1 }));
}

/** Phones that are registered; those that are away are not among them. */
export function sumPhones(picture: Sources): Sum {
  return sumOf(accountsOf(picture), 'registrations', ({ phones }) => ({
    well: phones?.registered ?? 0,
    wrong: phones === null ? 0 : phones.total - phones.registered,
  }));
}

/** Phones that one answer has left out: until the hold-off is over they are neither registered nor offline. */
export function countNotSeen(picture: Sources): number {
  return accountsOf(picture).reduce((sum, account) => {
    if (isUnknownPart(account, 'registrations')) return sum;
    return sum + (account.phones?.missing.filter(({ isLost }) => !isLost).length ?? 0);
  }, 0);
}

/** Toggles that are as they should be; one of which nothing is expected is so either way. */
export function sumToggles(picture: Sources): Sum {
  return countToggles(picture, () => true);
}

function sumComponents(picture: Sources): Sum {
  return sumOf(pagesOf(picture), 'page', ({ components: { total, notOperational } }) => ({
    well: total - notOperational.length,
    wrong: notOperational.length,
  }));
}

function countToggles(picture: Sources, counts: (toggle: ToggleView) => boolean): Sum {
  return sumOf(accountsOf(picture), 'toggles', ({ toggles }) => {
    const all = (toggles ?? []).filter(counts);
    const unknown = all.filter(({ status }) => status === null).length;
    const wrong = all.filter(isWrongToggle).length;
    return { well: all.length - unknown - wrong, wrong, unknown };
  });
}

/** As it was last read. */
export function isWrongToggle({ status, expected }: ToggleView): boolean {
  return status !== null && expected !== null && status !== expected;
}

/** Sums of pages, phones and toggles in one sentence; null where nothing is known. */
export function wellText(picture: Sources): string | null {
  const phones = sumPhones(picture);
  const components = sumComponents(picture);
  const toggles = countToggles(picture, ({ expected }) => expected !== null);
  const parts = [
    ...(phones.well === 0 ? [] : [`${wellOf(phones, 'phone')} registered`]),
    ...(components.well + components.wrong === 0 ? [] : [`${wellOf(components, 'component')} operational`]),
    ...(toggles.well + toggles.wrong === 0
      ? []
      : [`${wellOf(toggles, 'toggle')} as ${toggles.well + toggles.wrong === 1 ? 'it' : 'they'} should be`]),
  ];
  return parts.length === 0 ? null : `${capitalize(formatList(parts))}.`;
}

/** "All" is said only where all is known. */
function wellOf({ well, wrong, unknown, uncounted }: Sum, what: string): string {
  const total = well + wrong + unknown;
  if (total === 1) return well === 1 ? `1 ${what}` : `0 of 1 ${what}`;
  return well === total && uncounted === 0
    ? `all ${formatCount(total, what)}`
    : `${well} of ${formatCount(total, what)}`;
}
