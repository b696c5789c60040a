/** What the demonstration watches and whom it tells. */
import { basename } from 'node:path';
import { resolveAccount, settingsOf, type Config } from '../config/config.ts';
import { routeTo } from '../core/alert/route.ts';
import { briefer, type Receiver } from '../receivers/receiver.ts';
import { mailCopy, saveCopies, slackCopy, type CopyOf } from '../receivers/saved-messages.ts';
import { createReceiver } from '../receivers/create.ts';
import type { Platform } from './platform.ts';

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

/** Complete as it is: nothing of it is read from a file. */
export function demoConfig({ statusUrl, carrierUrl, accountUrl, token, stateDir, timezone }: DemoPlace): Config {
  const settings = settingsOf({
    http: { listen: '127.0.0.1:0', silences: true },
    log: { level: 'error' },
    history: { keep: '1d' },
    status_pages: [
      { ...PACE, name: PAGE, base_url: statusUrl },
      // Both are on this machine.
      { ...PACE, name: CARRIER, type: 'statuspage', base_url: carrierUrl, requests_per_second: 5 },
    ],
  });
  return {
    ...settings,
    file: 'demo',
    instance: 'demo',
    timezone,
    stateDir,
    credentialsDir: stateDir,
    http: { ...settings.http, listenWanted: true },
    accounts: [resolveAccount({ ...ACCOUNT, base_url: accountUrl, api_key: token }, settings.statusPages, timezone)],
    receivers: [],
    digest: null,
    route: routeTo(['terminal', 'slack', 'mail']),
  };
}

/** Of the pages of the story. */
const PACE = {
  interval: '1s',
  interval_during_incident: '1s',
  unreachable_after: '3s',
  maintenance_reminders: [],
};

/** The account of the story: most of its phones are lost, and its night service is left on. */
const ACCOUNT = {
  name: 'head-office',
  components_without_phones: [],
  sites: {
    '203.0.113.7': 'Richmond',
    '198.51.100.24': 'Parramatta',
    [CUT_OFF]: { name: 'Carlton', status_pages: [CARRIER] },
  },
  requests_per_second: 10,
  unreachable_after: '3s',
  registrations: { interval: '500ms', offline_after: '500ms' },
  // In the story it is always office hours.
  toggles: { interval: '500ms', expect: [{ toggle: 'After hours', on_during: [], grace: '500ms' }] },
};

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
