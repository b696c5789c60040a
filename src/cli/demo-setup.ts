/** What the demonstration watches and whom it tells. */
import { basename } from 'node:path';
import type { AccountConfig, Config, StatusPageConfig } from '../config/config.ts';
import { routeTo } from '../core/alert/route.ts';
import { briefer, type Receiver } from '../receivers/receiver.ts';
import { mailCopy, saveCopies, slackCopy, type CopyOf } from '../receivers/saved-messages.ts';
import { createReceiver } from '../receivers/create.ts';
import type { Platform } from './platform.ts';
import { DAY, SECOND } from '../core/text/duration.ts';

/** The pages of the story: the provider's, and that of the carrier by which one site reaches it. */
export const PAGE = 'provider';
export const CARRIER = 'yarra-fibre';
/** The external address of the site that its carrier cuts off. */
const CUT_OFF = '192.0.2.65';
const FROM = 'Linewatch <linewatch@example.com>';
const TO = ['you@example.com'];

export interface DemoPlace {
  statusUrl: string;
  carrierUrl: string;
  accountUrl: string;
  token: string;
  stateDir: string;
  timezone: string;
}

export function demoConfig(given: DemoPlace): Config {
  return {
    file: 'demo',
    instance: 'demo',
    timezone: given.timezone,
    stateDir: given.stateDir,
    credentialsDir: given.stateDir,
    http: {
      listen: { host: '127.0.0.1', port: 0 },
      listenWanted: true,
      silences: true,
      metricsByPhone: false,
      users: [],
      proxyUserHeader: null,
      mayChange: [],
      externalUrl: null,
    },
    log: { level: 'error', format: 'auto' },
    contact: null,
    limits: { requestsPerSecondPerOrigin: 10 },
    statusPages: [demoPage(PAGE, 'provider', given.statusUrl), demoPage(CARRIER, 'statuspage', given.carrierUrl)],
    digest: null,
    heartbeat: null,
    history: { keep: DAY },
    database: null,
    report: { monthly: [] },
    accounts: [demoAccount(given)],
    receivers: [],
    route: routeTo(['terminal', 'slack', 'mail']),
    severityOverrides: [],
  };
}

function demoPage(name: string, type: StatusPageConfig['type'], baseUrl: string): StatusPageConfig {
  return {
    name,
    type,
    baseUrl,
    interval: SECOND,
    intervalDuringIncident: SECOND,
    // Both are on this machine.
    requestsPerSecond: 5,
    unreachableAfter: 3 * SECOND,
    maintenanceReminders: [],
    maintenanceGrace: 900 * SECOND,
    missingAfter: 900 * SECOND,
    acceptNewPage: false,
    components: { include: [], exclude: [] },
  };
}

/** The account of the story: most of its phones are lost, and its night service is left on. */
function demoAccount({ accountUrl, token, timezone }: DemoPlace): AccountConfig {
  return {
    name: 'head-office',
    baseUrl: accountUrl,
    apiKey: token,
    statusPage: PAGE,
    statusPages: [PAGE],
    sitePages: { [CUT_OFF]: [CARRIER] },
    componentsWithoutPhones: [],
    displayName: null,
    labels: {},
    sites: { '203.0.113.7': 'Richmond', '198.51.100.24': 'Parramatta', [CUT_OFF]: 'Carlton' },
    requestsPerSecond: 10,
    unreachableAfter: 3 * SECOND,
    registrations: {
      interval: SECOND / 2,
      extensions: 'all',
      ignore: [],
      watchDuring: null,
      offlineAfter: SECOND / 2,
      mass: { count: 3, percent: 30 },
    },
    toggles: {
      interval: SECOND / 2,
      expect: [
        {
          // In the story it is always office hours.
          toggle: 'After hours',
          onDuring: [],
          except: [],
          timezone,
          grace: SECOND / 2,
          severity: 'warning',
        },
      ],
    },
  };
}

/** The terminal, and a Slack channel and a mailbox that are files. */
export function demoReceivers(config: Config, platform: Platform, directory: string): Receiver[] {
  const setting = {
    timezone: config.timezone,
    instance: config.instance,
    externalUrl: null,
    clock: () => platform.clock.now(),
  };
  const terminal = createReceiver(
    {
      type: 'terminal',
      name: 'terminal',
      write: (text) => platform.out.write(text),
      style: () => ({ width: platform.out.columns, colour: platform.out.colour }),
    },
    setting,
  );
  const brief = briefer(setting);
  const kept = (name: string, copyOf: CopyOf): Receiver =>
    saveCopies(keptAsFile(name), {
      directory,
      copyOf,
      saved: (paths) => platform.out.write(`  ${name}: ${paths.map((path) => basename(path)).join(', ')}\n`),
      failed: (error) => platform.err.write(`linewatch: the copy for ${name} could not be saved: ${String(error)}\n`),
    });
  return [
    terminal,
    kept('slack', slackCopy(brief)),
    kept(
      'mail',
      mailCopy(brief, FROM, TO, () => platform.clock.now()),
    ),
  ];
}

function keptAsFile(name: string): Receiver {
  return {
    name,
    type: 'file',
    audience: 'people',
    batch: 1,
    send: () => Promise.resolve({ kind: 'delivered', detail: 'kept as a file' }),
  };
}
