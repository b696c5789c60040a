/** `linewatch run`: the daemon. */
import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { plan } from '../../config/plan.ts';
import { CONTROL_SOCKET, type ControlRoutes } from '../../control/protocol.ts';
import { serveControl, type ControlServer } from '../../control/server.ts';
import type { Assembled } from '../../daemon/assemble.ts';
import { systemClock } from '../../daemon/clock.ts';
import { controlRoutes, type DaemonContract } from '../../daemon/control.ts';
import type { Daemon } from '../../daemon/daemon.ts';
import { createMeter } from '../../daemon/meter.ts';
import { drawing } from '../../daemon/picture.ts';
import { createWebPlace, webOf, type WebPlace } from '../../daemon/web.ts';
import { journalSocket } from '../../log/journal.ts';
import type { Log } from '../../log/log.ts';
import { listed } from '../../core/text/plain.ts';
import { openLog } from '../../log/open-log.ts';
import { ensureDirectory, onDisk, realDisk } from '../../store/disk.ts';
import type { Finding } from '../../store/finding.ts';
import { lockedDisk, lockStateDirectory, type Lock } from '../../store/lock.ts';
import { openFiles } from '../../store/files.ts';
import { createMetrics } from '../../web/metrics.ts';
import { PlaceRefused } from '../../web/serve.ts';
import { CommandFailure, defineCommand, EXIT, text, UsageError } from '../command.ts';
import { loadConfiguration, type Configuration } from '../configuration.ts';
import { proxyOf, type Platform } from '../platform.ts';
import { isForPeople } from './failure.ts';
import { openHistory } from './history.ts';
import { createHeartbeats } from './heartbeats.ts';
import { createSystemd, tellFailure } from './systemd.ts';
import { createSetups, type Present, type Setup } from './setup.ts';
import { createRounds, warnOf } from './rounds.ts';
import { whyRefused } from '../../net/failure.ts';

/** How long a request of a command or of the page may still take once we are told to stop. */
const REQUEST_GRACE_MS = 500;

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
  async run({ platform, config, options }) {
    try {
      return await watch(platform, config, options.record);
    } catch (error) {
      // Only where the message is meant for people: anything else may hold what is nobody's business.
      if (error instanceof UsageError || error instanceof CommandFailure) tellFailure(platform.env, error.message);
      throw error;
    }
  },
});

