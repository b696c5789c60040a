/**
 * Cause over symptoms: what a loss of phones has to do with the provider. Its page explains a loss, or does not yet;
 * and when it says that all is over, phones may still be lost. A site or a model with healthy phones beside it is
 * nothing of the provider's.
 */
import { isAway } from '../account/absence.ts';
import { ACCOUNT, takeCensus, type Census } from '../account/domain.ts';
import {
  FEW_ACCOUNTS,
  HIT_PHONES,
  HIT_SHARE,
  NARROWED_BELOW,
  WIDESPREAD_ACCOUNTS,
  WIDESPREAD_SHARE,
} from '../account/losses/rules.ts';
import { isGoing, isProvenLocal, lossWindow } from '../account/losses/evidence.ts';
import type { AccountSettings } from '../account/settings.ts';
import type { AccountSnapshot, LossGroup, PhoneMemory } from '../account/snapshot.ts';
import { tellerOf } from '../account/words.ts';
import type { DraftOf } from '../transition/draft.ts';
import type { OutageDetails } from '../transition/transition.ts';
import type { AccountAlert } from './account-book.ts';
import { minutesLater } from './account-because.ts';
import type { Cause, ProviderView } from './cause.ts';

/** How an account fares, for what is computed over all accounts of a page: numbers, and the alert they may share. */
export interface Tally {
  phones: number;
  /** Lost so recently that it may be one event, or going, and not for a reason of the account's own. */
  lost: number;
  /** Its oldest open alert of such phones. */
  trouble: Trouble | null;
}

export type Trouble = Pick<AccountAlert, 'id' | 'number' | 'title' | 'startedAt'>;

export function tallyOf(
  { phones, groups, clock }: AccountSnapshot,
  alerts: readonly AccountAlert[],
  settings: Pick<AccountSettings, 'sites'>,
  neighbours: readonly Tally[] = [],
): Tally {
  const all = (phones ?? []).filter((phone) => !isAway(phone));
  const going = all.filter(isGoing).length;
  if (!all.some(({ lost }) => lost !== null)) return { phones: all.length, lost: going, trouble: null };
  const census = takeCensus(all, settings.sites);
  const spread = new Set(groups.flatMap((group) => (isLocal(group, census, neighbours) ? [] : [group.id])));
  const windowMs = lossWindow(all);
  const lost = all.filter((phone) => isRecent(phone.lost, clock, windowMs) && spread.has(phone.lost?.group ?? ''));
  const recent = new Set(lost.map((phone) => phone.lost?.group));
  const open = alerts.filter(
    (alert) => alert.status === 'open' && alert.origin === 'phones' && recent.has(alert.group) && !alert.awaitsSummary,
  );
  const [first = null] = open.toSorted((a, b) => a.number - b.number);
  return { phones: all.length, lost: lost.length + going, trouble: first };
}

export interface OutageContext {
  settings: AccountSettings;
  provider: ProviderView | null;
  /** The other accounts of the same page. */
  neighbours: readonly Tally[];
  /** A complete listing has just said which phones are there. */
  fresh: boolean;
}

export type OutageDraft = DraftOf<'outage.suspected'> | DraftOf<'outage.residual'>;

/** What is to be said of each alert now, at most one thing each; remembers in the alert that it was. */
export function judgeOutages(
  alerts: readonly AccountAlert[],
  snapshot: AccountSnapshot,
  context: OutageContext,
): { alert: AccountAlert; draft: OutageDraft }[] {
  const lost = (snapshot.phones ?? []).filter(({ lost: loss }) => loss !== null);
  if (lost.length === 0) return [];
  const open = alerts.filter(
    ({ status, origin, absorbedBy }) => status === 'open' && origin === 'phones' && absorbedBy === undefined,
  );
  const widespread = isWidespread(tallyOf(snapshot, alerts, context.settings, context.neighbours), context.neighbours);
  const census = takeCensus(snapshot.phones ?? [], context.settings.sites);
  const groups = new Map(snapshot.groups.map((group) => [group.id, group]));
  const lostBy = Map.groupBy(lost, (phone) => phone.lost?.group);
  return open.flatMap((alert) => {
    const group = groups.get(alert.group);
    const mine = lostBy.get(alert.group) ?? [];
    if (group === undefined || mine.length === 0) return [];
    const draft = judge({ alert, group, mine, snapshot, context, widespread, census });
    return draft === null ? [] : [{ alert, draft }];
  });
}

/** Whether what is still lost of a group is a mass loss by the account's settings. */
export function whatIsLeft(
  { phones }: AccountSnapshot,
  { registrations, sites }: AccountSettings,
): (group: string) => 'mass' | 'few' {
  const all = phones ?? [];
  const census = takeCensus(all, sites);
  let lostBy: Map<string | undefined, PhoneMemory[]> | null = null;
  return (group) => {
    lostBy ??= Map.groupBy(all, ({ lost }) => lost?.group);
    const mine = lostBy.get(group) ?? [];
    const isPartOfMass = census.massive(mine, registrations.mass);
    return mine.some(isPartOfMass) ? 'mass' : 'few';
  };
}

interface Judged {
  alert: AccountAlert;
  group: LossGroup;
  mine: readonly PhoneMemory[];
  snapshot: AccountSnapshot;
  context: OutageContext;
  widespread: boolean;
  census: Census;
}

