/** Settings of calls, spend and skillsets. Durations are milliseconds, money is in the currency's unit. */
import type { Hours } from '../text/hours.ts';

export interface SpendSettings {
  /** Null for no limit. */
  daily: number | null;
  monthly: number | null;
  currency: string;
  /** Charges to new destinations above this are critical at once. */
  alarm: number;
  hotline: string | null;
  /** Globs over the number as dialled nationally. */
  premium: readonly string[];
  /** Globs over the international number without `+`. */
  allow: readonly { to: string }[];
}

export interface SkillsetSettings {
  /** Name or id. */
  name: string;
  staffed: Hours;
  atLeast: number;
  forMs: number;
}

export interface CallSettings {
  missed: boolean;
  routes: boolean;
  keepMs: number;
  /** Country code without `+`. */
  country: string;
  billingTimezone: string | null;
  unreachableCauses: readonly string[];
  /** Null disables the checks of spend and fraud. */
  spend: SpendSettings | null;
  skillsets: readonly SkillsetSettings[];
  timezone: string;
}

/** Ten-thousandths of the currency. */
export const UNIT = 10_000;