async function watch(platform: Platform, file: string | undefined, recordIn: string | undefined): Promise<number> {
  const first = await loadConfiguration(platform, file, 'run');
  const lock = await locked(first.config.stateDir, platform);
  try {
    const record = recordIn === undefined ? null : await recordFolder(platform.cwd, recordIn);
    return await runLocked(platform, file, first, lock, record);
  } catch (error) {
    if (isForPeople(error)) throw new CommandFailure(error.message, { cause: error });
    throw error;
  } finally {
    lock.release();
  }
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

async function runLocked(
  platform: Platform,
  file: string | undefined,
  first: Configuration,
  lock: Lock,
  record: string | null,
): Promise<number> {
  const present: Present = { config: first.config, secrets: first.secrets, recorder: null, assembled: null };
  const clock = { ...systemClock, now: platform.clock.now, monotonic: platform.clock.monotonic };
  const redact = (text: string): string => present.secrets.redact(text);
  // A crash after a reload must hide the secrets of then, not those of the start.
  platform.redactWith(redact);
  const err = { ...platform.err, journal: journalSocket(platform.env['LINEWATCH_JOURNAL_FD']) };
  const log = await openLog(err, { ...first.config.log, redact }, clock);
  const findings: Finding[] = [];
  const onFinding = (finding: Finding): void => {
    log.warn('state', { finding: finding.kind, path: finding.path, detail: finding.message }, () => finding.message);
    findings.push(finding);
  };
  if (lock.finding !== null) onFinding(lock.finding);
  for (const warning of first.warnings) warnOf(log, warning);
  for (const remark of plan(first.config).remarks) log.warn('configuration', { remark }, () => remark);
  const { stateDir } = first.config;
  const store = openFiles({ directory: stateDir, disk: lockedDisk(lock), access: 'write', now: clock.now });
  const startedAt = clock.now();
  const metrics = createMetrics(platform.version);
  const meter = createMeter({ metrics, clock, daemon: () => present.assembled?.daemon ?? null });
  const heartbeats = createHeartbeats({ present, clock, proxy: proxyOf(platform), log });
  const { reading } = meter;
  const { picture, story } = drawing(() => ({
    config: present.config,
    daemon: daemon(),
    reading,
    clock,
    startedAt,
    log,
  }));
  const systemd = createSystemd({ env: platform.env, monotonic: clock.monotonic, picture, redact });
  const history = openHistory({ present, clock, log });
  const prepareFor = createSetups({
    platform,
    present,
    record,
    store,
    clock,
    log,
    meter,
    heartbeats,
    systemd,
    picture,
    history,
    onFinding,
  });

  async function begin(setup: Setup): Promise<Assembled> {
    const { config, secrets, recorder } = setup;
    Object.assign(present, { config, secrets, recorder });
    systemd.watches(sourcesOf(config));
    await heartbeats.begin(config);
    return await setup.prepared.start();
  }

  function daemon(): Daemon {
    if (present.assembled === null) throw new Error('the daemon is asked before it is assembled');
    return present.assembled.daemon;
  }

  const setup = await prepareFor(first);
  present.assembled = await begin(setup);
  for (const { kind, message } of findings) {
    // What cannot be written is told with the first document that the disk refuses.
    if (kind === 'migrated' || kind === 'permissions' || kind === 'unwritable') continue;
    await daemon().itself.happened({ kind: 'state', what: 'a file of its state was broken', reason: message });
  }
  const routes = controlRoutes({ daemon, picture, story, now: clock.now, file: () => present.config.file });
  const web = webOf({
    config: () => present.config,
    picture,
    control: routes,
    metrics,
    hostname: platform.hostname,
    redact,
    log,
  });
  const place = createWebPlace(web, log);
  const control = await openControl(join(stateDir, CONTROL_SOCKET), routes, lock, log);
  const rounds = createRounds(setup, {
    platform,
    file,
    present,
    prepareFor,
    begin,
    place,
    systemd,
    log,
  });
  const undo = [
    platform.onSignal('SIGTERM', () => rounds.stop('SIGTERM')),
    platform.onSignal('SIGINT', () => rounds.stop('SIGINT')),
    platform.onSignal('SIGHUP', rounds.reload),
  ];
  try {
    await openPage(place, first.config, log);
    sayWatching(log, first.config);
    await rounds.run();
  } finally {
    for (const forget of undo) forget();
    await heartbeats.stop();
    // A reload under way may yet open a port.
    await rounds.settled();
    await Promise.all([control?.close(REQUEST_GRACE_MS), place.close(REQUEST_GRACE_MS)]);
    await store.close();
    history.close();
  }
  log.info('stopped');
  return EXIT.done;
}

function sayWatching(log: Log, config: Config): void {
  const sources = sourcesOf(config);
  const receivers = config.receivers.map(({ name }) => name);
  const say = (): string => `Watching ${listed(sources, 5)}; telling ${listed(receivers, 5)}`;
  log.info('watching', { instance: config.instance, sources, receivers }, say);
}

function sourcesOf({ statusPages, accounts }: Config): string[] {
  return [...statusPages, ...accounts].map(({ name }) => name);
}

/** The page is a convenience; the watch is what we are for. */
async function openPage(place: WebPlace, { http }: Config, log: Log): Promise<void> {
  try {
    await place.move(http.listen);
  } catch (error) {
    if (!(error instanceof PlaceRefused) || http.listenWanted) throw error;
    log.warn('There is no page to look at', { reason: error.message });
  }
}

/** Where nothing can be written there is no socket either; the watch is what we are for. */
async function openControl(
  path: string,
  routes: ControlRoutes<DaemonContract>,
  lock: Lock,
  log: Log,
): Promise<ControlServer | null> {
  try {
    return await serveControl<DaemonContract>({
      path,
      routes,
      onFailure: (request, error) => log.error('control request failed', { request, error }),
    });
  } catch (error) {
    if (lock.isHeld()) throw error;
    log.warn('Commands cannot ask this daemon', { reason: whyRefused(error) });
    return null;
  }
}
