/** Preview of a configuration: cost of sweeps, and alerts that reach no receiver. */
import type { AccountConfig, Config, StatusPageConfig } from './config.ts';
import { PACE } from '../core/observation/limits.ts';
import { isLoopback } from '../net/hosts.ts';
import { isPlainAddress } from './address.ts';
import { listUnits } from './shards.ts';
import { formatDuration } from '../core/text/duration.ts';
import { formatList } from '../core/text/plain.ts';
import { listReceiverRemarks } from './receiver-plan.ts';

/** Assumed numbers of components before the first sweep. */
const GUESSED_COMPONENTS = [100, 1_000] as const;
const GUESSED_ROUND_TRIP = 150;

interface SweepCost {
  components: number;
  requests: number;
  /** Milliseconds at the request limit. */
  takes: number;
}

export interface StatusPagePlan {
  name: string;
  interval: number;
  intervalDuringIncident: number;
  costs: SweepCost[];
  /** Most components a sweep can read within its interval; null if not even none. */
  mostComponents: number | null;
  mostComponentsDuringIncident: number | null;
}

interface Plan {
  statusPages: StatusPagePlan[];
  /** Remarks on valid but probably unintended settings. */
  remarks: string[];
}

/**
 * Cost of a sweep: lists of present and future notices, the page, and components, 25 per request. Each changed notice
 * costs one more, and the recent past one every 10 minutes.
 */
export function computeSweepCost(
  components: number,
  requestsPerSecond: number,
  roundTrip = GUESSED_ROUND_TRIP,
): SweepCost {
  const requests = 3 + Math.max(1, Math.ceil(components / PACE.statusRowsPerPage));
  return { components, requests, takes: Math.ceil(timeFor(requests, requestsPerSecond, roundTrip)) };
}

/** Each slot is free again one window after its response. */
function timeFor(requests: number, requestsPerSecond: number, roundTrip: number): number {
  const places = Math.max(1, Math.floor(requestsPerSecond));
  const held = (places / requestsPerSecond) * 1_005;
  return (Math.ceil(requests / places) - 1) * (roundTrip + held) + roundTrip;
}

/** Only for the provider's pages: other vendors are polled rarely. */
export function createPlan(config: Config): Plan {
  const own = config.statusPages.filter(({ type }) => type === 'provider');
  const statusPages = own.map(planStatusPage);
  const remarks = [
    ...statusPages.flatMap(remarkOnSweeps),
    ...own.flatMap(remarkOnPath),
    ...config.statusPages.filter((page) => page.type !== 'provider').flatMap(remarkOnVendorPage),
    ...config.statusPages.filter((page) => page.unreachableAfter < page.interval).map(remarkOnThreshold),
    ...config.accounts.flatMap(remarkOnAccount),
    ...remarkOnOrigins(config),
    ...remarkOnListening(config),
    ...remarkOnUsers(config),
    ...remarkOnShards(config),
    ...remarkOnPlainAddresses(config),
    ...listReceiverRemarks(config),
  ];
  return { statusPages, remarks };
}

/** Customers of a user that no account has: the user sees nothing of them. */
function remarkOnUsers({ http, accounts }: Config): string[] {
  const known = new Set(accounts.map(({ name, labels: { customer } }) => customer ?? name));
  return http.users.flatMap(({ name, customers }) => {
    const unknown = (customers ?? []).filter((customer) => !known.has(customer));
    if (unknown.length === 0) return [];
    return [
      `user ${name} of http.users: no account is of ${formatList(unknown, 5, ' or ')}; there are: ${formatList([...known], 10) || 'none'}`,
    ];
  });
}

function planStatusPage(page: StatusPageConfig): StatusPagePlan {
  const { name, interval, intervalDuringIncident, requestsPerSecond } = page;
  return {
    name,
    interval,
    intervalDuringIncident,
    costs: GUESSED_COMPONENTS.map((components) => computeSweepCost(components, requestsPerSecond)),
    mostComponents: mostWithin(interval, requestsPerSecond),
    mostComponentsDuringIncident: mostWithin(intervalDuringIncident, requestsPerSecond),
  };
}

function mostWithin(interval: number, requestsPerSecond: number): number | null {
  let pages = 0;
  // A day at 5 requests per second covers 432,000 pages.
  for (let step = 2 ** 19; step >= 1; step /= 2) {
    if (timeFor(3 + pages + step, requestsPerSecond, GUESSED_ROUND_TRIP) <= interval) pages += step;
  }
  return pages === 0 ? null : pages * PACE.statusRowsPerPage;
}

function remarkOnSweeps(page: StatusPagePlan): string[] {
  const remarks: string[] = [];
  const intervals = [
    { key: 'interval', interval: page.interval, most: page.mostComponents },
    { key: 'interval_during_incident', interval: page.intervalDuringIncident, most: page.mostComponentsDuringIncident },
  ];
  for (const { key, interval, most } of intervals) {
    const [smallest] = page.costs;
    if (smallest === undefined || (most !== null && most >= smallest.components)) continue;
    const kept = most === null ? 'cannot be kept at all' : `is kept up to ${most} components only`;
    remarks.push(
      `status page ${page.name}: ${key} ${formatDuration(interval)} ${kept} at its requests_per_second ` +
        `(a sweep is 3 requests and one per ${PACE.statusRowsPerPage} components); beyond that it runs as fast as the limit lets it`,
    );
  }
  return remarks;
}

