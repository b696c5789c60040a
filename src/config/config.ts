/**
 * The complete, typed configuration in camelCase. Durations are milliseconds, paths are absolute, names and matchers
 * are plain text, so that a reload can compare two configurations.
 */
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import type { OfVendor } from '../core/transition/transition.ts';
import { type Route, createRouteTo } from '../core/alert/route.ts';
import { accountSchema, type AccountEntry } from './schema/account-schema.ts';
import type { Media } from './presets/media-rules.ts';
import type { Merged, PlacedEntry } from './merged.ts';
import { formatPath } from './problem.ts';
import { receiverSchema, type ReceiverConfig, type ReceiverEntry } from './schema/receiver-schema.ts';
import {
  GROUP_WAIT,
  REPEAT_INTERVAL,
  routeSchema,
  type RootRouteSettings,
  type RouteSettings,
} from './schema/route-schema.ts';
import { configSchema, STATE_DIR, type ConfigEntry } from './schema/schema.ts';
import { statusPageSchema, type StatusPageEntry } from './schema/status-page-schema.ts';

type ReadSettings = ReturnType<typeof readSettings>;

/** Settings as written, except for those converted here. */
export interface Config extends Omit<ReadSettings, 'accounts' | 'receivers' | 'route' | 'rotas'> {
  /** The main file. */
  file: string;
  instance: string;
  /** IANA name. */
  timezone: string;
  stateDir: string;
  credentialsDir: string;
  /** `listenWanted`: configured explicitly; a failing default address does not prevent a start. */
  http: ReadSettings['http'] & { listenWanted: boolean };
  accounts: AccountConfig[];
  receivers: ReceiverConfig[];
  digest: (NonNullable<ReadSettings['digest']> & { timezone: string }) | null;
  /** Files by their absolute paths. */
  rotas: (Omit<ReadSettings['rotas'][number], 'timezone'> & { timezone: string })[];
  /** Null only if nothing is to be sent. */
  route: Route | null;
}

export type StatusPageConfig = z.output<typeof statusPageSchema>;
export type AccountConfig = ReturnType<typeof resolveAccount>;

interface Defaults {
  hostname: string;
  systemTimezone: string;
  /** `$STATE_DIRECTORY`, which overrides the default; null outside systemd. */
  stateDirectory: string | null;
}

/** Requires a valid configuration: throws on errors. */
export function resolveConfig(merged: Merged, defaults: Defaults, { presets }: Pick<Media, 'presets'>): Config {
  const { main, top } = merged;
  const settings = readSettings({
    ...top,
    status_pages: merged.statusPages.map(({ entry }) => entry),
    receivers: [],
  });
  const { digest, http } = settings;
  const place = placeOf(settings, main, defaults);
  const { timezone } = place;
  return {
    ...settings,
    ...place,
    credentialsDir: main.credentialsDir,
    http: { ...http, listenWanted: top.http?.listen !== undefined },
    accounts: merged.accounts.map(({ entry }) => resolveAccount(entry, settings.statusPages, timezone)),
    receivers: merged.receivers.map((placed) => resolveReceiver(placed, presets)),
    rotas: settings.rotas.map((rota) => ({
      ...rota,
      calendar: isAddress(rota.calendar) ? rota.calendar : resolve(dirname(main.path), rota.calendar),
      timezone: rota.timezone ?? timezone,
    })),
    digest: digest === null ? null : { ...digest, timezone: digest.timezone ?? timezone },
    route: settings.route === null ? null : rootOf(settings.route, merged, timezone),
  };
}

/** Address of the daemon, and location of its state. */
export type DaemonPlace = Pick<Config, 'file' | 'instance' | 'timezone' | 'stateDir' | 'database'>;

