/** Titles of the alerts of an account: which phones, how many, and where. */
import { CREDENTIALS } from '../account/compare-account.ts';
import { groupOfExpectation } from '../account/compare-toggles.ts';
import type { AccountSnapshot, ExpectationMemory } from '../account/account-snapshot.ts';
import type { Alert } from './alert.ts';
import { formatCallsTitle } from './calls-titles.ts';
import { createPartRefusedTitle, type Title, createUnreachableTitle } from './title.ts';
import { takeCensus } from '../account/census.ts';
import { describePhones, createRoster } from '../account/drafts.ts';
import type { PhonesDetails, SiteCount } from '../transition/details.ts';
import { formatList, formatCount, formatCountOf } from '../text/plain.ts';

/** Up to this many phones are named; more are counted. */
export const CALLED_BY_NAME = 3;
/** Most sites in a title. */
export const SITES_NAMED = 4;

export interface AccountFacts {
  source: string;
  snapshot: AccountSnapshot;
  /** Names of external addresses. */
  sites: Readonly<Record<string, string>>;
  /** Customer of the account; null if only one account is watched. */
  customer: string | null;
}

type Entitled = Alert & { group: string; residual?: boolean };
type OwnAlert = Pick<Entitled, 'id' | 'group'>;
/** Adds the losses that other open alerts of the account report to the details of an alert's phones. */
export type OtherLossCounter = <D extends PhonesDetails>(details: D, alert: OwnAlert) => D;
type PhoneTitles = (alert: OwnAlert) => Title | null;

/** Null where the facts are gone: then the alert keeps its last title. */
export function createAccountTitles(
  facts: AccountFacts,
  countOthers: OtherLossCounter,
): (alert: Entitled) => Title | null {
  const { source, snapshot, sites, customer } = facts;
  const ofPhones = phoneTitles(snapshot, sites, countOthers);
  const ofToggles = toggleTitles(snapshot);
  const ofCalls = callsTitles(snapshot);

  function made({ id, family, group, status }: Entitled): Title | null {
    switch (family) {
      case 'phones':
        return ofPhones({ id, group });
      case 'toggle':
        return ofToggles(group);
      case 'calls':
        return ofCalls(group);
      default:
        return status === 'open' ? readingTitle(customer ?? source, group, snapshot) : null;
    }
  }

  return (alert) => {
    const title = alert.residual === true ? residualTitle(alert, made(alert)) : made(alert);
    // Titles about access to an account contain its name already.
    return title === null || customer === null || alert.family === 'source'
      ? title
      : { ...title, title: `${customer}: ${title.title}` };
  };
}

/** `Still offline: 104 (Sam Roberts)` after the provider's notice ended; without "still" once the phones are back. */
function residualTitle({ status, still }: Entitled, made: Title | null): Title | null {
  if (status === 'open') return made === null ? null : { ...made, title: `Still ${made.state}: ${made.thing}` };
  return made ?? (still === undefined ? null : { ...still, title: `${still.thing} ${still.state}` });
}

function readingTitle(called: string, group: string, { refused }: AccountSnapshot): Title {
  const thing = `Account “${called}”`;
  if (group !== CREDENTIALS) return createUnreachableTitle(thing);
  const whole = `Credentials of account “${called}”`;
  return createPartRefusedTitle(thing, refused?.parts) ?? { title: `${whole} refused`, thing: whole, state: 'refused' };
}

function toggleTitles({ expectations, toggles }: AccountSnapshot): (group: string) => Title | null {
  const byGroup = new Map(expectations.map((each) => [groupOfExpectation(each.toggle), each]));
  const names = new Map((toggles ?? []).map(({ id, name }) => [`toggle/${id}`, name]));
  const counts = Map.groupBy(toggles ?? [], ({ name }) => name);
  return (group) => {
    const expectation = byGroup.get(group);
    if (expectation === undefined || expectation.told === null) return null;
    if (expectation.told === 'missing') return missingTitle(expectation, counts.get(expectation.toggle)?.length ?? 0);
    const thing = `“${names.get(expectation.subject ?? '') ?? expectation.toggle}”`;
    const expected = expectation.wrong?.expected === true;
    const state = `${expected ? 'OFF' : 'ON'} instead of ${expected ? 'ON' : 'OFF'}`;
    return { title: `${thing} is ${state}`, thing, state };
  };
}

function callsTitles({ calls }: AccountSnapshot): (group: string) => Title | null {
  const findings = Object.values(calls?.told ?? {});
  return (group) => {
    const found = findings.find((one) => one.group === group);
    return found === undefined ? null : formatCallsTitle(found);
  };
}

function missingTitle({ toggle: wanted, called = wanted }: ExpectationMemory, matches: number): Title {
  const thing = `Toggle “${called}”`;
  return matches > 1
    ? { title: `${matches} toggles are called “${wanted}”`, thing, state: 'ambiguous' }
    : { title: `${thing} not found`, thing, state: 'missing' };
}

