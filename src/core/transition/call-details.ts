/** Details of transitions about calls: the shapes that leave the house. Numbers are in them as reported, until they are masked. */
import type { Timestamp } from './details.ts';
import type { Severity } from './kind.ts';

interface OfCountry {
  /** Country code of the account, without `+`: numbers are read and shown by it. */
  country: string;
}

export interface CallerDetails {
  number: string;
  times: Timestamp[];
  called: string[];
  left_message: boolean;
  called_back: boolean;
}

export interface MissedDetails extends OfCountry {
  since: Timestamp;
  until: Timestamp;
  /** The first of those who were not answered since; `more` are not listed. */
  callers: CallerDetails[];
  more: number;
  /** Number of missed callers, including those answered later. */
  total: number;
  waiting: number;
  called_back: number;
  messages: number;
  /** Missed calls from withheld numbers. */
  withheld: number;
  /** Missed calls that rang for less than five seconds. */
  misdialled: number;
  /** Fewest and most calls at this time in the four weeks before; null where they are not known. */
  usual: { least: number; most: number } | null;
  /** The switch that was on or off by mistake, and how it was. */
  toggle?: { name: string; on: boolean };
}

interface WithSeverity {
  severity: Severity;
}

/** A report of calls in which no call has come for hours that always had some. */
export interface StaleDetails {
  report: 'missed' | 'answered' | 'outgoing';
  /** End of its last call; null if it has none. */
  since: Timestamp | null;
}

export interface SpendDetails extends WithSeverity {
  period: 'day' | 'month';
  /** `2026-11-26` or `2026-11`. */
  of: string;
  currency: string;
  spent: number;
  limit: number;
  as_of: Timestamp;
  /** Least and most of the same weekday; null for a month, and where it is not known. */
  usual: { least: number; most: number } | null;
}

export interface ForecastDetails {
  month: string;
  currency: string;
  low: number;
  high: number;
  spent: number;
  limit: number;
}

export interface FraudDetails extends WithSeverity, OfCountry {
  rules: { rule: string; severity: Severity }[];
  calls: number;
  since: Timestamp;
  last: Timestamp;
  /** Countries, the most called first; `code` null for premium numbers. */
  destinations: { code: string | null; calls: number; never_called: boolean }[];
  numbers: { number: string; calls: number }[];
  /** Numbers that were shown; `extension` where it is certain, else how many use the number; null where unknown. */
  from: {
    number: string;
    calls: number;
    extension: string | null;
    extension_id: string | null;
    used_by: number | null;
  }[];
  billed: number;
  currency: string;
  /** Networks and devices that were new within a day before. */
  new: { extension: string; kind: 'network' | 'device'; value: string; at: Timestamp }[];
  hotline: string | null;
}

export interface RouteDetails extends WithSeverity, OfCountry {
  /** The number that is called, with dialplan and condition. */
  number: string;
  dialplan: string;
  condition: string;
  since: Timestamp | null;
  callers: number;
  /** All its extensions are offline, and no call has come yet. */
  foreseen?: true;
  extensions: string[];
}

export interface AgentsDetails extends WithSeverity {
  skillset: string;
  since: Timestamp;
  available: number;
  wanted: number;
  /** Agents who are Available on phones that are not registered. */
  unregistered: { extension: string; name: string }[];
  /** Callers who waited for it and gave up; null where that is not read. */
  gave_up: number | null;
}
