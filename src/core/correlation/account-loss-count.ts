/** Compares the accounts of one page by their numbers, to find trouble that affects several. */
import { isAway } from '../account/presence.ts';
import { ACCOUNT } from '../account/domain.ts';
import { takeCensus, type Census } from '../account/census.ts';
import { isGoing, isProvenLocal, computeLossWindow } from '../account/losses/evidence.ts';
import {
  FEW_ACCOUNTS,
  HIT_PHONES,
  HIT_SHARE,
  NARROWED_BELOW,
  WIDESPREAD_ACCOUNTS,
  WIDESPREAD_SHARE,
} from '../account/losses/loss-rules.ts';
import type { AccountSettings } from '../account/settings.ts';
import { append } from '../transition/collections.ts';
import type { AccountSnapshot, LossGroup, PhoneMemory } from '../account/account-snapshot.ts';
import { isGoingOn, type AccountAlert } from './account-alert.ts';
import { compareLead, findOutageLeads, type Beside, type SharedLoss } from './correlate.ts';

/** Numbers of an account for comparison with its peers, and the alert they may share. */
export interface Tally {
  phones: number;
  /** Phones that are missing, or were lost so recently that it may be one event, without a local cause. */
  lost: number;
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
}

export const NO_NEIGHBOURS: Neighbours = { count: 0, hit: 0, lead: null, outages: new Map() };

/** Sum over all accounts of a page; less an account's own tally it gives that account's neighbours. */
export interface TallySum {
  count: number;
  hit: number;
  /** The first two alerts that others may join: the second is for the account that has the first. */
  leads: readonly SharedLoss[];
  /** As in `Beside`, over all accounts: may include the account's own. */
  outages: ReadonlyMap<string, SharedLoss>;
}

export function sumTallies(tallies: Iterable<Tally>): TallySum {
  let [count, hit] = [0, 0];
  const leads: SharedLoss[] = [];
  const explained: SharedLoss[] = [];
  for (const tally of tallies) {
    count += 1;
    if (isHit(tally)) hit += 1;
    if (tally.trouble !== null) leads.push(tally.trouble);
    append(explained, tally.explained);
  }
  return { count, hit, leads: leads.toSorted(compareLead).slice(0, 2), outages: findOutageLeads(explained) };
}

/** `own`: the account's tally as counted in the sum; undefined if it is not in it. */
export function subtractOwnTally({ count, hit, leads, outages }: TallySum, own?: Tally): Neighbours {
  if (own === undefined) return { count, hit, lead: leads[0] ?? null, outages };
  return {
    count: count - 1,
    hit: hit - (isHit(own) ? 1 : 0),
    lead: leads.find((trouble) => trouble !== own.trouble) ?? null,
    outages,
  };
}

/** Counts phones, except those that are habitually offline now. Without a lost phone there is no alert to share. */
export function createTally(
  { phones, groups, clock }: AccountSnapshot,
  alerts: readonly AccountAlert[],
  settings: Pick<AccountSettings, 'sites'>,
  neighbours: Neighbours = NO_NEIGHBOURS,
): Tally {
  const all = (phones ?? []).filter((phone) => !isAway(phone));
  const going = all.filter(isGoing).length;
  if (!all.some(({ lost }) => lost !== null)) return { phones: all.length, lost: going, trouble: null, explained: [] };
  const census = takeCensus(all, settings.sites);
  const spread = new Set(groups.flatMap((group) => (isLocal(group, census, neighbours) ? [] : [group.id])));
  const isRecent = createRecentLossCheck(all, clock);
  const lost = all.filter((phone) => isRecent(phone) && spread.has(phone.lost?.group ?? ''));
  const recent = new Set(lost.map((phone) => phone.lost?.group));
  const open = alerts.filter((alert) => isGoingOn(alert) && !alert.awaitsSummary && recent.has(alert.group));
  const [first = null] = open.toSorted(compareLead);
  const explained = alerts.filter((alert) => isGoingOn(alert) && alert.explainedBy !== null);
  return { phones: all.length, lost: lost.length + going, trouble: first, explained };
}

/**
 * Whether a mass loss has a local cause: evidence names a site, model or firmware, and other phones are well or were seen
 * well after it. Stronger evidence is needed while peer accounts are hit, and while the provider has trouble with phones and
 * several sites failed together.
 */
export function isLocal(group: LossGroup, census: Census, neighbours: Neighbours, hasTrouble = false): boolean {
  const { mass, domain, why } = group;
  // Phones that are late by habit are no reason to suspect the provider.
  if (group.late === true) return true;
  if (!mass || domain.kind === 'account') return false;
  if ((why?.chance ?? 1) >= NARROWED_BELOW && areHit(neighbours.hit, neighbours)) return false;
  if (isProvenLocal(group, census.phones, (phone) => census.belongs(phone, domain))) return true;
  const wentTogether = why?.beside?.some(({ together: isTogether }) => isTogether === true) === true;
  if (hasTrouble && wentTogether) return false;
  const [all, mine] = [census.count(ACCOUNT), census.count(domain)];
  return all.total - all.lost > mine.total - mine.lost;
}

/** Whether several accounts are hit at once, or this one loses a phone while several peers are. */
export function isWidespread(own: Tally, neighbours: Neighbours): boolean {
  return own.lost > 0 && areHit(neighbours.hit + (isHit(own) ? 1 : 0), neighbours);
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
