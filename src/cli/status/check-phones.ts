/** Severity of an account's missing phones for `linewatch check`. */
import type { AccountConfig, Config } from '../../config/config.ts';
import type { PhoneMemory } from '../../core/account/account-snapshot.ts';
import { takeCensus } from '../../core/account/census.ts';
import { toSiteNames, type Names } from '../../core/alert/affected.ts';
import { createFacts } from '../../core/alert/matchers.ts';
import { findCoveringOverride } from '../../core/alert/severity.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import { isWithin } from '../../core/text/hours.ts';
import { type Severity, findWorst } from '../../core/transition/kind.ts';
import { isMissing } from '../../core/view/standing/account-standing.ts';
import { toWatchedAccount } from '../../daemon/setup/assemble.ts';

/**
 * The worst severity, of each phone alone and of a mass loss as one, as the daemon would assign it; info if no phone is
 * missing that matters at this hour. `now` in epoch milliseconds.
 */
export function judgeMissingPhones(
  { snapshot }: AccountState,
  account: AccountConfig,
  config: Config,
  now: number,
): Severity {
  const { settings, labels } = toWatchedAccount(account, config);
  const { watchDuring, mass } = settings.registrations;
  const matters = watchDuring === null || isWithin(watchDuring, now);
  const phones = snapshot.phones ?? [];
  const missing = phones.filter((phone) => phone.lost !== null || (matters && isMissing(phone)));
  const census = takeCensus(phones, settings.sites);
  const isOfMass = census.massive(missing, mass);

  function namesOfItsSite(phone: PhoneMemory): Names {
    const site = census.siteOf(phone);
    return toSiteNames(site?.name ?? null, site?.address ?? null);
  }

  function judged(kind: 'registration.mass' | 'registration.lost', some: readonly PhoneMemory[]): Severity {
    const severity = kind === 'registration.mass' ? 'critical' : 'warning';
    const facts = createFacts([
      ...Object.entries(labels).map(([key, value]) => [key, [[value]]] as const),
      ['severity', [[severity]]],
      ['source', [[account.name]]],
      ['kind', [[kind]]],
      ['extension', some.map(({ extension }) => [extension])],
      ['site', some.map(namesOfItsSite)],
    ]);
    return findCoveringOverride(config.severityOverrides, facts) ?? severity;
  }

  const many = missing.filter(isOfMass);
  const few = missing.filter((phone) => !isOfMass(phone));
  return findWorst([
    ...(many.length === 0 ? [] : [{ severity: judged('registration.mass', many) }]),
    ...few.map((phone) => ({ severity: judged('registration.lost', [phone]) })),
  ]);
}
