/** Sources and receivers of the demonstration. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findCustomer, findDisplayName, type Config } from '../../config/config.ts';
import { createRouteTo } from '../../core/alert/route.ts';
import { capitalize } from '../../core/text/plain.ts';
import type { Daemon } from '../../daemon/loop/daemon.ts';
import { createNameLookup, withMaskedNumbers } from '../../daemon/setup/receivers.ts';
import { createCompose, type Receiver } from '../../receivers/receiver.ts';
import { copyMail, saveCopies, copySlack, type CopyOf } from '../../receivers/saved-messages.ts';
import { createReceiver } from '../../receivers/create.ts';
import type { Provider } from '../../simulator/embedded-provider.ts';
import { loadConfiguration } from '../configuration.ts';
import type { Platform } from '../platform.ts';

/** A page with its story, which includes the accounts of its provider. */
export interface StoryPage {
  /** Name in the configuration. */
  name: string;
  /** Another vendor's page; default: the provider's own, with its accounts. */
  as?: 'statuspage';
  /** File in `config/scenarios`. */
  scenario: string;
}

export interface DemoStory {
  /** The firm in the story. */
  about: string;
  /** The provider's page comes first. */
  pages: readonly [StoryPage, ...StoryPage[]];
  /** Configuration of an account, in addition to the provider's data. */
  account(name: string): Record<string, unknown>;
  /** Names of pages by the name of the site they serve. */
  sitePages: Readonly<Record<string, readonly string[]>>;
}

const CARRIER = 'yarra-fibre';
const AFTER_HOURS = { toggle: 'After hours', on_during: ['Mon-Sun 17:30-08:30'], grace: '2m' };

export const ONE_FIRM: DemoStory = {
  about: 'one firm with 60 extensions at three sites',
  pages: [
    { name: 'provider', scenario: 'demo.yaml' },
    { name: CARRIER, as: 'statuspage', scenario: 'demo-carrier.yaml' },
  ],
  account: () => ({ toggles: { expect: [AFTER_HOURS] }, calls: { missed: true } }),
  sitePages: { Carlton: [CARRIER] },
};

export const MANY_CUSTOMERS: DemoStory = {
  about: 'a firm with twenty customers',
  pages: [{ name: 'provider', scenario: 'demo-firm.yaml' }],
  account: (name) => ({ display_name: name.split('-').map(capitalize).join(' '), toggles: { interval: '10m' } }),
  sitePages: {},
};

export interface DemoPlace {
  /** Folder of the demonstration for all files. */
  folder: string;
  story: DemoStory;
  /** In the order of the story's pages. */
  providers: readonly Provider[];
  platform: Platform;
  /** IANA name of the zone for people. */
  timezone: string;
}

const FILE = 'linewatch.yaml';

export function findDemoFile(folder: string): string {
  return join(folder, FILE);
}

/** Writes a configuration as an administrator would, so that every command works beside the daemon, and loads it. */
export async function loadDemoConfig({ folder, story, providers, platform, timezone }: DemoPlace): Promise<Config> {
  const [own] = providers;
  const accounts = own?.simulator.accounts.all() ?? [];
  const settings = {
    instance: 'demo',
    timezone,
    state_dir: './state',
    http: { listen: '127.0.0.1:0', silences: true },
    log: { level: 'error' },
    status_pages: story.pages.map(({ name, as }, index) => ({
      name,
      base_url: providers[index]?.statusUrl,
      // Each sweep takes some milliseconds of the machine, and the demonstration has many.
      interval_during_incident: '30s',
      maintenance_reminders: [],
      ...(as !== undefined && { type: as, interval: '30s' }),
    })),
    account_defaults: { registrations: { offline_after: '2m' } },
    accounts: accounts.map(({ name, token, world }) => ({
      name,
      base_url: own?.accountUrl,
      api_key: token,
      sites: Object.fromEntries(
        world.sites.map(({ name: site, externalAddress }) => [externalAddress, siteOf(site, story)]),
      ),
      ...story.account(name),
    })),
  };
  const file = findDemoFile(folder);
  await writeFile(file, stringify(settings), { mode: 0o600 });
  const { config } = await loadConfiguration({ ...platform, env: {} }, file, 'check');
  return { ...config, route: createRouteTo(['terminal', 'slack', 'mail']) };
}

function siteOf(name: string, { sitePages }: DemoStory): unknown {
  const pages = sitePages[name];
  return pages === undefined ? name : { name, status_pages: pages };
}

const FROM = 'Linewatch <linewatch@example.com>';
const TO = ['you@example.com'];

interface ReceiversDeps {
  config: Config;
  platform: Platform;
  /** Contains the folders that stand in for a Slack channel and a mailbox. */
  folder: string;
  now(): number;
  daemon(): Daemon;
}

/** The terminal, a Slack channel and a mailbox. */
export function createDemoReceivers({ config, platform, folder, now, daemon }: ReceiversDeps): Receiver[] {
  const { componentName: names, page } = createNameLookup({ config: () => config, daemon });
  const setting = {
    timezone: config.timezone,
    instance: config.instance,
    externalUrl: null,
    clock: now,
    names,
    customer: (source: string) => findCustomer(config, source),
    displayName: (source: string) => findDisplayName(config, source),
    page,
  };
  const terminal = createReceiver(
    {
      type: 'terminal',
      name: 'terminal',
      timezone: config.timezone,
      write: (text) => platform.out.write(text),
      style: () => ({ width: platform.out.columns, colour: platform.out.colour }),
    },
    setting,
  );
  const compose = createCompose(setting);
  const kept = (name: string, copyOf: CopyOf): Receiver =>
    saveCopies(keptAsFile(name), {
      directory: join(folder, name),
      copyOf,
      failed: (error) => platform.err.write(`linewatch: the copy for ${name} could not be saved: ${String(error)}\n`),
    });
  const mail = kept('mail', copyMail(compose, FROM, TO, now));
  // As receivers read them whose configuration does not allow whole telephone numbers.
  return [terminal, kept('slack', copySlack(compose)), mail].map(withMaskedNumbers);
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
