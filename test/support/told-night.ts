/**
 * A night as commands at a terminal see it: a daemon in virtual time behind a real control socket, with a history. One
 * is of a company, one of a firm that looks after twenty customers.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/config.ts';
import { CONTROL_SOCKET } from '../../src/control/protocol.ts';
import { serveControl } from '../../src/control/server.ts';
import type { Listing } from '../../src/core/observation/listing.ts';
import { toWatchedAccount } from '../../src/daemon/setup/assemble.ts';
import { createControlRoutes, type DaemonContract } from '../../src/daemon/requests/control.ts';
import { createSingleDaemon } from '../../src/daemon/status/daemons.ts';
import { createDaemonStatusReader } from '../../src/daemon/status/status-reader.ts';
import { openKeptHistory } from '../../src/daemon/recording/kept-history.ts';
import type { WatchedAccount } from '../../src/daemon/loop/options.ts';
import { createPageHistory } from '../../src/daemon/recording/page-history.ts';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { createStatusWorld, type StatusWorld } from './status-world.ts';
import {
  MINUTE,
  paperDisk,
  paperReceiver,
  startPaperDaemon,
  virtualClock,
  type PaperReceiver,
} from './paper-daemon.ts';
import { fakePlatform } from './platform.ts';
import { requestIn } from '../config/loading.ts';
import { recordedHistory } from './recorded-history.ts';
import { quietLog } from './running-daemon.ts';

/** A Monday evening in Melbourne. */
const BEGINS = Date.parse('2026-03-02T08:50:00.000Z');

export interface NightPhone {
  account: string;
  extension: string;
  address: string;
  name: string;
}

/** Things that a story changes as it goes on. */
export interface NightStage {
  page: StatusWorld;
  /** The page of a carrier. */
  carrier: StatusWorld;
  /** Whether the carrier's page answers. */
  isCarrierThere: boolean;
  lost: Set<NightPhone>;
  /** Toggles `After hours`, by account. */
  switched: Map<string, boolean>;
  receivers: ReadonlyMap<string, PaperReceiver>;
  phones: readonly NightPhone[];
  now(): number;
  pass(minutes: number): Promise<void>;
  acknowledge(number: number, by: string, comment: string): Promise<void>;
}

export interface NightPlan {
  yaml: string;
  phones: readonly NightPhone[];
  story(stage: NightStage): Promise<void>;
}

export interface ToldNight extends AsyncDisposable {
  /** Runs a command on a terminal of this width; a wrong exit code is thrown with what was written. */
  run(words: readonly string[], columns: number): Promise<string>;
  /** In a pipe. */
  piped(words: readonly string[]): Promise<string>;
}

