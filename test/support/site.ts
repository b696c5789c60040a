/**
 * An installation of Linewatch: a folder with its configuration, the provider it watches, and its receivers. Everything is
 * real except the provider, which answers over real HTTP.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { startProvider, type Provider, type ProviderOptions } from '../../src/simulator/embedded-provider.ts';
import { countBusiestWindow } from '../../src/simulator/request-log.ts';
import { startHttpReceiver, type HttpReceiver, type Posted } from './http-receiver.ts';
import { startLinewatch, type Ended, type LinewatchProcess, type Surroundings } from './linewatch-process.ts';
import { startMailbox, type Mailbox } from './mailbox.ts';
import { fakePlatform } from './platform.ts';
import { TRIES_ALL } from './runs.ts';

export interface SiteConfig {
  [key: string]: unknown;
  status_pages: Record<string, unknown>[];
  receivers: Record<string, unknown>[];
  route: Record<string, unknown>;
}

export interface CloudEvent {
  [attribute: string]: unknown;
  id: string;
  type: string;
  subject: string;
  data: {
    alert: Record<string, unknown> & { id: string; number: number | null; status: string };
    from: unknown;
    to: unknown;
    details: Record<string, unknown>;
    reminder: number;
  };
}

export interface Site extends AsyncDisposable {
  folder: string;
  stateDir: string;
  provider: Provider;
  slack: HttpReceiver;
  bus: HttpReceiver;
  mailbox: Mailbox;
  /** Written to `linewatch.yaml` by `save`, and by `start` the first time. */
  config: SiteConfig;
  save: () => Promise<void>;
  /** Starts the daemon; resolves when it watches. */
  start: (env?: Surroundings['env'], within?: Surroundings['within']) => Promise<LinewatchProcess>;
  /** Starts the daemon and does not wait; `onLog` is called whenever it writes to its log. */
  launch: (env?: Surroundings['env'], onLog?: () => void, within?: Surroundings['within']) => Promise<LinewatchProcess>;
  /** Runs another command with the site's configuration to its end. */
  run: (...args: string[]) => Promise<Ended>;
  /**
   * The same in this process, which takes a tenth of the time; in one of its own where everything is tried. For a command
   * that another test runs as its user does.
   */
  command: (...args: string[]) => Promise<Ended>;
  /** Resolves when a round over the page that begins after this call has ended. */
  round: () => Promise<void>;
  /**
   * Throws if the provider got more requests than its limit allows, which is counted per process: a test with another
   * process that requests this provider announces it before. Each start and the end of the site check this by themselves.
   */
  judgePace: () => void;
  /** Every event the bus has taken, in order. */
  events: () => CloudEvent[];
  /** Resolves with the first event of this kind (and of which this holds) that the bus takes. */
  event: (kind: string, matches?: (event: CloudEvent) => boolean) => Promise<CloudEvent>;
}

/** The provider's limit; holds for every process in every test. */
const MOST_REQUESTS_A_SECOND = 5;

export async function openSite(options: ProviderOptions = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-site-'));
  const provider = await startProvider(options);
  const [slack, bus, mailbox] = [await startHttpReceiver(), await startHttpReceiver(), await startMailbox()];
  const file = join(folder, 'linewatch.yaml');
  const processes: LinewatchProcess[] = [];
  let saved = false;
  const config: SiteConfig = {
    instance: 'hq',
    timezone: 'Australia/Melbourne',
    http: { listen: 'off' },
    status_pages: [
      {
        name: 'provider',
        base_url: provider.statusUrl,
        interval: '1s',
        interval_during_incident: '1s',
        unreachable_after: '2s',
      },
    ],
    receivers: [
      { name: 'ops-slack', type: 'slack', webhook_url: `${slack.url}/services/T0/B0/x` },
      {
        name: 'ops-mail',
        type: 'email',
        smtp: { host: '127.0.0.1', port: mailbox.port, security: 'none' },
        from: 'Linewatch <linewatch@example.com>',
        to: ['ops@example.com'],
      },
      { name: 'bus', type: 'webhook', url: `${bus.url}/linewatch` },
    ],
    route: { receivers: ['ops-slack', 'ops-mail', 'bus'], group_wait: '0s' },
  };

  function judgePace(): void {
    // The limit is that of the status interface.
    const asked = provider.simulator.log
      .all()
      .filter(({ operation }) => /^(status|components|notices)\./.test(operation ?? ''));
    const most = countBusiestWindow(asked);
    provider.simulator.log.clear();
    if (most > MOST_REQUESTS_A_SECOND) throw new Error(`The provider got ${most} requests within a second.`);
  }

  function eventsOf({ body }: Posted): CloudEvent[] {
    return JSON.parse(body) as CloudEvent[];
  }

  async function save(): Promise<void> {
    saved = true;
    await writeFile(file, stringify(config), { mode: 0o600 });
  }

  async function launch(
    env: Surroundings['env'] = {},
    onLog?: () => void,
    within: Surroundings['within'] = [],
  ): Promise<LinewatchProcess> {
    if (!saved) await save();
    // As in `run`.
    judgePace();
    const linewatch = startLinewatch(['run', '--config', file], { cwd: folder, env, within, ...(onLog && { onLog }) });
    processes.push(linewatch);
    return linewatch;
  }

  async function run(...args: string[]): Promise<Ended> {
    if (!saved) await save();
    // The limit is counted per process: what one that has ended asked just before is not this one's.
    judgePace();
    return await startLinewatch([...args, '--config', file], { cwd: folder }).ended;
  }

  async function runHere(...args: string[]): Promise<Ended> {
    if (!saved) await save();
    judgePace();
    const user = process.geteuid?.();
    const platform = fakePlatform({
      argv: [...args, '--config', file],
      cwd: folder,
      now: Date.now,
      ...(user !== undefined && { user }),
    });
    return { code: await runCommand(platform, COMMANDS), signal: null, ...platform.written() };
  }

  return {
    folder,
    stateDir: join(folder, 'state'),
    provider,
    slack,
    bus,
    mailbox,
    config,
    save,
    launch,
    judgePace,
    async start(env = {}, within = []) {
      const linewatch = await launch(env, undefined, within);
      await linewatch.logged('watching');
      return linewatch;
    },
    run,
    command: TRIES_ALL ? run : runHere,
    async round() {
      const { log } = provider.simulator;
      const begins = (): Promise<unknown> =>
        log.next(({ operation, query }) => operation === 'notices.list' && query.includes('present'));
      await begins();
      await log.next(({ operation }) => operation === 'status.show');
      await begins();
    },
    events: () => bus.taken.flatMap(eventsOf),
    async event(kind, matches = () => true) {
      const wanted = (event: CloudEvent): boolean => event.type === `linewatch.${kind}` && matches(event);
      const posted = await bus.gets(
        `an event ${kind}`,
        (each) => bus.taken.includes(each) && eventsOf(each).some(wanted),
      );
      const found = eventsOf(posted).find(wanted);
      if (found === undefined) throw new Error('unreachable: the post was chosen for this event');
      return found;
    },
    async [Symbol.asyncDispose]() {
      for (const { signal } of processes) signal('SIGKILL');
      await Promise.all(processes.map(({ ended }) => ended));
      await Promise.all([slack, bus, mailbox].map((each) => each[Symbol.asyncDispose]()));
      await provider.close();
      await rm(folder, { recursive: true });
      judgePace();
    },
  };
}