/** The place of an invalid configuration, from its valid keys. */
export function resolvePlace({ main, top }: Merged, defaults: Defaults): DaemonPlace {
  const { instance, timezone, state_dir, database } = top;
  const right = Object.entries({ instance, timezone, state_dir, database }).filter(([, value]) => value !== undefined);
  // A value of the right type may still violate a rule.
  const valid = right.filter(([key, value]) => configSchema.safeParse({ [key]: value }).success);
  return placeOf(readSettings(Object.fromEntries(valid)), main, defaults);
}

function placeOf(
  { instance, timezone, stateDir, database }: ReturnType<typeof readSettings>,
  main: Merged['main'],
  { hostname, systemTimezone, stateDirectory }: Defaults,
): DaemonPlace {
  const directory = dirname(main.path);
  return {
    file: main.path,
    instance: instance ?? hostname,
    timezone: timezone ?? systemTimezone,
    stateDir: stateDir === null ? (stateDirectory ?? resolve(directory, STATE_DIR)) : resolve(directory, stateDir),
    database,
  };
}

/** The entry completed by defaults. */
export function readSettings(entry: ConfigEntry) {
  const { include: _, accountDefaults: __, ...settings } = configSchema.parse(entry);
  return settings;
}

function resolveReceiver({ entry, file }: PlacedEntry<ReceiverEntry>, presets: Media['presets']): ReceiverConfig {
  const receiver = receiverSchema.parse(entry);
  if (receiver.type === 'http') {
    const preset = presets.get(entry);
    if (preset === undefined) throw new TypeError(`receiver ${receiver.name}: its preset was not read`);
    return { ...receiver, preset };
  }
  if (receiver.type !== 'email' || receiver.smtp.caFile === null) return receiver;
  return { ...receiver, smtp: { ...receiver.smtp, caFile: resolve(dirname(file.path), receiver.smtp.caFile) } };
}

/** Completed by defaults. */
export function resolveStatusPage(entry: StatusPageEntry): StatusPageConfig {
  return statusPageSchema.parse(entry);
}

/** `entry` is already merged with the file's defaults. Without `page`, the provider's only page is used. */
export function resolveAccount(entry: AccountEntry, pages: readonly StatusPageConfig[], timezone: string) {
  const account = accountSchema.parse(entry);
  const [onlyPage, ...more] = pages.filter(({ type }) => type === 'provider');
  const usual = more.length === 0 ? (onlyPage?.name ?? null) : null;
  const statusPage = account.statusPage ?? account.statusPages?.[0] ?? usual;
  const sites = Object.entries(account.sites);
  const expect = account.toggles.expect.map((one) => ({ ...one, timezone: one.timezone ?? timezone }));
  return {
    ...account,
    statusPage,
    statusPages: account.statusPages ?? (statusPage === null ? [] : [statusPage]),
    sites: Object.fromEntries(sites.map(([address, one]) => [address, typeof one === 'string' ? one : one.name])),
    sitePages: Object.fromEntries(
      sites.flatMap(([address, one]) => (typeof one === 'string' ? [] : [[address, one.statusPages]])),
    ),
    siteComponents: Object.fromEntries(
      sites.flatMap(([address, one]) =>
        typeof one === 'string' || one.components === null ? [] : [[address, one.components]],
      ),
    ),
    toggles: { ...account.toggles, expect },
  };
}

/** The customer of an account; null if there is only one account, or for a page. */
export function findCustomer({ accounts }: Pick<Config, 'accounts'>, source: string): string | null {
  const account = accounts.find(({ name }) => name === source);
  return account === undefined ? null : readCustomer(account, accounts);
}

/** Null if there is only one account. */
export function readCustomer(account: AccountConfig, accounts: readonly AccountConfig[]): string | null {
  return accounts.length < 2 ? null : readDisplayName(account);
}

/** Name of an account for people; null for a page. */
export function findDisplayName({ accounts }: Pick<Config, 'accounts'>, source: string): string | null {
  const account = accounts.find(({ name }) => name === source);
  return account === undefined ? null : readDisplayName(account);
}

