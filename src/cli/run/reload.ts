/** The configuration read again: what of a new one can be taken up by a process that runs, and what is said where it cannot. */
import { isDeepStrictEqual } from 'node:util';
import { digestConfig, type ConfigDigest } from '../../config/config-digest.ts';
import { loadConfig } from '../../config/load.ts';
import { formatProblem, type Problem } from '../../config/problem.ts';
import { configuredReceivers } from '../../daemon/setup/receivers.ts';
import type { Log } from '../../log/log.ts';
import { ForeseenError } from '../../net/failure.ts';
import { requestOf, type Configuration } from '../configuration.ts';
import { proxyOf } from '../platform.ts';
import type { Lifetime, Wanted } from './footing.ts';
import type { Front } from './front.ts';
import type { Systemd } from './systemd.ts';

const REFUSED = 'The new configuration is refused; the running one stays';

/** Null where it is refused, which the log says. */
export async function loadAgain({
  platform,
  file,
  present,
  log,
}: Pick<Lifetime, 'platform' | 'file' | 'log'> & { present: Wanted }): Promise<Configuration | null> {
  const loaded = await loadConfig(requestOf(platform, file, 'run'));
  if (!loaded.ok) {
    refuse(log, loaded.problems.map(formatProblem));
    return null;
  }
  const fixed = needsRestart(present.config, loaded.config);
  if (fixed === null) return loaded;
  log.error(`${fixed} needs a restart; the running configuration stays`);
  return null;
}

type Fixed = Pick<Wanted['config'], 'stateDir' | 'database' | 'instance'>;

/** What stands as long as the process does. */
function needsRestart(before: Fixed, after: Fixed): string | null {
  if (after.stateDir !== before.stateDir) return 'A new state_dir';
  if (after.database?.shards !== before.database?.shards) return 'Another number of shards';
  if (!isDeepStrictEqual(after.database, before.database)) return 'Another database, or way to it,';
  // Members find each other by it.
  return after.database !== null && after.instance !== before.instance ? 'A new instance' : null;
}

function refuse(log: Pick<Log, 'error'>, problems: readonly string[]): void {
  log.error(REFUSED, { problems }, () => `${REFUSED}: ${problems.join('; ')}`);
}

export interface Reloads {
  /** Reads the configuration again, after the reloads that were begun before. */
  begin(): void;
  /** Resolves when none is under way. */
  settled(): Promise<void>;
}

/** One after the other; systemd hears when each begins and ends. */
export function createReloads(
  reload: () => Promise<void>,
  { systemd, log }: { systemd: Pick<Systemd, 'reloading' | 'reloaded'>; log: Pick<Log, 'error'> },
): Reloads {
  let last = Promise.resolve();
  return {
    begin() {
      systemd.reloading();
      last = last
        .then(reload)
        .catch((error: unknown) => sayRefused(log, error))
        .then(systemd.reloaded);
    },
    settled: () => last,
  };
}

/** A daemon begins with what is saved: what the one of now knows beyond that would be told again. */
export function sayWaits(log: Pick<Log, 'info'>): void {
  log.info('The new configuration is taken up as soon as the database answers');
}

/** What is present runs from here on: the log goes by it, and says so. */
export function sayTakenUp({ present, log }: Pick<Lifetime, 'log'> & { present: Wanted }): void {
  log.reconfigure({ level: present.config.log.level, redact: (text) => present.secrets.redact(text) });
  log.info('The configuration was read again', { remark: 'new credentials of systemd need a restart' });
}

export function sayRefused(log: Pick<Log, 'error'>, error: unknown): void {
  if (error instanceof ForeseenError) refuse(log, [error.message]);
  else log.error('The configuration could not be read again; the running one stays', { error });
}

export function warnOf(log: Pick<Log, 'warn'>, warning: Problem): void {
  const problem = formatProblem(warning);
  log.warn('configuration', { problem }, () => problem);
}

/** Finds what could keep it from leading while another still leads. Rejects with `UnreadableCertificates`. */
export async function checkedForItsTurn({ platform, clock }: Lifetime, { config }: Wanted): Promise<void> {
  await configuredReceivers(config, { now: clock.now, componentName: () => null, proxy: proxyOf(platform) });
}

/** A new configuration that this member could lead with, and whose page is open; null where it is refused, which the log says. */
export async function loadForItsTurn(watched: Lifetime, { place }: Front): Promise<Wanted | null> {
  const loaded = await loadAgain(watched);
  if (loaded === null) return null;
  await checkedForItsTurn(watched, loaded);
  await place.move(loaded.config.http.listen);
  for (const warning of loaded.warnings) warnOf(watched.log, warning);
  return { config: loaded.config, secrets: loaded.secrets };
}

/** Digest of the configuration that is present; worked out once for each. */
export function currentDigest(present: Wanted): () => ConfigDigest {
  let known: { config: Wanted['config']; digest: ConfigDigest } | null = null;
  return () => {
    const { config, secrets } = present;
    if (known?.config !== config) known = { config, digest: digestConfig(config, secrets) };
    return known.digest;
  };
}
