/** Settings of an account for the comparison. Durations are milliseconds. */
import type { CallSettings } from '../calls/call-settings.ts';
import type { Severity } from '../transition/kind.ts';
import type { Hours } from '../text/hours.ts';

export interface RegistrationSettings {
  /** `all`: every extension seen registered since the baseline. */
  extensions: 'all' | readonly string[];
  ignore: readonly string[];
  /** Hours when a missing phone matters; null for always. */
  watchDuring: Hours | null;
  offlineAfter: number;
  mass: MassSettings;
}

/** Minimum number and share of a site, model, firmware or the account. */
export interface MassSettings {
  count: number;
  percent: number;
}

export interface ToggleExpectation {
  /** Id or name. */
  toggle: string;
  hours: Hours;
  grace: number;
  severity: Severity;
}

export interface AccountSettings {
  registrations: RegistrationSettings;
  expectations: readonly ToggleExpectation[];
  /** Its name for people, if several accounts are watched. */
  customer: string | null;
  /** IANA name: zone of habits and daily digests. */
  timezone: string;
  /** External address to the name of a site. */
  sites: Readonly<Record<string, string>>;
  /** Absent if calls are not watched. */
  calls?: CallSettings;
  /** Ids, names or globs of components of its page that are unrelated to phones. */
  componentsWithoutPhones: readonly string[];
}
