/** `linewatch run`: the daemon. */
import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { plan } from '../config/plan.ts';
import { formatProblem } from '../config/problem.ts';
import { loadConfig } from '../config/load.ts';
import type { Alert } from '../alert/record.ts';
import { CONTROL_SOCKET } from '../control/protocol.ts';
import { serveControl } from '../control/server.ts';
import { reportAccount } from '../daemon/account-report.ts';
import { createAccountGates } from '../daemon/accounts.ts';
import { createGates, prepare, type Assembled, type Prepared } from '../daemon/assemble.ts';
import { systemClock } from '../daemon/clock.ts';
import { controlRoutes, type ControlContract } from '../daemon/control.ts';
import { GRACE_MS, type Daemon } from '../daemon/daemon.ts';
import { configuredReceivers, UnreadableCertificates } from '../daemon/receivers.ts';
import { createHeartbeat, type Heartbeat } from '../daemon/heartbeat.ts';
import { createRecorders, type Recorders } from '../daemon/recorders.ts';
import { createMeter } from '../daemon/meter.ts';
import { reportOpen } from '../daemon/alert-report.ts';
import { reportDelivery, reportSource, type StatusReport } from '../daemon/report.ts';
import { couldTell } from '../daemon/tellable.ts';
import { createWebPlace } from '../daemon/web-place.ts';
import { webOf } from '../daemon/web.ts';
import { openLog } from '../log/open-log.ts';
import type { Receiver } from '../receivers/receiver.ts';
import { ensureDirectory } from '../store/directory.ts';
import { DiskError, onDisk, whyRefused } from '../store/disk-error.ts';
import { realDisk } from '../store/disk.ts';
import { StateRefused, type Finding } from '../store/finding.ts';
import { lockedDisk, lockStateDirectory, StateInUse, type Lock } from '../store/lock.ts';
import { openStore } from '../store/store.ts';
import { timestamp } from '../transition/transition.ts';
import { createMetrics } from '../web/metrics.ts';
import { PlaceRefused } from '../web/serve.ts';
import { defineCommand, EXIT } from './command.ts';
import { loadConfiguration, requestOf, type Configuration } from './configuration.ts';
import { CommandFailure } from './errors.ts';
import { text } from './option.ts';
import type { Platform } from './platform.ts';
import { proxyOf } from './proxy.ts';

/** How long a request of a command or of the page may still take once we are told to stop. */
const REQUEST_GRACE_MS = 500;

/** On a reload the watch must go on: a receiver that hangs is asked again by the next round. */
const RELOAD_GRACE_MS = 1_000;

export const run = defineCommand({
  description:
    'Watches every source of the configuration and tells the receivers what changed, until it is told to stop. ' +
    'SIGTERM and Ctrl-C end it within 10 seconds; what could not be sent stays on disk for the next start. ' +
    'SIGHUP reads the configuration again; a wrong one leaves the running one in place.',
  options: { record: text('DIR', 'also write down what status pages and accounts answer, as histories for "replay"') },
  examples: [
    ['linewatch run', 'with ./linewatch.yaml, else /etc/linewatch/linewatch.yaml'],
    ['linewatch run --config /etc/linewatch/linewatch.yaml', 'as the systemd unit does'],
  ],
  async run({ platform, config: file, options }) {
    const first = await loadConfiguration(platform, file, 'run');
    const { stateDir } = first.config;
    const lock = await locked(stateDir, platform);
    try {
      const record = options.record === undefined ? null : await recordFolder(platform.cwd, options.record);
      return await runLocked(platform, file, first, lock, record);
    } catch (error) {
      if (isForPeople(error)) throw new CommandFailure(error.message, { cause: error });
      throw error;
    } finally {
      lock.release();
    }
  },
});

/** Errors whose message already says what is wrong and what would be right. */
function isForPeople(error: unknown): error is Error {
  return [StateInUse, StateRefused, DiskError, UnreadableCertificates, PlaceRefused].some(
    (kind) => error instanceof kind,
  );
}

/** Refused at the start rather than missed when the history is wanted. */
async function recordFolder(cwd: string, written: string): Promise<string> {
  const folder = resolve(cwd, written);
  await onDisk('record histories in', folder, async () => {
    await ensureDirectory(realDisk, folder);
    // The dot makes a file of that name an error, too.
    await access(`${folder}/.`, constants.W_OK);
  });
  return folder;
}

async function locked(directory: string, { pid, user }: Platform): Promise<Lock> {
  try {
    return await lockStateDirectory({ directory, pid, user });
  } catch (error) {
    if (isForPeople(error)) throw new CommandFailure(error.message, { cause: error });
    throw error;
  }
}

type Wanted = Pick<Configuration, 'config' | 'secrets'>;

/** A configuration, and all that can be made of it before the state is touched. */
interface Setup extends Wanted {
  recorders: Recorders | null;
  prepared: Prepared;
}

