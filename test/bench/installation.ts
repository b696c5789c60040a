/** A folder with a configuration for the program under measurement. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

export interface Installation extends AsyncDisposable {
  folder: string;
  file: string;
}

export interface Watched {
  /** Bases of pages and accounts. */
  pages?: readonly string[];
  accounts?: readonly string[];
  /** Bases of pages of Statuspage. */
  foreign?: readonly string[];
  /** Bases of pages of any type. */
  typed?: readonly { type: string; base_url: string }[];
  /** Between two rounds over any of them, as the configuration writes it. */
  interval: string;
  /** Address for events. */
  webhook: string;
  /** Address of a Slack webhook, for messages to people; default: none. */
  slack?: string;
  /** For the accounts' origin. */
  requestsPerSecond?: number;
  /** Host and port of its page. */
  listen?: string;
  /** Further keys of each account. */
  account?: Readonly<Record<string, unknown>>;
  /** Other settings under http. */
  http?: Readonly<Record<string, unknown>>;
}

export async function install(watched: Watched): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-bench-'));
  const file = await configure(folder, watched);
  return { folder, file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Writes the configuration into the folder; resolves with its path. */
export async function configure(folder: string, watched: Watched): Promise<string> {
  const {
    pages = [],
    accounts = [],
    foreign = [],
    typed = [],
    interval,
    webhook,
    slack,
    requestsPerSecond = 10,
    listen = 'off',
    account = {},
    http = {},
  } = watched;
  const file = join(folder, 'linewatch.yaml');
  const configuration = {
    instance: 'bench',
    http: { listen, ...http },
    log: { level: 'warn' },
    limits: { requests_per_second_per_origin: requestsPerSecond },
    status_pages: [
      ...pages.map((base_url, index) => ({ name: `page${index}`, base_url })),
      ...foreign.map((base_url, index) => ({ name: `foreign${index}`, type: 'statuspage', base_url })),
      ...typed.map((page, index) => ({ name: `typed${index}`, ...page })),
    ].map((page) => ({ ...page, interval, interval_during_incident: interval })),
    ...(accounts.length > 0 && {
      account_defaults: { registrations: { interval }, toggles: { interval } },
      accounts: accounts.map((base_url, index) => ({
        name: `account${index}`,
        base_url,
        api_key: `key-${index}`,
        ...account,
      })),
    }),
    receivers: [
      { name: 'bus', type: 'webhook', url: webhook },
      ...(slack === undefined ? [] : [{ name: 'people', type: 'slack', webhook_url: slack }]),
    ],
    route: { receivers: ['bus', ...(slack === undefined ? [] : ['people'])], group_wait: '0s' },
  };
  await writeFile(file, stringify(configuration), { mode: 0o600 });
  return file;
}
