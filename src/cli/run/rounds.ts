/** The life of a daemon process in rounds: each runs one configuration, until a reload or the stop. */
import type { Assembled } from '../../daemon/assemble.ts';
import { GRACE_MS } from '../../daemon/daemon.ts';
import type { WebPlace } from '../../daemon/web.ts';
import type { OpenLog } from '../../log/open-log.ts';
import type { Platform } from '../platform.ts';
import type { Systemd } from './systemd.ts';
import type { Present, Wanted } from './footing.ts';
import { createReloads, loadAgain, sayRefused, warnOf } from './reload.ts';
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
  let setup = first;
  /** What a reload has made ready and the loop has yet to take up. */
  let next: Setup | null = null;

  async function reload(): Promise<void> {
    const loaded = await loadAgain({ platform, file, present, log });
    if (loaded === null) return;
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
      sayRefused(log, error);
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
  const reloads = createReloads(reload, { systemd, log });
  return {
    stop(signal) {
      log.info('stopping', { signal }, () => `Stopping, as ${signal} asks for`);
      systemd.stopping();
      end();
    },
    reload: reloads.begin,
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
    settled: reloads.settled,
  };
}