async function runLocked(
  platform: Platform,
  file: string | undefined,
  first: Configuration,
  lock: Lock,
  record: string | null,
): Promise<number> {
  let { config, secrets } = first;
  const clock = { ...systemClock, now: platform.clock.now, monotonic: platform.clock.monotonic };
  const redact = (text: string): string => secrets.redact(text);
  // A crash after a reload must hide the secrets of then, not those of the start.
  platform.redactWith(redact);
  const log = await openLog(platform.err, { ...config.log, redact }, clock);
  const findings: Finding[] = [];
  const found = (finding: Finding): void => {
    log.warn('state', { finding: finding.kind, path: finding.path, detail: finding.message });
    findings.push(finding);
  };
  if (lock.finding !== null) found(lock.finding);
  for (const warning of first.warnings) log.warn('configuration', { problem: formatProblem(warning) });
  for (const remark of plan(config).remarks) log.warn('configuration', { remark });
  const store = openStore({ directory: config.stateDir, disk: lockedDisk(lock), access: 'write', now: clock.now });
  const gates = createGates();
  const accountGates = createAccountGates();
  const startedAt = clock.now();
  let assembled: Assembled | null = null;

  const componentName = (source: string, id: string): string | null => {
    const watch = assembled?.daemon.sources.find(({ name }) => name === source);
    return watch?.state.snapshot.components?.find((component) => component.id === id)?.name ?? null;
  };

  const pageUrl = (source: string): string | null => {
    const page = config.accounts.find(({ name }) => name === source)?.statusPage ?? source;
    return assembled?.daemon.sources.find(({ name }) => name === page)?.state.snapshot.page?.url ?? null;
  };

  const receiversOf = (wanted: Config): Promise<Receiver[]> =>
    configuredReceivers(wanted, { now: clock.now, componentName, pageUrl, proxy: proxyOf(platform) });

  /** Begun anew with every configuration: a history is of the sources it names. */
  let recorders: Recorders | null = null;
  const recordSweep = (source: string): void => {
    recorders
      ?.sweepEnded(source)
      .catch((error: unknown) => log.error('The history cannot be recorded', { source, error }));
  };

  const metrics = createMetrics(platform.version);
  const meter = createMeter({ metrics, clock, daemon: () => assembled?.daemon ?? null });

  const hearts: Heartbeat[] = [];
  const isRead = (source: string): boolean => {
    // What refuses our credentials answers, and is told of: the heartbeat is for what we could not tell.
    const watched = [...(assembled?.daemon.sources ?? []), ...(assembled?.daemon.accounts ?? [])];
    const watch = watched.find(({ name }) => name === source);
    if (assembled?.daemon.surprise(source) !== null) return false;
    return watch !== undefined && Object.keys(watch.state.snapshot.health.blind).length === 0;
  };

  /** Everything of a configuration that can go wrong goes wrong here, while another may still be running. */
  async function prepareFor({ config: wanted, secrets: wantedSecrets }: Wanted): Promise<Setup> {
    const receivers = await receiversOf(wanted);
    const recording = record === null ? null : createRecorders(wanted, { directory: record, now: clock.now, redact });
    const prepared = prepare({
      config: wanted,
      receivers,
      store,
      gates,
      accountGates,
      clock,
      random: platform.random,
      log,
      userAgent: `linewatch/${platform.version}`,
      proxy: proxyOf(platform),
      observer: {
        ...meter.observer,
        sweepEnded(source) {
          meter.observer.sweepEnded(source);
          recordSweep(source);
          for (const heart of hearts) heart.sweepEnded(source, isRead(source));
        },
      },
      onRequest: meter.requested,
      ...(recording === null ? {} : { wrapLooker: recording.wrapLooker, onAnswer: recording.onAnswer }),
      onFinding: found,
    });
    return { config: wanted, secrets: wantedSecrets, recorders: recording, prepared };
  }

  async function begin(wanted: Setup): Promise<Assembled> {
    ({ config, secrets, recorders } = wanted);
    await Promise.all(hearts.splice(0).map((heart) => heart.stop()));
    const names = [...config.statusPages, ...config.accounts].map(({ name }) => name);
    if (config.heartbeat !== null) {
      hearts.push(
        createHeartbeat({
          url: config.heartbeat.url,
          sources: names,
          couldTell: () => assembled !== null && couldTell(assembled.daemon, config.route, clock.now()),
          proxy: proxyOf(platform),
          log,
        }),
      );
    }
    return await wanted.prepared.start();
  }

  function daemon(): Daemon {
    if (assembled === null) throw new Error('the daemon is asked before it is assembled');
    return assembled.daemon;
  }

  function report(): StatusReport {
    const [sources, accounts] = [assembled?.daemon.sources ?? [], assembled?.daemon.accounts ?? []];
    const openAt = reportOpen([...sources, ...accounts].flatMap(({ state }): readonly Alert[] => state.alerts));
    const sitesOf = (account: string): Record<string, string> | undefined =>
      config.accounts.find(({ name }) => name === account)?.sites;
    return {
      instance: config.instance,
      running: true,
      started_at: timestamp(startedAt),
      sources: sources.map(({ name, state, lastReadAt }) => reportSource(name, state, lastReadAt, openAt(name))),
      accounts: accounts.map(({ name, state, lastReadAt }) =>
        reportAccount(name, state, lastReadAt, openAt(name), sitesOf(name)),
      ),
      deliveries: [
        ...(assembled?.daemon.deliveries ?? []).map((delivery) =>
          reportDelivery(delivery.receiver.name, delivery.state, delivery.waiting()),
        ),
        ...(assembled?.daemon.removed.all() ?? []).map(({ name, state, waiting }) =>
          reportDelivery(`${name} (no longer configured)`, state, waiting),
        ),
      ],
    };
  }

  let setup = await prepareFor(first);
  /** What a reload has made ready and the loop has yet to take up. */
  let next: Setup | null = null;
  assembled = await begin(setup);
  for (const { kind, message } of findings) {
    // What cannot be written is told with the first document that the disk refuses.
    if (kind === 'migrated' || kind === 'permissions' || kind === 'unwritable') continue;
    await daemon().itself.happened({ kind: 'state', what: 'a file of its state was broken', reason: message });
  }
  const routes = controlRoutes({ daemon, report, now: clock.now });
  const { hostname } = platform;
  const web = webOf({
    config: () => config,
    daemon,
    control: routes,
    metrics,
    meter,
    clock,
    startedAt,
    hostname,
    redact,
    log,
  });
  const place = createWebPlace(web, log);
  const control = await serveControl<ControlContract>({
    path: join(config.stateDir, CONTROL_SOCKET),
    routes,
    onFailure: (request, error) => log.error('control request failed', { request, error }),
  }).catch((error: unknown) => {
    // Where nothing can be written there is no socket either; the watch is what we are for.
    if (lock.isHeld()) throw error;
    log.warn('Commands cannot ask this daemon', { reason: whyRefused(error) });
    return null;
  });

  const ended = new AbortController();
  let round = new AbortController();
  let reloads = Promise.resolve();
  const stop = (signal: string): void => {
    log.info('stopping', { signal });
    ended.abort();
    round.abort();
  };
  const undo = [
    platform.onSignal('SIGTERM', () => stop('SIGTERM')),
    platform.onSignal('SIGINT', () => stop('SIGINT')),
    platform.onSignal('SIGHUP', () => {
      reloads = reloads.then(reload).catch(reloadFailed);
    }),
  ];

  function refuse(problems: readonly string[]): void {
    log.error('The new configuration is refused; the running one stays', { problems });
  }

  async function reload(): Promise<void> {
    const loaded = await loadConfig(requestOf(platform, file, 'run'));
    if (!loaded.ok) return refuse(loaded.problems.map(formatProblem));
    if (loaded.config.stateDir !== config.stateDir) {
      log.error('A new state_dir needs a restart; the running configuration stays', {
        state_dir: loaded.config.stateDir,
      });
      return;
    }
    const ready = await prepareFor(loaded);
    try {
      await place.move(loaded.config.http.listen);
    } catch (error) {
      ready.prepared.close();
      throw error;
    }
    for (const warning of loaded.warnings) log.warn('configuration', { problem: formatProblem(warning) });
    next?.prepared.close();
    next = ready;
    round.abort();
  }

  /** What a reload has made ready takes the place of what ran until now, or leaves it where it is. */
  async function takeUp(wanted: Setup): Promise<Assembled> {
    try {
      const begun = await begin(wanted);
      setup = wanted;
      log.reconfigure({ level: config.log.level, redact });
      log.info('The configuration was read again', { remark: 'new credentials of systemd need a restart' });
      return begun;
    } catch (error) {
      wanted.prepared.close();
      reloadFailed(error);
      await place.move(setup.config.http.listen);
      setup = await prepareFor(setup);
      return await begin(setup);
    }
  }

  function reloadFailed(error: unknown): void {
    if (isForPeople(error)) refuse([error.message]);
    else log.error('The configuration could not be read again; the running one stays', { error });
  }

  try {
    await place.move(config.http.listen).catch((error: unknown) => {
      // The page is a convenience; the watch is what we are for.
      if (!(error instanceof PlaceRefused) || config.http.listenWanted) throw error;
      log.warn('There is no page to look at', { reason: error.message });
    });
    log.info('watching', {
      instance: config.instance,
      sources: [...config.statusPages, ...config.accounts].map(({ name }) => name),
      receivers: config.receivers.map(({ name }) => name),
    });
    while (!ended.signal.aborted) {
      await assembled.daemon.run(round.signal, () => (ended.signal.aborted ? GRACE_MS : RELOAD_GRACE_MS));
      assembled.close();
      if (ended.signal.aborted) break;
      round = new AbortController();
      const wanted: Setup = next ?? (await prepareFor(setup));
      next = null;
      assembled = await takeUp(wanted);
    }
  } finally {
    for (const forget of undo) forget();
    await Promise.all(hearts.map((heart) => heart.stop()));
    // A reload under way may yet open a port.
    await Promise.allSettled([reloads]);
    await Promise.all([control?.close(REQUEST_GRACE_MS), place.close(REQUEST_GRACE_MS)]);
    await store.close();
  }
  log.info('stopped');
  return EXIT.done;
}
