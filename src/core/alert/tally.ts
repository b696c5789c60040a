/** Accounts of one page beside each other: how each of them fares in sums, and whether one trouble hits several. */
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

/** How an account fares, for what is computed over all accounts of a page: numbers, and the alert they may share. */
export interface Tally {
  phones: number;
  /** Lost so recently that it may be one event, or going, and not for a reason of the account's own. */
  lost: number;
  /** Its open alert of such phones; of several the one that others join. */
  trouble: SharedLoss | null;
  /** Its open alerts of phones that a notice explains. */
  explained: readonly SharedLoss[];
}

/** The other accounts of a page, as far as one of them asks. */
export interface Neighbours extends Beside {
  count: number;
  /** How many of them have lost many of their phones lately. */
  hit: number;
}

export const NO_NEIGHBOURS: Neighbours = { count: 0, hit: 0, lead: null, outages: new Map() };

/** All accounts of a page together: from it and its own tally each of them knows its neighbours. */
export interface TallySum {
  count: number;
  hit: number;
  /** Of the alerts that others may join the first, and the second for the account whose the first is. */
  leads: readonly SharedLoss[];
  /** As `Beside` has them, over all accounts: an account that asks may find its own. */
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

/** `own`: the tally of the account that asks, as it is counted in `all`; undefined for one that is not. */
export function subtractOwnTally({ count, hit, leads, outages }: TallySum, own?: Tally): Neighbours {
  if (own === undefined) return { count, hit, lead: leads[0] ?? null, outages };
  return {
    count: count - 1,
    hit: hit - (isHit(own) ? 1 : 0),
    lead: leads.find((trouble) => trouble !== own.trouble) ?? null,
    outages,
  };
}

/** Phones that are away are not counted. Without a phone that is lost there is no trouble to share. */
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
 * Named by evidence, with phones beside it that are well or were seen to be well after it: the provider has no part in
 * it. While the accounts around are hit, or sites went together while the provider has trouble with phones, only strong
 * evidence says so.
 */
export function isLocal(group: LossGroup, census: Census, neighbours: Neighbours, hasTrouble = false): boolean {
  const { mass, domain, why } = group;
  // Who is late by habit suspects nobody.
  if (group.late === true) return true;
  if (!mass || domain.kind === 'account') return false;
  if ((why?.chance ?? 1) >= NARROWED_BELOW && areHit(neighbours.hit, neighbours)) return false;
  if (isProvenLocal(group, census.phones, (phone) => census.belongs(phone, domain))) return true;
  const wentTogether = why?.beside?.some(({ together: isTogether }) => isTogether === true) === true;
  if (hasTrouble && wentTogether) return false;
  const [all, mine] = [census.count(ACCOUNT), census.count(domain)];
  return all.total - all.lost > mine.total - mine.lost;
}

/** Several accounts are hit at once, or this one loses a phone while several around it are. */
export function isWidespread(own: Tally, neighbours: Neighbours): boolean {
  return own.lost > 0 && areHit(neighbours.hit + (isHit(own) ? 1 : 0), neighbours);
}

/** It is accounts that are counted, not their phones; the one that asks is one of all. */
function areHit(hit: number, { count }: Neighbours): boolean {
  const of = count + 1;
  return hit >= (of <= FEW_ACCOUNTS ? 2 : WIDESPREAD_ACCOUNTS) && hit >= WIDESPREAD_SHARE * of;
}

function isHit({ phones, lost }: Pick<Tally, 'phones' | 'lost'>): boolean {
  return lost >= HIT_PHONES && lost >= HIT_SHARE * phones;
}

/** When the last phone was lost that these losses needed to hit their account, epoch milliseconds; null where they do not. */
export function findHitTime(lost: readonly PhoneMemory[], census: Census): number | null {
  const phones = census.count(ACCOUNT).total;
  const since = lost.flatMap((phone) => phone.lost?.since ?? []).toSorted((a, b) => a - b);
  const at = since.findIndex((_, index) => isHit({ phones, lost: index + 1 }));
  return since[at] ?? null;
}

/** Whether a phone was lost so lately that it may be one event with what is lost now. */
export function createRecentLossCheck(phones: readonly PhoneMemory[], clock: number): (phone: PhoneMemory) => boolean {
  const windowMs = computeLossWindow(phones);
  return ({ lost }) => lost !== null && clock - lost.at <= windowMs;
}
