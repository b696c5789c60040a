/**
 * Cause over symptoms: what a loss of phones has to do with the provider. Its page explains a loss, or does not yet;
 * and when it says that all is over, phones may still be lost.
 */
import { ACCOUNT, isMass, takeCensus } from '../account/domain.ts';
import { DRIP_MS } from '../account/losses/rules.ts';
import type { AccountSettings } from '../account/settings.ts';
import type { AccountSnapshot, LossGroup, PhoneMemory } from '../account/snapshot.ts';
import { tellerOf } from '../account/words.ts';
import type { DraftOf } from '../transition/draft.ts';
import type { OutageDetails } from '../transition/transition.ts';
import type { AccountAlert } from './account-book.ts';
import type { Cause, ProviderView } from './cause.ts';

/** How an account fares, for what is computed over all accounts of a page: numbers alone. */
export interface Tally {
  phones: number;
  /** Lost so recently that it may be one event. */
  lost: number;
}

export function tallyOf({ phones, clock }: AccountSnapshot): Tally {
  const all = phones ?? [];
  return { phones: all.length, lost: all.filter(({ lost }) => isRecent(lost, clock)).length };
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
  const open = alerts.filter((alert) => alert.status === 'open' && alert.origin === 'phones');
  const groups = new Map(snapshot.groups.map((group) => [group.id, group]));
  const lostBy = Map.groupBy(lost, (phone) => phone.lost?.group);
  const widespread = isWidespread(snapshot, context);
  return open.flatMap((alert) => {
    const group = groups.get(alert.group);
    const mine = lostBy.get(alert.group) ?? [];
    if (group === undefined || mine.length === 0) return [];
    const draft = judge(alert, group, mine, snapshot, widespread, context);
    return draft === null ? [] : [{ alert, draft }];
  });
}

/** Whether what is still lost of a group is a mass loss by the account's settings. */
export function whatIsLeft(
  { phones }: AccountSnapshot,
  { registrations, sites }: AccountSettings,
): (group: string) => 'mass' | 'few' {
  const all = phones ?? [];
  return (group) => {
    const mine = all.filter(({ lost }) => lost?.group === group);
    const isPartOfMass = takeCensus(all, sites).massive(mine, registrations.mass);
    return mine.some(isPartOfMass) ? 'mass' : 'few';
  };
}

function judge(
  alert: AccountAlert,
  group: LossGroup,
  mine: readonly PhoneMemory[],
  snapshot: AccountSnapshot,
  widespread: boolean,
  context: OutageContext,
): OutageDraft | null {
  const { provider } = context;
  if (alert.explainedBy !== null) {
    const over = provider !== null && !provider.open.includes(alert.explainedBy);
    if (!over || !context.fresh) return null;
    alert.explainedBy = null;
    alert.residual = true;
    return {
      subject: 'registrations',
      kind: 'outage.residual',
      from: null,
      to: mine.length,
      details: detailsOf(group, mine, snapshot, context, null),
    };
  }
  const cause = provider?.causes.find((each) => each.alert.id !== alert.id && each.alert.id !== alert.cause) ?? null;
  if (cause !== null) {
    if (!alert.outage && !widespread) return null;
    alert.explainedBy = cause.alert.id;
    alert.cause = cause.alert.id;
    alert.suspected = true;
    return suspected(group, mine, snapshot, context, cause);
  }
  const scattered =
    group.mass &&
    group.domain.kind === ACCOUNT.kind &&
    takeCensus(snapshot.phones ?? [], context.settings.sites).sites(mine).length > 1;
  if (alert.suspected || !(scattered || widespread)) return null;
  alert.suspected = true;
  alert.outage = true;
  return suspected(group, mine, snapshot, context, null);
}

function suspected(
  group: LossGroup,
  mine: readonly PhoneMemory[],
  snapshot: AccountSnapshot,
  context: OutageContext,
  cause: Cause | null,
): OutageDraft {
  const details = detailsOf(group, mine, snapshot, context, cause);
  return { subject: 'registrations', kind: 'outage.suspected', from: null, to: mine.length, details };
}

/** Phones of several accounts are lost at once, and of all their phones together enough for a mass loss. */
function isWidespread(snapshot: AccountSnapshot, { neighbours, settings }: OutageContext): boolean {
  const own = tallyOf(snapshot);
  if (own.lost === 0 || !neighbours.some(({ lost }) => lost > 0)) return false;
  const phones = neighbours.reduce((sum, each) => sum + each.phones, own.phones);
  const lost = neighbours.reduce((sum, each) => sum + each.lost, own.lost);
  return isMass({ hit: lost, total: phones }, settings.registrations.mass);
}

function detailsOf(
  group: LossGroup,
  mine: readonly PhoneMemory[],
  snapshot: AccountSnapshot,
  context: OutageContext,
  cause: Cause | null,
): OutageDetails {
  const { provider, settings } = context;
  const census = takeCensus(snapshot.phones ?? [], settings.sites);
  const domain = group.mass ? group.domain : ACCOUNT;
  const { number = 0, id = '', title = '' } = cause?.alert ?? {};
  return {
    ...tellerOf(census, snapshot.extensions).phones(domain, mine, group.startedAt),
    page: provider === null || provider.state === null ? null : { source: provider.source, state: provider.state },
    admitted:
      cause === null
        ? null
        : { alert: id, number, title, minutes_later: Math.round((cause.openedAt - group.startedAt) / 60_000) },
  };
}

function isRecent(lost: PhoneMemory['lost'], clock: number): boolean {
  return lost !== null && clock - lost.at <= DRIP_MS;
}
