/** Compares the accounts of one page by their numbers, to find trouble that affects several. */
import { ACCOUNT } from '../account/domain.ts';
import { takeCensus, type Census } from '../account/census.ts';
import { isRepeatedlyMissing, isProvenLocal, computeLossWindow } from '../account/losses/evidence.ts';
import {
  FEW_ACCOUNTS,
  HIT_PHONES,
  HIT_SHARE,
  MOSTLY_OUT,
  NARROWED_BELOW,
  SINGLES_WITHIN_MS,
  WIDESPREAD_ACCOUNTS,
  WIDESPREAD_SHARE,
  WITH_NOTICE_PHONES,
  WITH_NOTICE_SHARE,
  WITH_NOTICE_SITES,
} from '../account/losses/loss-rules.ts';
import type { AccountSettings } from '../account/settings.ts';
import { append } from '../transition/collections.ts';
import type { AccountSnapshot, LossGroup, PhoneMemory } from '../account/account-snapshot.ts';
import { isGoingOn, type AccountAlert } from './account-alert.ts';
import type { ProviderView } from './cause.ts';
import { compareLead, findOutageLeads, type Beside, type SharedLoss } from './correlate.ts';

/** Numbers of an account for comparison with its peers, and the alert they may share. */
export interface Tally {
  phones: number;
  /** Phones that are missing, or were lost so recently that it may be one event, without a local cause. */
  lost: number;
  /** Phones of `lost` that disappeared in the last ten minutes at sites that still have phones; number of these sites. */
  scattered: { phones: number; sites: number };
  /** Open alert of such phones that others join. */
  trouble: SharedLoss | null;
  /** Open alerts of phones that a notice explains. */
  explained: readonly SharedLoss[];
}

/** Sums over the other accounts of a page, as seen from one of them. */
export interface Neighbours extends Beside {
  count: number;
  /** Number of them that have lost many phones recently. */
  hit: number;
  /** All their phones. */
  phones: number;
  scattered: Tally['scattered'];
}

const NOT_SCATTERED: Tally['scattered'] = { phones: 0, sites: 0 };

export const NO_NEIGHBOURS: Neighbours = {
  count: 0,
  hit: 0,
  phones: 0,
  scattered: NOT_SCATTERED,
  lead: null,
  outages: new Map(),
};

/** Numbers of several accounts together. */
export type TallyCounts = Pick<Neighbours, 'count' | 'hit' | 'phones' | 'scattered'>;

export const NO_COUNTS: TallyCounts = { count: 0, hit: 0, phones: 0, scattered: NOT_SCATTERED };

/** Adds an account, or subtracts it. */
export function addTally(counts: TallyCounts, tally: Tally, factor: 1 | -1): TallyCounts {
  return {
    count: counts.count + factor,
    hit: counts.hit + (isHit(tally) ? factor : 0),
    phones: counts.phones + factor * tally.phones,
    scattered: addScattered(counts.scattered, tally.scattered, factor),
  };
}

/** Alerts of several accounts that others may join. */
export interface JoinableLosses {
  /** The first two of them. The account of the first one may join the second. */
  leads: readonly SharedLoss[];
  /** As in `Beside`, over all accounts: may include the account's own. */
  outages: ReadonlyMap<string, SharedLoss>;
}

export function hasJoinableLoss({ trouble, explained }: Tally): boolean {
  return trouble !== null || explained.length > 0;
}

/** One pass: in an outage of a thousand accounts it runs for each change of one account's counts. */
export function findJoinableLosses(tallies: Iterable<Tally>): JoinableLosses {
  let leads: SharedLoss[] = [];
  const explained: SharedLoss[] = [];
  for (const tally of tallies) {
    if (tally.trouble !== null) leads = insertLead(leads, tally.trouble);
    append(explained, tally.explained);
  }
  return { leads, outages: findOutageLeads(explained) };
}

