/**
 * The configuration as the rest of the house sees it: complete, typed, camelCase. All durations are milliseconds,
 * all directories and files absolute, names and matchers plain text, so that two of them can be compared on a reload.
 */
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import type { OfVendor } from '../core/transition/transition.ts';
import { type Route, routeTo } from '../core/alert/route.ts';
import { accountSchema, type AccountEntry } from './account-schema.ts';
import type { Media } from './media-rules.ts';
import type { Merged, PlacedEntry } from './merged.ts';
import { formatPath } from './problem.ts';
import { receiverSchema, type ReceiverConfig, type ReceiverEntry } from './receiver-schema.ts';
import {
  GROUP_WAIT,
  REPEAT_INTERVAL,
  routeSchema,
  type RootRouteSettings,
  type RouteSettings,
} from './route-schema.ts';
import { configSchema, STATE_DIR, type ConfigEntry } from './schema.ts';
import { statusPageSchema, type StatusPageEntry } from './status-page-schema.ts';

type Settings = ReturnType<typeof readSettings>;

/** What is written, and where it becomes something else here, what it becomes. */
export interface Config extends Omit<Settings, 'accounts' | 'receivers' | 'route'> {
  /** The main file. */
  file: string;
  instance: string;
  /** IANA name. */
  timezone: string;
  stateDir: string;
  credentialsDir: string;
  /** `listenWanted`: written in the configuration; a place nobody asked for is no reason not to start. */
  http: Settings['http'] & { listenWanted: boolean };
  accounts: AccountConfig[];
  receivers: ReceiverConfig[];
  digest: (NonNullable<Settings['digest']> & { timezone: string }) | null;
  /** Null only where nothing is to be sent. */
  route: Route | null;
}

export type StatusPageConfig = z.output<typeof statusPageSchema>;
export type AccountConfig = ReturnType<typeof resolveAccount>;

interface Defaults {
  hostname: string;
  systemTimezone: string;
  /** `$STATE_DIRECTORY`, which wins over the default; null outside systemd. */
  stateDirectory: string | null;
}

/** Takes what was found right: a mistake in it would throw. */
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
    digest: digest === null ? null : { ...digest, timezone: digest.timezone ?? timezone },
    route: settings.route === null ? null : rootOf(settings.route, merged, timezone),
  };
}

/** Where the daemon of a configuration is asked, and where it keeps what happened. */
export type DaemonPlace = Pick<Config, 'file' | 'instance' | 'timezone' | 'stateDir' | 'database'>;

/** The place of a configuration with mistakes, from those of its keys that are right. */
export function resolvePlace({ main, top }: Merged, defaults: Defaults): DaemonPlace {
  const { instance, timezone, state_dir, database } = top;
  const right = Object.entries({ instance, timezone, state_dir, database }).filter(([, value]) => value !== undefined);
  // A value that is right by its shape may still break a rule of its key.
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

/** What an entry says by itself, with the defaults of all that it leaves out. */
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

/** With the default of everything that is not written. */
export function resolveStatusPage(entry: StatusPageEntry): StatusPageConfig {
  return statusPageSchema.parse(entry);
}

/** `entry` with the defaults of the file already under it. Without a page named, it is the only one of the provider. */
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

/** Whose account it is, as people say it; null where there is nobody to mix it up with: only one account is watched, or it is no account. */
export function findCustomer({ accounts }: Pick<Config, 'accounts'>, source: string): string | null {
  const account = accounts.find(({ name }) => name === source);
  if (account === undefined || accounts.length < 2) return null;
  return readDisplayName(account);
}

/** The name by which messages call an account. */
export function readDisplayName({
  displayName,
  labels,
  name,
}: Pick<AccountConfig, 'displayName' | 'labels' | 'name'>): string {
  return displayName ?? labels['customer'] ?? name;
}

/** The account that messages call so, in any case of letters; undefined where several are called so. */
export function findAccount(accounts: readonly AccountConfig[], shown: string): AccountConfig | undefined {
  const [only, ...others] = accounts.filter((one) => readDisplayName(one).toLowerCase() === shown.toLowerCase());
  return others.length === 0 ? only : undefined;
}

/** The label `customer` of all accounts that have one, each once. */
export function listCustomers({ accounts }: Pick<Config, 'accounts'>): string[] {
  return [...new Set(accounts.flatMap(({ labels }) => labels['customer'] ?? []))];
}

/** Of the page of a vendor other than the provider, as everything says that comes of it. */
export function findVendor({ statusPages }: Pick<Config, 'statusPages'>, source: string): OfVendor {
  const page = statusPages.find(({ name }) => name === source);
  return page === undefined || page.type === 'provider' ? {} : { vendor: true };
}

type Inherited = Omit<Route, 'rule' | 'matchers' | 'continue' | 'routes'>;

const NOTHING_SAID: Inherited = {
  receivers: [],
  groupWait: GROUP_WAIT,
  urgentGroupWait: 0,
  repeatInterval: REPEAT_INTERVAL,
  minSeverity: null,
  events: null,
  quietHours: null,
};

/** A configuration's route that says nothing but to whom. */
export function createRoute(receivers: string[]): Route {
  return { ...routeTo(receivers), ...NOTHING_SAID, receivers };
}

/** Children from included files follow those of the main file. */
function rootOf(root: RootRouteSettings, { main, routes }: Merged, timezone: string): Route {
  // What the root says is the rule from which urgent matters are the exception; only a child speaks for them as well.
  const own = { ...inherit(root, NOTHING_SAID, timezone), urgentGroupWait: 0 };
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
    quietHours:
      quietHours === null
        ? parent.quietHours
        : {
            hours: { ranges: quietHours.during, except: [], timezone: quietHours.timezone ?? timezone },
            letThrough: quietHours.letThrough,
          },
  };
}

/** The names of all sources that are watched. */
export function listSourceNames({ statusPages, accounts }: Pick<Config, 'statusPages' | 'accounts'>): string[] {
  return [...statusPages, ...accounts].map(({ name }) => name);
}