/** An interface may have a path, but usually it is the address of the page for people. */
function remarkOnPath({ name, baseUrl }: StatusPageConfig): string[] {
  const { pathname } = new URL(baseUrl);
  if (pathname === '/') return [];
  return [
    `status page ${name}: its base_url has the path ${pathname}, so ${pathname}/api/v1/status is asked; ` +
      'leave the path out unless the provider names it',
  ];
}

function remarkOnVendorPage({ name, interval, requestsPerSecond }: StatusPageConfig): string[] {
  const shortest = 1_000 / requestsPerSecond;
  if (interval >= shortest) return [];
  return [
    `status page ${name}: interval ${formatDuration(interval)} cannot be kept: another vendor's page is asked once in ` +
      `${formatDuration(shortest)} (requests_per_second)`,
  ];
}

function remarkOnThreshold(page: StatusPageConfig): string {
  return (
    `status page ${page.name}: unreachable_after ${formatDuration(page.unreachableAfter)} is shorter than interval ` +
    `${formatDuration(page.interval)}; two failed sweeps in a row will be told`
  );
}

/** Requests per second of an account: registrations and toggles per interval, and occasionally extensions. */
function paceOf({ registrations, toggles }: AccountConfig): number {
  return 1_000 / registrations.interval + 1_000 / toggles.interval + 1_000 / PACE.extensionsEveryMs;
}

function remarkOnAccount(account: AccountConfig): string[] {
  const { name, requestsPerSecond, unreachableAfter, registrations, toggles } = account;
  const remarks: string[] = [];
  if (paceOf(account) > requestsPerSecond) {
    remarks.push(
      `account ${name}: its intervals ask for ${rate(paceOf(account))} requests a second, its requests_per_second ` +
        `is ${requestsPerSecond}; it is read as fast as the limit lets it`,
    );
  }
  const longest = Math.max(registrations.interval, toggles.interval);
  if (unreachableAfter < longest) {
    remarks.push(
      `account ${name}: unreachable_after ${formatDuration(unreachableAfter)} is shorter than interval ` +
        `${formatDuration(longest)}; two failed sweeps in a row will be told`,
    );
  }
  return remarks;
}

/** Accounts may each respect their limit and still exceed that of their shared origin. */
function remarkOnOrigins({ accounts, limits }: Config): string[] {
  const limit = limits.requestsPerSecondPerOrigin;
  return [...Map.groupBy(accounts, ({ baseUrl }) => new URL(baseUrl).origin)].flatMap(([origin, together]) => {
    const asked = together.reduce((sum, account) => sum + paceOf(account), 0);
    if (together.length < 2 || asked <= limit) return [];
    return [
      `${together.length} accounts behind ${origin} ask for ${rate(asked)} requests a second, ` +
        `limits.requests_per_second_per_origin is ${limit}; all are read as fast as that lets them, longer intervals would be kept`,
    ];
  });
}

function rate(perSecond: number): string {
  return perSecond.toFixed(2);
}

function remarkOnListening({ http: { listen, users, proxyUserHeader, externalUrl } }: Config): string[] {
  if (listen === null) return [];
  const isReadOnTheWay = !isLoopback(listen.host) && users.length > 0;
  const isClosed =
    externalUrl !== null &&
    !isLoopback(new URL(externalUrl).hostname) &&
    users.length === 0 &&
    proxyUserHeader === null;
  return [
    ...(isReadOnTheWay
      ? [
          `http.listen ${listen.host}: names and passwords can be read on the way, as the page speaks plain http; ` +
            'let it listen on 127.0.0.1 behind a proxy that speaks https',
        ]
      : []),
    ...(isClosed
      ? [
          `http.external_url ${externalUrl}: nobody can look at the page there; add http.users, or ` +
            'http.proxy_user_header for a proxy on this machine that names who looks',
        ]
      : []),
  ];
}

/** Plain http: anyone on the path can read and forge it. A heartbeat could be kept beating in our name. */
function remarkOnPlainAddresses({ heartbeat, receivers, database }: Config): string[] {
  const addresses = [
    ...(heartbeat === null ? [] : [{ what: 'heartbeat.url', url: heartbeat.url }]),
    ...receivers.flatMap((receiver) =>
      'url' in receiver ? [{ what: `receiver ${receiver.name}`, url: receiver.url }] : [],
    ),
  ];
  const plain = addresses.flatMap(({ what, url }) =>
    isPlainAddress(url) ? [`${what} is plain http to another machine: it can be read on the way; write https://`] : [],
  );
  const isRead = database !== null && URL.canParse(database.url) && isUnencrypted(new URL(database.url));
  const advice = 'database.url: what is kept can be read on the way to another machine; add ?sslmode=verify-full';
  return isRead ? [...plain, advice] : plain;
}

/** One member leads each shard; more shards than units leave some empty. */
function remarkOnShards(config: Config): string[] {
  const shards = config.database?.shards ?? 1;
  const units = listUnits(config);
  if (units.length >= shards || units.length === 0) return [];
  const parts = units.length === 1 ? 'one shard' : `${units.length} shards`;
  return [
    `database.shards is ${shards}, and there is only enough for ${parts}: what shares a page or an origin stays together`,
  ];
}

function isUnencrypted({ hostname, searchParams }: URL): boolean {
  return !isLoopback(hostname) && (searchParams.get('sslmode') ?? 'disable') === 'disable';
}