/** Titles of groups by their current losses; null once none of their phones is lost. */
function phoneTitles(
  snapshot: AccountSnapshot,
  sites: Readonly<Record<string, string>>,
  countOthers: OtherLossCounter,
): PhoneTitles {
  const { phones, extensions } = snapshot;
  const groups = new Map(snapshot.groups.map((group) => [group.id, group]));
  const lostBy = Map.groupBy(phones ?? [], ({ lost }) => lost?.group ?? null);
  const census = takeCensus(phones ?? [], sites);
  const roster = createRoster(census, extensions);
  const called = (extension: string): string =>
    formatExtensionName({ extension, name: roster.names.get(extension) ?? null });
  return (alert) => {
    const group = groups.get(alert.group);
    if (group === undefined) return null;
    if (group.flapping !== null) return flappingTitle(called(group.flapping));
    const lost = lostBy.get(alert.group) ?? [];
    if (group.unstable !== undefined) return unstableTitle(group.domain, group.unstable.count);
    if (lost.length === 0) return group.mass ? pastTitle(group.domain) : null;
    const isFew = lost.length <= CALLED_BY_NAME && lost.length < census.count(group.domain).total;
    if (!group.mass || isFew) return namedTitle(lost.map(({ extension }) => called(extension)));
    return massTitle(countOthers(describePhones(roster, group.domain, lost, group.startedAt), alert));
  };
}

/** `14 of 14 phones at Richmond offline`, `40 of 59 phones offline: Richmond 20/20, Parramatta 20/20, Perth 0/19` */
function massTitle(details: PhonesDetails): Title {
  const counted = `${countOwnLosses(details)} of ${formatCount(details.total, 'phone')}`;
  if (details.usual !== undefined) return lateTitle(details);
  const sites = formatSiteCounts(details.by_site ?? []);
  if (details.domain.kind !== 'account') return offline(`${counted} ${formatSitePlace(details)}`);
  if (sites === null) return offline(counted);
  return { title: `${counted} offline: ${sites}`, thing: `${counted} (${sites})`, state: 'offline' };
}

/** `10 of 13 phones at Ballarat not back at their usual time` */
function lateTitle(details: PhonesDetails): Title {
  const place = formatSitePlace(details);
  const count = details.phones.length + details.more;
  const thing = `${formatCountOf(count, details.total, 'phone')}${place === '' ? '' : ` ${place}`}`;
  const state = 'not back at their usual time';
  return { title: `${thing} ${state}`, thing, state };
}

function namedTitle(names: readonly string[]): Title {
  const thing = formatList(names, CALLED_BY_NAME);
  return { ...offline(thing), title: `${names.length === 1 ? 'Extension' : 'Extensions'} ${thing} offline` };
}

function flappingTitle(name: string): Title {
  return { title: `Extension ${name} comes and goes`, thing: name, state: 'unstable' };
}

function unstableTitle(domain: PhonesDetails['domain'], count: number): Title {
  const thing = domain.kind === 'account' ? 'Phones' : `Phones ${formatSitePlace({ domain })}`;
  return { title: `${thing} come and go: offline ${count} times`, thing, state: 'unstable' };
}

/** Title without a number, since all phones are back. */
function pastTitle(domain: PhonesDetails['domain']): Title {
  return offline(domain.kind === 'account' ? 'Phones' : `Phones ${formatSitePlace({ domain })}`);
}

function offline(thing: string): Title {
  return { title: `${thing} offline`, thing, state: 'offline' };
}

/** `1004 (Sam Roberts)` */
export function formatExtensionName({ extension, name }: { extension: string; name: string | null }): string {
  return name === null || name === '' || name === extension ? extension : `${extension} (${name})`;
}

/** `at Richmond`, `of the model Yealink SIP-T46S`, `with Yealink SIP-T46S 66.86.0.15`; empty for a whole account. */
export function formatSitePlace({ domain }: Pick<PhonesDetails, 'domain'>): string {
  switch (domain.kind) {
    case 'site':
      return `at ${domain.name}`;
    case 'model':
      return `of the model ${domain.name}`;
    case 'firmware':
      return `with ${domain.name}`;
    case 'account':
      return '';
  }
}

/** Offline phones of the domain that no other alert reports. */
export function countOwnLosses({ down, others = [] }: Pick<PhonesDetails, 'down' | 'others'>): number {
  return others.reduce((left, { phones }) => left - phones, down);
}

/**
 * `Richmond 20/20, Parramatta 20/20, Perth 0/19`: lost and all phones by site; null for fewer than two sites. Sites
 * whose losses are all reported by other alerts are omitted.
 */
export function formatSiteCounts(counts: readonly SiteCount[]): string | null {
  if (counts.length < 2) return null;
  const own = counts.filter(({ down, others = 0 }) => others === 0 || others < down);
  const bySize = own.toSorted((a, b) => b.down - (b.others ?? 0) - (a.down - (a.others ?? 0)) || b.total - a.total);
  return formatList(
    bySize.map(({ site, down, total, others = 0 }) => `${site} ${down - others}/${total}`),
    SITES_NAMED,
    ', ',
  );
}
