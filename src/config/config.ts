/**
 * The configuration as the rest of the house sees it: complete, typed, camelCase. All durations are milliseconds,
 * all directories and files absolute, names and matchers plain text, so that two of them can be compared on a reload.
 */
import type { Severity } from '../transition/kind.ts';
import type { HostPort } from './address.ts';
import type { SMTP_SECURITIES } from './receiver-schema.ts';
import type { CalendarRange } from './calendar-range.ts';
import type { ROUTE_EVENTS } from './route-schema.ts';
import type { LOG_FORMATS, LOG_LEVELS } from './schema.ts';

export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];
export type RouteEvent = (typeof ROUTE_EVENTS)[number];

export interface Config {
  /** The main file. */
  file: string;
  instance: string;
  /** IANA name. */
  timezone: string;
  stateDir: string;
  credentialsDir: string;
  /** `listen` is null for none; links in messages need an `externalUrl`, without a slash at its end. */
  http: {
    listen: HostPort | null;
    /** Written in the configuration: a place nobody asked for is no reason not to start. */
    listenWanted: boolean;
    /** Whether silences may be made and ended there, while it listens on a loopback address. */
    silences: boolean;
    externalUrl: string | null;
  };
  log: { level: LogLevel; format: LogFormat };
  limits: { requestsPerSecondPerOrigin: number };
  statusPages: StatusPageConfig[];
  accounts: AccountConfig[];
  receivers: ReceiverConfig[];
  /** Once a day at a local time (`08:00`), on these days (1 Monday to 7 Sunday). */
  digest: { at: string; days: number[]; timezone: string } | null;
  /** The address is secret. */
  heartbeat: { url: string } | null;
  /** Null only where nothing is to be sent. */
  route: RouteConfig | null;
  /** The first that matches decides. */
  severityOverrides: SeverityOverride[];
}

export interface StatusPageConfig {
  name: string;
  /** Without a slash at its end. */
  baseUrl: string;
  interval: number;
  intervalDuringIncident: number;
  requestsPerSecond: number;
  unreachableAfter: number;
  /** Longest first. */
  maintenanceReminders: number[];
  maintenanceGrace: number;
  /** Ids, names or globs; an empty `include` is all. */
  components: { include: string[]; exclude: string[] };
}

export interface AccountConfig {
  name: string;
  baseUrl: string;
  apiKey: string;
  /** Null where there is none, or several and none is named. */
  statusPage: string | null;
  /** Ids, names or globs of components of that page. */
  componentsWithoutPhones: string[];
  /** What messages call it; null where nothing is said. */
  displayName: string | null;
  labels: Record<string, string>;
  /** External address to the name of a site. */
  sites: Record<string, string>;
  requestsPerSecond: number;
  unreachableAfter: number;
  registrations: {
    interval: number;
    extensions: 'all' | string[];
    ignore: string[];
    /** Null for always. */
    watchDuring: CalendarRange[] | null;
    offlineAfter: number;
    mass: { count: number; percent: number };
  };
  toggles: { interval: number; expect: Expectation[] };
}

export interface Expectation {
  /** Id or name. */
  toggle: string;
  onDuring: CalendarRange[];
  /** Dates as `2026-12-25`. */
  except: { dates: string[]; onDuring: CalendarRange[] }[];
  timezone: string;
  grace: number;
  severity: Severity;
}

export interface SlackConfig {
  name: string;
  type: 'slack';
  webhookUrl: string;
}

export interface EmailConfig {
  name: string;
  type: 'email';
  smtp: {
    host: string;
    port: number;
    security: (typeof SMTP_SECURITIES)[number];
    /** Both or neither. */
    username: string | null;
    password: string | null;
    /** Certificates to trust in place of the usual ones. */
    caFile: string | null;
  };
  from: string;
  to: string[];
}

export interface WebhookConfig {
  name: string;
  type: 'webhook';
  url: string;
  /** Signs what is sent. */
  secret: string | null;
}

export interface PagerdutyConfig {
  name: string;
  type: 'pagerduty';
  routingKey: string;
  url: string;
}

export type ReceiverConfig = SlackConfig | EmailConfig | WebhookConfig | PagerdutyConfig;

/** Key to values: every key has to match, any of its values may; values may be globs. */
export type Matchers = Record<string, string[]>;

/** One route, with what it inherits filled in. */
export interface RouteConfig {
  /** How the operator finds it: `route`, `route.routes[0]`, `accounts.d/a.yaml: route.routes[0]`. */
  rule: string;
  matchers: Matchers;
  receivers: string[];
  groupWait: number;
  /** For notices of the provider and whatever is critical: 0 unless a route below the root says otherwise. */
  urgentGroupWait: number;
  /** Null for never. */
  repeatInterval: number | null;
  /** Null for every severity. */
  minSeverity: Severity | null;
  /** Null for all. */
  events: RouteEvent[] | null;
  /** Messages for people wait for the end of these hours, but those let through (null: none). */
  quietHours: { hours: QuietRanges; letThrough: Severity | null } | null;
  continue: boolean;
  routes: RouteConfig[];
}

export interface QuietRanges {
  ranges: CalendarRange[];
  except: { dates: string[]; ranges: CalendarRange[] }[];
  timezone: string;
}

export interface SeverityOverride {
  rule: string;
  matchers: Matchers;
  severity: Severity;
}
