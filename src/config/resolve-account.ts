/** From an account's entry, defaults of the file already under it, to its complete configuration. */
import { WITHOUT_PHONES } from '../alert/cause.ts';
import type { AccountEntry } from './account-schema.ts';
import { baseAddress } from './address.ts';

import type { AccountConfig, Expectation, StatusPageConfig } from './config.ts';
import { ms } from './duration.ts';
import { resolveRanges } from './resolve-range.ts';

const MINUTE = 60_000;

export function resolveAccount(
  entry: AccountEntry,
  pages: readonly StatusPageConfig[],
  timezone: string,
): AccountConfig {
  const { registrations, toggles } = entry;
  const [onlyPage, ...more] = pages;
  return {
    name: entry.name,
    baseUrl: baseAddress(entry.base_url ?? ''),
    apiKey: entry.api_key ?? '',
    statusPage: entry.status_page ?? (more.length === 0 ? (onlyPage?.name ?? null) : null),
    componentsWithoutPhones: entry.components_without_phones ?? [...WITHOUT_PHONES],
    displayName: entry.display_name ?? null,
    labels: { ...entry.labels },
    sites: { ...entry.sites },
    requestsPerSecond: entry.requests_per_second ?? 2,
    unreachableAfter: ms(entry.unreachable_after, 5 * MINUTE),
    registrations: {
      interval: ms(registrations?.interval, MINUTE),
      extensions: registrations?.extensions ?? 'all',
      ignore: registrations?.ignore ?? [],
      // An empty list says "never" as little as an absent one: whoever wants that leaves the account out.
      watchDuring:
        registrations?.watch_during === undefined || registrations.watch_during.length === 0
          ? null
          : resolveRanges(registrations.watch_during),
      offlineAfter: ms(registrations?.offline_after, 5 * MINUTE),
      mass: { count: registrations?.mass?.count ?? 3, percent: registrations?.mass?.percent ?? 30 },
    },
    toggles: {
      interval: ms(toggles?.interval, MINUTE),
      expect: (toggles?.expect ?? []).map((one): Expectation => ({
        toggle: one.toggle,
        onDuring: resolveRanges(one.on_during),
        except: (one.except ?? []).map(({ dates, on_during: onDuring }) => ({
          dates,
          onDuring: resolveRanges(onDuring),
        })),
        timezone: one.timezone ?? timezone,
        grace: ms(one.grace, 10 * MINUTE),
        severity: one.severity ?? 'warning',
      })),
    },
  };
}