/** The first two of these alerts. Among equal ones the earlier stays first. */
function insertLead(leads: SharedLoss[], trouble: SharedLoss): SharedLoss[] {
  const [first, second] = leads;
  if (first === undefined) return [trouble];
  if (compareLead(trouble, first) < 0) return [trouble, first];
  if (second === undefined || compareLead(trouble, second) < 0) return [first, trouble];
  return leads;
}

function addScattered(one: Tally['scattered'], other: Tally['scattered'], factor: 1 | -1): Tally['scattered'] {
  return { phones: one.phones + factor * other.phones, sites: one.sites + factor * other.sites };
}

/** `counts` and `joinable`: of all accounts of a page. `own`: as counted in them; undefined if it is not in them. */
export function toNeighbours(counts: TallyCounts, { leads, outages }: JoinableLosses, own?: Tally): Neighbours {
  if (own === undefined) return { ...counts, outages, lead: leads[0] ?? null };
  return { ...addTally(counts, own, -1), outages, lead: leads.find((trouble) => trouble !== own.trouble) ?? null };
}

/** Memoised: such a tally depends on the phones alone, and each step asks for it several times. */
const withoutLosses = new WeakMap<Census, Tally>();

/** Counts phones, except those that are habitually offline now. Without a lost phone there is no alert to share. */
export function createTally(
  { phones, groups, clock }: AccountSnapshot,
  alerts: readonly AccountAlert[],
  settings: Pick<AccountSettings, 'sites'>,
  neighbours: Neighbours = NO_NEIGHBOURS,
): Tally {
  // The census of the whole list is shared with the other rules of a step.
  const census = takeCensus(phones ?? [], settings.sites);
  const known = withoutLosses.get(census);
  if (known !== undefined) return known;
  const all = census.phones;
  const going = all.filter(isRepeatedlyMissing);
  if (!all.some(({ lost }) => lost !== null)) {
    const scattered = countScattered(going, census);
    const tally = { phones: all.length, lost: going.length, scattered, trouble: null, explained: [] };
    withoutLosses.set(census, tally);
    return tally;
  }
  const spread = new Set(groups.flatMap((group) => (isLocal(group, census, neighbours) ? [] : [group.id])));
  const isRecent = createRecentLossCheck(all, clock);
  const lost = all.filter((phone) => isRecent(phone) && spread.has(phone.lost?.group ?? ''));
  const recent = new Set(lost.map((phone) => phone.lost?.group));
  const open = alerts.filter((alert) => isGoingOn(alert) && !alert.awaitsSummary && recent.has(alert.group));
  const [first = null] = open.toSorted(compareLead);
  const explained = alerts.filter((alert) => isGoingOn(alert) && alert.explainedBy !== null);
  const justLost = lost.filter((phone) => phone.lost !== null && clock - phone.lost.at <= SINGLES_WITHIN_MS);
  const scattered = countScattered([...justLost, ...going], census);
  return {
    phones: all.length,
    lost: lost.length + going.length,
    scattered,
    trouble: first === null ? null : toSharedLoss(first),
    explained: explained.map(toSharedLoss),
  };
}

/** Only what peers need: an alert changes in each step, and a tally seldom. */
function toSharedLoss({ id, number, startedAt, suspected, explainedBy }: AccountAlert): SharedLoss {
  return { id, number, startedAt, suspected, explainedBy };
}

/** A site of which most phones are gone has most likely a cause of its own. */
function countScattered(gone: readonly PhoneMemory[], census: Census): Tally['scattered'] {
  let counted = NOT_SCATTERED;
  for (const { domain, count } of census.tally(gone).values()) {
    if (domain.kind !== 'site' || (count > 1 && count >= MOSTLY_OUT * census.count(domain).total)) continue;
    counted = addScattered(counted, { phones: count, sites: 1 }, 1);
  }
  return counted;
}

/** Trouble on the provider's pages, as far as it concerns the losses of an account. */
export interface PageTrouble {
  /** They have an open alert that may cost phones. */
  hasTrouble: boolean;
  /** Losses that one of these alerts explains already, by group. */
  explained: ReadonlySet<string>;
}

