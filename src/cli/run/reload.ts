/** Reloads the configuration: decides which changes a running process can apply, and logs those that it cannot. */
import { isDeepStrictEqual } from 'node:util';
import { digestConfig, type ConfigDigest } from '../../config/config-digest.ts';
import { loadConfig } from '../../config/load.ts';
import { formatProblem, type Problem } from '../../config/problem.ts';
import { createConfiguredReceivers } from '../../daemon/setup/receivers.ts';
import type { Log } from '../../log/log.ts';
import { ForeseenError } from '../../net/failure.ts';
import { createLoadRequest, type Configuration } from '../configuration.ts';
import { selectProxy } from '../platform.ts';
import type { ProcessContext, ReloadRequest } from './backend.ts';
import type { Endpoints } from './endpoints.ts';
import type { Systemd } from './systemd.ts';

const REFUSED = 'The new configuration is refused; the running one stays';

/** Null if it is refused, which is logged. */
export async function loadAgain({
  platform,
  file,
  present,
  log,
}: Pick<ProcessContext, 'platform' | 'file' | 'log'> & { present: ReloadRequest }): Promise<Configuration | null> {
  const loaded = await loadConfig(createLoadRequest(platform, file, 'run'));
  if (!loaded.ok) {
    refuse(log, loaded.problems.map(formatProblem));
    return null;
  }
  const fixed = needsRestart(present.config, loaded.config);
  if (fixed === null) return loaded;
  log.error(`${fixed} needs a restart; the running configuration stays`);
  return null;
}

type Fixed = Pick<ReloadRequest['config'], 'stateDir' | 'database' | 'instance'>;

/** Settings that are fixed for the life of the process. */
function needsRestart(before: Fixed, after: Fixed): string | null {
  if (after.stateDir !== before.stateDir) return 'A new state_dir';
  if (after.database?.shards !== before.database?.shards) return 'Another number of shards';
  if (!isDeepStrictEqual(after.database, before.database)) return 'Another database, or way to it,';
  // Members find each other by the instance.
  return after.database !== null && after.instance !== before.instance ? 'A new instance' : null;
}

function refuse(log: Pick<Log, 'error'>, problems: readonly string[]): void {
  log.error(REFUSED, { problems }, () => `${REFUSED}: ${problems.join('; ')}`);
}

/** One at a time; systemd is notified of start and end of each. */
export function createReloads(
  reload: () => Promise<void>,
  { systemd, log }: { systemd: Pick<Systemd, 'reloading' | 'reloaded'>; log: Pick<Log, 'error'> },
) {
  let last = Promise.resolve();
  return {
    /** Reads the configuration again, after earlier reloads. */
    begin() {
      systemd.reloading();
      last = last
        .then(reload)
        .catch((error: unknown) => logReloadRefused(log, error))
        .then(systemd.reloaded);
    },
    /** Resolves when no reload is running. */
    settled: () => last,
  };
}

/** A new daemon starts from saved state: the current one would have sent messages that it repeats. */
export function logReloadWaits(log: Pick<Log, 'info'>): void {
  log.info('The new configuration is taken up as soon as the database answers');
}

/** Members that changed their division one by one would leave all shards to the last of them. */
export function logReloadWaitsForOthers(log: Pick<Log, 'info'>): void {
  log.info('The new configuration divides the sources otherwise: it is taken up as soon as every member has it');
}

/** Applies the log settings of the present configuration, and logs that it runs. */
export function logReloaded({ present, log }: Pick<ProcessContext, 'log'> & { present: ReloadRequest }): void {
  log.reconfigure({ level: present.config.log.level, redact: (text) => present.secrets.redact(text) });
  log.info('The configuration was read again', { remark: 'new credentials of systemd need a restart' });
}

export function logReloadRefused(log: Pick<Log, 'error'>, error: unknown): void {
  if (error instanceof ForeseenError) refuse(log, [error.message]);
  else log.error('The configuration could not be read again; the running one stays', { error });
}

export function warnOf(log: Pick<Log, 'warn'>, warning: Problem): void {
  const problem = formatProblem(warning);
  log.warn('configuration', { problem }, () => problem);
}

/** Finds reasons why it could not lead, while another member still leads. Rejects with `UnreadableCertificates`. */
export async function checkTurn({ platform, clock }: ProcessContext, { config }: ReloadRequest): Promise<void> {
  await createConfiguredReceivers(config, { now: clock.now, componentName: () => null, proxy: selectProxy(platform) });
}

/**
 * A new configuration with which this member could lead, and whose page is open; null if it is refused, which is
 * logged.
 */
export async function loadForItsTurn(watched: ProcessContext, { place }: Endpoints): Promise<ReloadRequest | null> {
  const loaded = await loadAgain(watched);
  if (loaded === null) return null;
  await checkTurn(watched, loaded);
  await place.move(loaded.config.http.listen);
  for (const warning of loaded.warnings) warnOf(watched.log, warning);
  return { config: loaded.config, secrets: loaded.secrets };
}

/** Digest of the present configuration, computed once for each. */
export function createDigestReader(present: ReloadRequest): () => ConfigDigest {
  let known: { config: ReloadRequest['config']; digest: ConfigDigest } | null = null;
  return () => {
    const { config, secrets } = present;
    if (known?.config !== config) known = { config, digest: digestConfig(config, secrets) };
    return known.digest;
  };
}
