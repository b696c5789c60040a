/** The life of a daemon process in rounds: each runs one configuration, until a reload or the stop. */
import { formatProblem, type Problem } from '../../config/problem.ts';
import { loadConfig } from '../../config/load.ts';
import type { Assembled } from '../../daemon/assemble.ts';
import { GRACE_MS } from '../../daemon/daemon.ts';
import type { WebPlace } from '../../daemon/web.ts';
import type { Log } from '../../log/log.ts';
import type { OpenLog } from '../../log/open-log.ts';
import { requestOf } from '../configuration.ts';
import type { Platform } from '../platform.ts';
import { isForPeople } from './failure.ts';
import type { Systemd } from './systemd.ts';
import type { Present, Wanted } from './footing.ts';
import type { Setup } from './setup.ts';

/** On a reload the watch must go on: a receiver that hangs is asked again by the next round. */
const RELOAD_GRACE_MS = 1_000;

export interface RoundsDeps {
  platform: Platform;
  /** As given on the command line. */
  file: string | undefined;
  present: Present;
  prepareFor(wanted: Wanted): Promise<Setup>;
  begin(setup: Setup): Promise<Assembled>;
  /** Aborted when this process must not go on, at once; null where nothing can say so. */
  over: AbortSignal | null;
  place: WebPlace;
  systemd: Systemd;
  log: OpenLog;
}

export interface Rounds {
  stop(signal: string): void;
  /** Reads the configuration again. A wrong one changes nothing; the log says what is wrong with it. */
  reload(): void;
  /** Resolves once it is told to stop. Rejects where neither the new nor the old configuration can be begun. */
  run(): Promise<void>;
  /** Resolves when no reload is under way. */
  settled(): Promise<void>;
}

/** `first` is begun already. */
export function createRounds(first: Setup, deps: RoundsDeps): Rounds {
  const { platform, file, present, prepareFor, begin, place, systemd, log } = deps;
  const ended = new AbortController();
  let round = new AbortController();
  let reloads = Promise.resolve();
  let setup = first;
  /** What a reload has made ready and the loop has yet to take up. */
  let next: Setup | null = null;

  function refuse(problems: readonly string[]): void {
    const say = (): string => `The new configuration is refused; the running one stays: ${problems.join('; ')}`;
    log.error('The new configuration is refused; the running one stays', { problems }, say);
  }

  function failed(error: unknown): void {
    if (isForPeople(error)) refuse([error.message]);
    else log.error('The configuration could not be read again; the running one stays', { error });
  }

  async function reload(): Promise<void> {
    const loaded = await loadConfig(requestOf(platform, file, 'run'));
    if (!loaded.ok) return refuse(loaded.problems.map(formatProblem));
    if (loaded.config.stateDir !== present.config.stateDir) {
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
    for (const warning of loaded.warnings) warnOf(log, warning);
    next?.prepared.close();
    next = ready;
    round.abort();
  }

  /** What a reload has made ready takes the place of what ran until now, or leaves it where it is. */
  async function takeUp(wanted: Setup): Promise<Assembled> {
    try {
      const begun = await begin(wanted);
      setup = wanted;
      log.reconfigure({ level: present.config.log.level, redact: (text) => present.secrets.redact(text) });
      log.info('The configuration was read again', { remark: 'new credentials of systemd need a restart' });
      return begun;
    } catch (error) {
      wanted.prepared.close();
      failed(error);
      await place.move(setup.config.http.listen);
      setup = await prepareFor(setup);
      return await begin(setup);
    }
  }

  function end(): void {
    ended.abort();
    round.abort();
  }

  /** What is being sent may be finished; not where another sends by now. */
  function graceMs(): number {
    if (deps.over?.aborted === true) return 0;
    return ended.signal.aborted ? GRACE_MS : RELOAD_GRACE_MS;
  }

  deps.over?.addEventListener('abort', end, { once: true });
  return {
    stop(signal) {
      log.info('stopping', { signal }, () => `Stopping, as ${signal} asks for`);
      systemd.stopping();
      end();
    },
    reload() {
      systemd.reloading();
      reloads = reloads.then(reload).catch(failed).then(systemd.reloaded);
    },
    async run() {
      if (deps.over?.aborted === true) end();
      for (;;) {
        await present.assembled?.daemon.run(round.signal, graceMs);
        present.assembled?.close();
        if (ended.signal.aborted) return;
        round = new AbortController();
        const wanted = next ?? (await prepareFor(setup));
        next = null;
        present.assembled = await takeUp(wanted);
      }
    },
    settled: () => reloads,
  };
}

export function warnOf(log: Log, warning: Problem): void {
  const problem = formatProblem(warning);
  log.warn('configuration', { problem }, () => problem);
}
