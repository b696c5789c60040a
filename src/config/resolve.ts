/** From checked entries to the complete configuration: defaults, milliseconds, absolute paths. */
import { dirname, resolve } from 'node:path';
import { baseAddress, parseListen } from './address.ts';
import { WEEKDAYS } from './calendar-range.ts';
import type { Config, ReceiverConfig, StatusPageConfig } from './config.ts';
import { ms } from './duration.ts';
import { asList } from './fields.ts';
import type { Merged, Placed } from './merged.ts';
import type { ReceiverEntry } from './receiver-schema.ts';
import { resolveAccount } from './resolve-account.ts';
import { resolveOverrides, resolveRoute } from './resolve-route.ts';
import { MOST_STATUS_REQUESTS } from './status-page-schema.ts';
import type { StatusPageEntry } from './status-page-schema.ts';

export interface Defaults {
  hostname: string;
  systemTimezone: string;
  /** `$STATE_DIRECTORY`, which wins over the default; null outside systemd. */
  stateDirectory: string | null;
}

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

export function resolveConfig(merged: Merged, defaults: Defaults): Config {
  const { main, top } = merged;
  const directory = dirname(main.path);
  const timezone = top.timezone ?? defaults.systemTimezone;
  const pages = merged.statusPages.map(({ entry }) => resolveStatusPage(entry));
  const listen = top.http?.listen ?? '127.0.0.1:8469';
  return {
    file: main.path,
    instance: top.instance ?? defaults.hostname,
    timezone,
    stateDir:
      top.state_dir === undefined
        ? (defaults.stateDirectory ?? resolve(directory, 'state'))
        : resolve(directory, top.state_dir),
    credentialsDir: main.credentialsDir,
    http: {
      listen: parseListen(listen),
      listenWanted: top.http?.listen !== undefined,
      silences: top.http?.silences ?? false,
      externalUrl: top.http?.external_url === undefined ? null : baseAddress(top.http.external_url),
    },
    log: { level: top.log?.level ?? 'info', format: top.log?.format ?? 'auto' },
    limits: { requestsPerSecondPerOrigin: top.limits?.requests_per_second_per_origin ?? 10 },
    statusPages: pages,
    accounts: merged.accounts.map(({ entry }) => resolveAccount(entry, pages, timezone)),
    receivers: merged.receivers.map(resolveReceiver),
    route: resolveRoute(merged, timezone),
    digest:
      top.digest === undefined
        ? null
        : { at: top.digest.at, days: daysOf(top.digest.days), timezone: top.digest.timezone ?? timezone },
    heartbeat: top.heartbeat === undefined ? null : { url: top.heartbeat.url },
    severityOverrides: resolveOverrides(top.severity_overrides ?? []),
  };
}

export function resolveStatusPage(entry: StatusPageEntry): StatusPageConfig {
  const interval = ms(entry.interval, 30 * SECOND);
  return {
    name: entry.name,
    baseUrl: baseAddress(entry.base_url),
    interval,
    // Whoever asks for a shorter interval than ours during an incident means it during an incident, too.
    intervalDuringIncident: ms(entry.interval_during_incident, Math.min(interval, 10 * SECOND)),
    requestsPerSecond: entry.requests_per_second ?? MOST_STATUS_REQUESTS,
    unreachableAfter: ms(entry.unreachable_after, 3 * MINUTE),
    maintenanceReminders: reminders(entry.maintenance_reminders ?? ['24h', '1h']),
    maintenanceGrace: ms(entry.maintenance_grace, 15 * MINUTE),
    components: { include: entry.components?.include ?? [], exclude: entry.components?.exclude ?? [] },
  };
}

function reminders(texts: readonly string[]): number[] {
  return [...new Set(texts.map((text) => ms(text, HOUR)))].toSorted((a, b) => b - a);
}

const PAGERDUTY = 'https://events.pagerduty.com/v2/enqueue';
const PORTS = { starttls: 587, tls: 465, none: 25 } as const;

function resolveReceiver({ entry, file }: Placed<ReceiverEntry>): ReceiverConfig {
  const { name } = entry;
  if (entry.type === 'slack') return { name, type: 'slack', webhookUrl: entry.webhook_url };
  if (entry.type === 'webhook') return { name, type: 'webhook', url: entry.url, secret: entry.secret ?? null };
  if (entry.type === 'pagerduty') {
    return { name, type: 'pagerduty', routingKey: entry.routing_key, url: entry.url ?? PAGERDUTY };
  }
  const { host, port, security = 'starttls', username = null, password = null, ca_file: caFile } = entry.smtp;
  const smtp = {
    host,
    port: port ?? PORTS[security],
    security,
    username,
    password,
    caFile: caFile === undefined ? null : resolve(dirname(file.path), caFile),
  };
  return { name, type: 'email', smtp, from: entry.from, to: asList<string>(entry.to) };
}

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** 1 Monday to 7 Sunday. */
function daysOf(names: readonly (typeof WEEKDAYS)[number][] | undefined): number[] {
  return names === undefined ? EVERY_DAY : names.map((name) => WEEKDAYS.indexOf(name) + 1);
}
