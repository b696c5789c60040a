/** Causes of an account's alerts, derived from remembered losses and open alerts of the provider. */
import { ACCOUNT } from '../account/domain.ts';
import { type Census, takeCensus } from '../account/census.ts';
import type { AccountSnapshot, LossGroup } from '../account/account-snapshot.ts';
import type { Alert, Because } from '../alert/alert.ts';
import type { AccountAlert } from './account-alert.ts';
import { findCauseByAlert, toCauseFields, type Cause, type ProviderView } from './cause.ts';
import { MINUTE } from '../text/duration.ts';
import type { CauseDetails } from '../transition/details.ts';
import type { Transition } from '../transition/transition.ts';

type Blameable = Alert &
  Pick<
    AccountAlert,
    | 'group'
    | 'explainedBy'
    | 'suspected'
    | 'confirmed'
    | 'widespreadAt'
    | 'scattered'
    | 'residual'
    | 'withoutResolve'
    | 'absorbedBy'
  >;

/** Assigns each alert the cause that the evidence supports now. */
export function assignCauses(
  alerts: readonly Blameable[],
  { snapshot, sites }: { snapshot: AccountSnapshot; sites: Readonly<Record<string, string>> },
  provider: ProviderView | null,
): void {
  const becauseOf = becauses(snapshot, sites, provider);
  for (const alert of alerts) {
    const because = becauseOf(alert);
    if (because === null) delete alert.because;
    else alert.because = because;
  }
}

/** Null for an alert without a known cause, and once it is over. */
function becauses(
  { phones, groups }: Pick<AccountSnapshot, 'phones' | 'groups'>,
  sites: Readonly<Record<string, string>>,
  provider: ProviderView | null,
): (alert: Blameable) => Because | null {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const census = takeCensus(phones ?? [], sites);
  return (alert) => {
    const { status, family, absorbedBy, explainedBy, residual, suspected, scattered = false, because } = alert;
    const group = byId.get(alert.group);
    if (status !== 'open' || family !== 'phones' || absorbedBy !== undefined || group === undefined) return null;
    if (explainedBy !== null) return explained(alert, provider);
    if (residual === true) return { kind: 'residual', ...findBlamedPage(because), ...toEndingFields(alert) };
    if (suspected) return { kind: 'suspected', scattered };
    return group.mass ? named(group, census) : null;
  };
}

/** Names the provider's alert by its current title; by the last one while the page cannot be read. */
function explained(alert: Blameable, provider: ProviderView | null): Because | null {
  const cause = findCauseByAlert(provider, alert.explainedBy);
  if (cause === null) return alert.because ?? null;
  const { number, title } = cause.alert;
  const later = isSure(alert, cause) ? computePublicationDelay(cause, alert) : null;
  return { kind: 'explained', number, title, minutes_later: later, ...toCauseFields(provider, cause) };
}

/** Whether a message said that the notice explains the loss, not only that it may. Older documents have the cause only. */
function isSure({ confirmed, cause }: Pick<Blameable, 'confirmed' | 'cause'>, { alert }: Cause): boolean {
  return confirmed === true || cause === alert.id;
}

/** Adds the provider's open alert that explains a loss, else planned work beside it; any other transition is unchanged. */
export function withCause(
  transition: Transition,
  alert: Pick<Blameable, 'confirmed' | 'cause' | 'explainedBy' | 'suspected' | 'widespreadAt'> | null,
  provider: ProviderView | null,
): Transition {
  if (alert === null) return transition;
  const cause = findCauseByAlert(provider, alert.explainedBy);
  if (transition.kind === 'registration.lost' && cause === null) {
    return { ...transition, details: { ...transition.details, ...findWork(provider) } };
  }
  if (transition.kind !== 'registration.mass') return transition;
  const { details } = transition;
  if (cause === null) {
    // A message has named the provider as the suspect: later ones do not send people to a router.
    const suspected = alert.suspected ? { suspected: true as const } : {};
    return { ...transition, details: { ...details, ...suspected, ...findWork(provider) } };
  }
  const later = isSure(alert, cause) ? { minutes_later: computePublicationDelay(cause, alert) } : {};
  return { ...transition, details: { ...details, explained_by: { ...toCauseDetails(provider, cause), ...later } } };
}

/** Planned work with phones that is under way; empty for none. */
function findWork(provider: ProviderView | null): { work?: CauseDetails } {
  const work = provider?.causes.find(({ isPlanned }) => isPlanned === true);
  return work === undefined ? {} : { work: toCauseDetails(provider, work) };
}

function toCauseDetails(provider: ProviderView | null, cause: Cause): CauseDetails {
  const { id, number, title } = cause.alert;
  return { alert: id, number, title, url: cause.url, ...toCauseFields(provider, cause) };
}

/** Page of another vendor that explains, or explained, the loss. */
export function findBlamedPage(because: Because | undefined): { page?: string } {
  const isOfPage = because?.kind === 'explained' || because?.kind === 'residual';
  return isOfPage && because.page !== undefined ? { page: because.page } : {};
}

/** Fields for a cause that disappeared unresolved; none for one that was resolved. */
export function toEndingFields({ withoutResolve }: { withoutResolve?: true }): { without_resolve?: true } {
  return withoutResolve === true ? { without_resolve: true } : {};
}

/** Minutes from the loss to the publication of the notice that explains it. */
export function computePublicationDelay(
  { openedAt }: Pick<Cause, 'openedAt'>,
  { widespreadAt = openedAt }: Pick<Blameable, 'widespreadAt'>,
): number {
  return Math.round((openedAt - widespreadAt) / MINUTE);
}

/** Null in older documents, which lack the numbers. */
function named({ domain, why }: LossGroup, census: Census): Because | null {
  if (why === undefined) return null;
  const { kind, name, address } = domain;
  if (kind === 'account') return why.sites === undefined ? null : { kind, sites: why.sites };
  const { down, beside = [], elsewhere } = why;
  const all = beside.reduce((sum, other) => sum + other.down, down + elsewhere.down);
  const isPast = census.count(domain).lost !== down || census.count(ACCOUNT).lost !== all;
  return { kind: 'named', domain: { kind, name, address }, why, ...(isPast && { past: true }) };
}