/** The account's name in messages. */
export function readDisplayName({
  displayName,
  labels,
  name,
}: Pick<AccountConfig, 'displayName' | 'labels' | 'name'>): string {
  return displayName ?? labels['customer'] ?? name;
}

/** Finds an account by display name, ignoring case; undefined if it is ambiguous. */
export function findAccount(accounts: readonly AccountConfig[], shown: string): AccountConfig | undefined {
  const [only, ...others] = accounts.filter((one) => readDisplayName(one).toLowerCase() === shown.toLowerCase());
  return others.length === 0 ? only : undefined;
}

/** Distinct values of the label `customer`. */
export function listCustomers({ accounts }: Pick<Config, 'accounts'>): string[] {
  return [...new Set(accounts.flatMap(({ labels }) => labels['customer'] ?? []))];
}

/** The vendor flag for a page of another vendor. */
export function findVendor({ statusPages }: Pick<Config, 'statusPages'>, source: string): OfVendor {
  const page = statusPages.find(({ name }) => name === source);
  return page === undefined || page.type === 'provider' ? {} : { vendor: true };
}

type Inherited = Omit<Route, 'rule' | 'matchers' | 'continue' | 'routes'>;

const ROUTE_DEFAULTS: Inherited = {
  receivers: [],
  groupWait: GROUP_WAIT,
  urgentGroupWait: 0,
  repeatInterval: REPEAT_INTERVAL,
  minSeverity: null,
  events: null,
  quietHours: null,
  escalate: [],
};

/** A route with receivers only. */
export function createRoute(receivers: string[]): Route {
  return { ...createRouteTo(receivers), ...ROUTE_DEFAULTS, receivers };
}

/** Children from included files follow those of the main file. */
function rootOf(root: RootRouteSettings, { main, routes }: Merged, timezone: string): Route {
  // Urgent alerts ignore the group wait of the root; that of a child route applies to them as well.
  const own = { ...inherit(root, ROUTE_DEFAULTS, timezone), urgentGroupWait: 0 };
  const children = routes.map(({ entry, file, path }) => {
    const rule = formatPath(path);
    return childOf(routeSchema.parse(entry), own, timezone, file === main ? rule : `${file.shown}: ${rule}`);
  });
  return { rule: 'route', matchers: {}, ...own, continue: false, routes: children };
}

function childOf(route: RouteSettings, parent: Inherited, timezone: string, rule: string): Route {
  const own = inherit(route, parent, timezone);
  const routes = route.routes.map((child, index) => childOf(child, own, timezone, `${rule}.routes[${index}]`));
  return { rule, matchers: route.matchers, ...own, continue: route.continue, routes };
}

function inherit(route: Omit<RootRouteSettings, 'routes'>, parent: Inherited, timezone: string): Inherited {
  const { quietHours } = route;
  return {
    receivers: route.receivers ?? parent.receivers,
    groupWait: route.groupWait ?? parent.groupWait,
    urgentGroupWait: route.groupWait ?? parent.urgentGroupWait,
    repeatInterval: (route.repeatInterval ?? parent.repeatInterval) || null,
    minSeverity: route.minSeverity ?? parent.minSeverity,
    events: route.events ?? parent.events,
    escalate: route.escalate ?? parent.escalate,
    quietHours:
      quietHours === null
        ? parent.quietHours
        : {
            hours: { ranges: quietHours.during, except: [], timezone: quietHours.timezone ?? timezone },
            letThrough: quietHours.letThrough,
          },
  };
}

/** An address, not a path. */
export function isAddress(calendar: string): boolean {
  return /^(https?|webcal):\/\//i.test(calendar);
}

/** Names of all watched sources. */
export function listSourceNames({ statusPages, accounts }: Pick<Config, 'statusPages' | 'accounts'>): string[] {
  return [...statusPages, ...accounts].map(({ name }) => name);
}