export async function tellNight({ yaml, phones, story }: NightPlan): Promise<ToldNight> {
  // The output contains this path, whose length determines line breaks.
  const cwd = mkdtempSync('/tmp/night-');
  const stateDir = join(cwd, 'state');
  mkdirSync(stateDir);
  writeFileSync(join(cwd, 'linewatch.yaml'), yaml, { mode: 0o600 });
  const loaded = await loadConfig(requestIn(cwd));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { config } = loaded;
  const clock = virtualClock(BEGINS);
  const components = ['SIP Trunks Melbourne', 'SIP Registration', 'Hosted PBX', 'Fax Gateway', 'SMS'];
  const page = createStatusWorld({
    clock,
    name: 'Southern Cross Voice',
    components: components.map((name) => ({ name })),
  });
  const carrier = createStatusWorld({ clock, name: 'Carrier', components: [{ name: 'Fibre Victoria' }] });
  const { history } = recordedHistory(BEGINS, stateDir, { now: clock.now, monotonic: clock.monotonic });
  const receivers = config.receivers.map(({ name, type }) =>
    paperReceiver(name, type === 'webhook' ? 'programs' : 'people'),
  );
  const lost = new Set<NightPhone>();
  const switched = new Map<string, boolean>();
  const stage = { isCarrierThere: true };
  const paper = await startPaperDaemon({
    source: page,
    others: { carrier },
    vendors: ['carrier'],
    receivers,
    clock,
    disk: paperDisk(),
    intervalMs: MINUTE,
    ...(config.route !== null && { route: config.route }),
    wrapReader: (source, reader) =>
      source === 'provider'
        ? reader
        : {
            ...reader,
            components: (signal) => isThere(stage, reader.components(signal)),
            page: (signal) => isThere(stage, reader.page(signal)),
            notices: (timeline, signal) => isThere(stage, reader.notices(timeline, signal)),
          },
    options: { history, accounts: accountsOf(config, phones, lost, switched) },
  });
  const drawn = createDaemonStatusReader(() => ({
    config,
    daemon: paper.daemon,
    reading: ({ lastReadAt }) => ({ lastReadAt, unreadMs: 0 }),
    clock,
    startedAt: BEGINS,
    log: quietLog,
  }));
  const kept = openKeptHistory(config);
  const place = config;
  const pageHistory = createPageHistory({
    history: kept,
    place,
    timezone: () => config.timezone,
    now: clock.now,
    log: quietLog,
  });
  const routes = createControlRoutes({
    ...drawn,
    daemons: createSingleDaemon(() => paper.daemon),
    now: clock.now,
    configuration: () => config,
    stories: { history: pageHistory, failed: (_what, error) => void raise(error) },
    record: () => Promise.resolve(),
  });
  const control = await serveControl<DaemonContract>({
    path: join(stateDir, CONTROL_SOCKET),
    routes,
    onFailure: (_request, error) => void raise(error),
  });
  await story(
    Object.assign(stage, {
      page,
      carrier,
      lost,
      switched,
      phones,
      receivers: new Map(receivers.map((receiver) => [receiver.name, receiver])),
      now: clock.now,
      async pass(minutes: number) {
        await paper.pass(minutes * MINUTE);
        await history.flush();
      },
      async acknowledge(number: number, by: string, comment: string) {
        await routes['alert.ack']({ number, by, comment });
      },
    }),
  );

  async function written(
    words: readonly string[],
    terminal: { isTerminal: boolean; columns?: number },
  ): Promise<string> {
    const platform = fakePlatform({ argv: words, cwd, now: clock.now, colour: false, ...terminal });
    const exit = await runCommand(platform, COMMANDS);
    const { out, err } = platform.written();
    if (exit !== 0) throw new Error(`${words.join(' ')} ended with ${exit}: ${err}`);
    return `${out}${err === '' ? '' : `--- on stderr\n${err}`}`.replaceAll(cwd, '/tmp/night-XXXXXX');
  }

  return {
    run: (words, columns) => written(words, { isTerminal: true, columns }),
    piped: (words) => written(words, { isTerminal: false }),
    async [Symbol.asyncDispose]() {
      await control.close(0);
      await paper.stop();
      await history.close();
      await kept.close();
      rmSync(cwd, { recursive: true });
    },
  };
}

function raise(error: unknown): never {
  throw error;
}

function isThere<T>(stage: { isCarrierThere: boolean }, answer: Promise<T>): Promise<T> {
  const missed = { kind: 'missed', code: 'timeout', why: 'no answer within 15 s' } as T;
  return stage.isCarrierThere ? answer : Promise.resolve(missed);
}

function accountsOf(
  config: Config,
  phones: readonly NightPhone[],
  lost: ReadonlySet<NightPhone>,
  switched: ReadonlyMap<string, boolean>,
): WatchedAccount[] {
  const seen = <T>(items: T[]): Promise<Listing<T>> =>
    Promise.resolve({ kind: 'observed', items, defects: [], missing: null });
  return config.accounts.map((account) => {
    const own = phones.filter((phone) => phone.account === account.name);
    return {
      ...toWatchedAccount(account, config),
      reader: {
        registrations: () =>
          seen(
            own
              .filter((phone) => !lost.has(phone))
              .map(({ extension, address }) => ({ extension, contacts: [{ protocol: 'UDP', address, device: null }] })),
          ),
        extensions: () => seen(own.map(({ extension, name }) => ({ id: extension, number: extension, name }))),
        toggles: () => seen([{ id: '1', name: 'After hours', status: switched.get(account.name) ?? true }]),
        restMs: () => 0,
      },
    };
  });
}