function judge(judged: Judged): OutageDraft | null {
  const { alert, group, mine, context, widespread, census } = judged;
  const { provider } = context;
  if (isLocal(group, census, context.neighbours)) {
    // It looked like more at first: what the provider has open does not explain it.
    alert.explainedBy = null;
    alert.suspected = false;
    return null;
  }
  const causes = provider?.causes ?? [];
  const known = causes.find((each) => each.alert.id === alert.explainedBy) ?? null;
  if (alert.explainedBy !== null) {
    const better = causes.find((each) => isBetter(each, known, alert, group));
    if (better !== undefined) return explain(judged, better);
    const isOver = provider !== null && !provider.open.includes(alert.explainedBy);
    if (!isOver || !context.fresh) return null;
    alert.explainedBy = null;
    alert.residual = true;
    return {
      subject: 'registrations',
      kind: 'outage.residual',
      from: null,
      to: mine.length,
      details: detailsOf(judged, null),
    };
  }
  const cause = causes.find((each) => each.alert.id !== alert.id && each.alert.id !== alert.cause) ?? null;
  if (cause !== null) return alert.outage || widespread ? explain(judged, cause) : null;
  const scattered = group.mass && group.domain.kind === ACCOUNT.kind && census.sites(mine).length > 1;
  if (alert.suspected || !(scattered || widespread)) return null;
  alert.suspected = true;
  alert.outage = true;
  if (scattered) alert.scattered = true;
  return suspected(judged, null);
}

/** One that was published after the loss and fits better replaces the one that was told. */
function isBetter(cause: Cause, known: Cause | null, alert: AccountAlert, group: LossGroup): boolean {
  if (cause.alert.id === alert.explainedBy || cause.alert.id === alert.id) return false;
  return known !== null && cause.openedAt > group.startedAt && cause.fit > known.fit;
}

function explain(judged: Judged, cause: Cause): OutageDraft {
  const { alert } = judged;
  alert.explainedBy = cause.alert.id;
  alert.cause = cause.alert.id;
  alert.suspected = true;
  return suspected(judged, cause);
}

function suspected(judged: Judged, cause: Cause | null): OutageDraft {
  const details = detailsOf(judged, cause);
  return { subject: 'registrations', kind: 'outage.suspected', from: null, to: judged.mine.length, details };
}

/**
 * Named by evidence, with phones beside it that are well or were seen to be well after it: the provider has no part in
 * it. While the accounts around are hit, only strong evidence says so.
 */
export function isLocal(group: LossGroup, census: Census, neighbours: readonly Tally[]): boolean {
  const { mass, domain, why } = group;
  if (!mass || domain.kind === 'account') return false;
  if ((why?.chance ?? 1) >= NARROWED_BELOW && areHit(neighbours, neighbours.length + 1)) return false;
  const [all, mine] = [census.count(ACCOUNT), census.count(domain)];
  const isWellBeside = all.total - all.lost > mine.total - mine.lost;
  return isWellBeside || isProvenLocal(group, census.phones, (phone) => census.belongs(phone, domain));
}

/** Several accounts are hit at once, or this one loses a phone while several around it are. */
export function isWidespread(own: Tally, neighbours: readonly Tally[]): boolean {
  const all = neighbours.length + 1;
  return own.lost > 0 && (areHit(neighbours, all) || (isHit(own) && areHit([own, ...neighbours], all)));
}

/** It is accounts that are counted, not their phones. */
function areHit(some: readonly Tally[], of: number): boolean {
  const hit = some.filter(isHit).length;
  return hit >= (of <= FEW_ACCOUNTS ? 2 : WIDESPREAD_ACCOUNTS) && hit >= WIDESPREAD_SHARE * of;
}

function isHit({ phones, lost }: Tally): boolean {
  return lost >= HIT_PHONES && lost >= HIT_SHARE * phones;
}

/** The alert that accounts hit by one trouble share; null where they are not. */
export function sharedTrouble(own: Tally, neighbours: readonly Tally[]): Trouble | null {
  if (!isWidespread(own, neighbours)) return null;
  // One that has lost a single phone yet may have been the first to tell of it.
  const troubles = neighbours.flatMap(({ trouble }) => trouble ?? []);
  return troubles.toSorted((a, b) => a.number - b.number)[0] ?? null;
}

function detailsOf({ alert, group, mine, snapshot, context, census }: Judged, cause: Cause | null): OutageDetails {
  const { provider } = context;
  const domain = group.mass ? group.domain : ACCOUNT;
  const { number = 0, id = '', title = '' } = cause?.alert ?? {};
  return {
    ...tellerOf(census, snapshot.extensions).phones(domain, mine, group.startedAt),
    page: provider === null || provider.state === null ? null : { source: provider.source, state: provider.state },
    admitted:
      cause === null
        ? null
        : {
            alert: id,
            number,
            title,
            url: cause.url,
            minutes_later: minutesLater(cause, group.startedAt),
          },
    scattered: alert.scattered === true,
  };
}

function isRecent(lost: PhoneMemory['lost'], clock: number, windowMs: number): boolean {
  return lost !== null && clock - lost.at <= windowMs;
}
