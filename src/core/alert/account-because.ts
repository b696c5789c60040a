/** What the alerts of an account are blamed on, from what is remembered of their losses and what the provider has open. */
import { ACCOUNT } from '../account/domain.ts';
import { type Census, takeCensus } from '../account/census.ts';
import type { AccountSnapshot, LossGroup } from '../account/account-snapshot.ts';
import type { Alert, Because } from './alert.ts';
import { findCauseByAlert, toForeignPage, type Cause, type ProviderView } from './cause.ts';
import { MINUTE } from '../text/duration.ts';
import type { Transition } from '../transition/transition.ts';

type Blameable = Alert & {
  group: string;
  explainedBy: string | null;
  suspected: boolean;
  confirmed?: true;
  widespreadAt?: number;
  scattered?: boolean;
  residual?: boolean;
  withoutResolve?: true;
  absorbedBy?: string;
};

/** Each alert of an account is blamed on what speaks for it now. */
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

/** Null where nothing is blamed, and once the alert is over. */
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

/** What the provider's trouble is called now; while that cannot be seen, what it was called last. */
function explained(alert: Blameable, provider: ProviderView | null): Because | null {
  const cause = findCauseByAlert(provider, alert.explainedBy);
  if (cause === null) return alert.because ?? null;
  const { number, title } = cause.alert;
  const later = isSure(alert, cause) ? computePublicationDelay(cause, alert) : null;
  return { kind: 'explained', number, title, minutes_later: later, ...toForeignPage(provider, cause) };
}

/** It was told that the provider's trouble explains the loss, and not that it may; older documents know it by the cause alone. */
function isSure({ confirmed, cause }: Pick<Blameable, 'confirmed' | 'cause'>, { alert }: Cause): boolean {
  return confirmed === true || cause === alert.id;
}

/** A mass loss with the trouble of the provider's that is open meanwhile; any other transition as it is. */
export function withCause(
  transition: Transition,
  alert: Pick<Blameable, 'confirmed' | 'cause' | 'explainedBy' | 'suspected' | 'widespreadAt'> | null,
  provider: ProviderView | null,
): Transition {
  if (transition.kind !== 'registration.mass' || alert === null) return transition;
  const cause = findCauseByAlert(provider, alert.explainedBy);
  if (cause === null) {
    // People were told that the provider is suspected: no later message sends them to a router.
    if (!alert.suspected) return transition;
    return { ...transition, details: { ...transition.details, suspected: true } };
  }
  const { id, number, title } = cause.alert;
  const later = isSure(alert, cause) ? { minutes_later: computePublicationDelay(cause, alert) } : {};
  const explained_by = { alert: id, number, title, url: cause.url, ...later, ...toForeignPage(provider, cause) };
  return { ...transition, details: { ...transition.details, explained_by } };
}

/** The page that the loss is, or was, put down to, where that is no page of the provider's. */
export function findBlamedPage(because: Because | undefined): { page?: string } {
  const isOfPage = because?.kind === 'explained' || because?.kind === 'residual';
  return isOfPage && because.page !== undefined ? { page: because.page } : {};
}

/** How what explained the loss ended: nothing where its page says that it is over. */
export function toEndingFields({ withoutResolve }: { withoutResolve?: true }): { without_resolve?: true } {
  return withoutResolve === true ? { without_resolve: true } : {};
}

/** How many minutes after the loss the trouble was published that explains it. */
export function computePublicationDelay(
  { openedAt }: Pick<Cause, 'openedAt'>,
  { widespreadAt = openedAt }: Pick<Blameable, 'widespreadAt'>,
): number {
  return Math.round((openedAt - widespreadAt) / MINUTE);
}

/** Null in a document that was written before the numbers were remembered. */
function named({ domain, why }: LossGroup, census: Census): Because | null {
  if (why === undefined) return null;
  const { kind, name, address } = domain;
  if (kind === 'account') return why.sites === undefined ? null : { kind, sites: why.sites };
  const { down, beside = [], elsewhere } = why;
  const all = beside.reduce((sum, other) => sum + other.down, down + elsewhere.down);
  const isPast = census.count(domain).lost !== down || census.count(ACCOUNT).lost !== all;
  return { kind: 'named', domain: { kind, name, address }, why, ...(isPast && { past: true }) };
}
