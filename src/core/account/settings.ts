/** What the configuration says of an account, as far as comparing goes. Durations are milliseconds. */
import type { CallSettings } from '../calls/call-settings.ts';
import type { Severity } from '../transition/kind.ts';
import type { Hours } from '../text/hours.ts';

export interface RegistrationSettings {
  /** `all`: every one seen registered since the baseline. */
  extensions: 'all' | readonly string[];
  ignore: readonly string[];
  /** When a missing phone matters; null for always. */
  watchDuring: Hours | null;
  offlineAfter: number;
  mass: MassSettings;
}

/** At least so many phones and at least this share of a site, a model or firmware, or the account. */
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
  /** What people call it, where more than one account is watched. */
  customer: string | null;
  /** IANA name: of the hours at which phones log off, and of daily digests. */
  timezone: string;
  /** External address to the name of a site. */
  sites: Readonly<Record<string, string>>;
  /** Absent where calls are not watched. */
  calls?: CallSettings;
  /** Ids, names or globs of components of its page that have nothing to do with phones. */
  componentsWithoutPhones: readonly string[];
}