const NO_TROUBLE: PageTrouble = { hasTrouble: false, explained: new Set() };

export function findPageTrouble(
  provider: Pick<ProviderView, 'causes'> | null,
  alerts: readonly AccountAlert[],
): PageTrouble {
  if (provider === null || provider.causes.length === 0) return NO_TROUBLE;
  const causes = new Set(provider.causes.map(({ alert }) => alert.id));
  const explained = alerts.filter((alert) => isGoingOn(alert) && causes.has(alert.explainedBy ?? ''));
  return { hasTrouble: true, explained: new Set(explained.map(({ group }) => group)) };
}

/**
 * Whether a mass loss has a local cause: evidence names a site, model or firmware, and other phones are well or were seen
 * well after it. Stronger evidence is needed while peer accounts are hit, while an open alert of the provider explains it,
 * and while the provider has trouble with phones and several sites failed together.
 */
export function isLocal(group: LossGroup, census: Census, neighbours: Neighbours, trouble = NO_TROUBLE): boolean {
  const { mass, domain, why } = group;
  // Phones that are late by habit are no reason to suspect the provider.
  if (group.late === true) return true;
  if (!mass || domain.kind === 'account') return false;
  const isWeak = (why?.chance ?? 1) >= NARROWED_BELOW;
  if (isWeak && (trouble.explained.has(group.id) || hasHitNeighbours(neighbours))) return false;
  if (isProvenLocal(group, census.phones, (phone) => census.belongs(phone, domain))) return true;
  const wentTogether = why?.beside?.some(({ together: isTogether }) => isTogether === true) === true;
  if (trouble.hasTrouble && wentTogether) return false;
  const [all, mine] = [census.count(ACCOUNT), census.count(domain)];
  return all.total - all.lost > mine.total - mine.lost;
}

/**
 * Whether several accounts are hit at once, or this one loses a phone while several peers are. While a notice about phones
 * is open, few phones at several sites show that it hits them.
 */
export function isWidespread(
  own: Tally,
  neighbours: Neighbours,
  provider: Pick<ProviderView, 'causes'> | null,
): boolean {
  if (own.lost === 0) return false;
  if (areHit(neighbours.hit + (isHit(own) ? 1 : 0), neighbours)) return true;
  if (provider === null || provider.causes.length === 0) return false;
  const { phones, sites } = addScattered(neighbours.scattered, own.scattered, 1);
  const all = neighbours.phones + own.phones;
  return sites >= WITH_NOTICE_SITES && phones >= Math.max(WITH_NOTICE_PHONES, WITH_NOTICE_SHARE * all);
}

/** Whether several of the other accounts are hit. */
export function hasHitNeighbours(neighbours: Neighbours): boolean {
  return areHit(neighbours.hit, neighbours);
}

/** Counts accounts, not phones, including the account itself. */
function areHit(hit: number, { count }: Neighbours): boolean {
  const of = count + 1;
  return hit >= (of <= FEW_ACCOUNTS ? 2 : WIDESPREAD_ACCOUNTS) && hit >= WIDESPREAD_SHARE * of;
}

function isHit({ phones, lost }: Pick<Tally, 'phones' | 'lost'>): boolean {
  return lost >= HIT_PHONES && lost >= HIT_SHARE * phones;
}

/** Time of the loss with which an account counts as hit, epoch milliseconds; null while it does not. */
export function findHitTime(lost: readonly PhoneMemory[], census: Census): number | null {
  const phones = census.count(ACCOUNT).total;
  const since = lost.flatMap((phone) => phone.lost?.since ?? []).toSorted((a, b) => a - b);
  const at = since.findIndex((_, index) => isHit({ phones, lost: index + 1 }));
  return since[at] ?? null;
}

/** Whether a phone was lost so recently that it may belong to the same event as current losses. */
export function createRecentLossCheck(phones: readonly PhoneMemory[], clock: number): (phone: PhoneMemory) => boolean {
  const windowMs = computeLossWindow(phones);
  return ({ lost }) => lost !== null && clock - lost.at <= windowMs;
}
