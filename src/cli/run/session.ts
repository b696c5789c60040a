/** Runs the daemon on files until it is stopped. Each round runs one configuration, until a reload. */
import { listSourceNames, type Config } from '../../config/config.ts';
import { formatList } from '../../core/text/plain.ts';
import type { AssembledDaemon } from '../../daemon/setup/assemble.ts';
import { GRACE_MS, SHORT_GRACE_MS, type Daemon } from '../../daemon/loop/daemon.ts';
import type { Log } from '../../log/log.ts';
import type { StoreFinding } from '../../store/finding.ts';
import { selectProxy } from '../platform.ts';
import type { StateBackend, ProcessContext, ReloadRequest } from './backend.ts';
import type { Endpoints } from './endpoints.ts';
import { createHeartbeats } from './heartbeats.ts';
import { createReloads, loadAgain, logReloadRefused, logReloaded, warnOf } from './reload.ts';
import { createSetups, type Setup } from './setup.ts';

/** Resolves after a stop. */
export async function runSession(footing: StateBackend, watched: ProcessContext, front: Endpoints): Promise<void> {
  const { platform, present, clock, log } = watched;
  const findings: StoreFinding[] = [];
  const onFinding = (finding: StoreFinding): void => {
    // A reload meets the findings of the start again.
    if (findings.some(({ message }) => message === finding.message)) return;
    logFinding(log, finding);
    findings.push(finding);
  };
  const heartbeats = createHeartbeats({ present, clock, proxy: selectProxy(platform), log });
  const prepareFor = createSetups({ ...watched, ...front, footing, heartbeats, onFinding });

  async function begin(setup: Setup): Promise<AssembledDaemon> {
    const { config, secrets, recorder } = setup;
    Object.assign(present, { config, secrets, recorder });
    front.systemd.watches(listSourceNames(config));
    await heartbeats.begin(config);
    return await setup.prepared.start();
  }

  const setup = await prepareFor(present);
  const assembled = await begin(setup);
  present.assembled = assembled;
  front.watches();
  await reportFindings(findings, 'a file of its state was broken', assembled.daemon.own);
  const release = front.records(footing.history);
  const rounds = createRounds(setup, { ...watched, ...front, prepareFor, begin });
  const undo = [
    platform.onSignal('SIGTERM', () => rounds.stop('SIGTERM')),
    platform.onSignal('SIGINT', () => rounds.stop('SIGINT')),
    platform.onSignal('SIGHUP', rounds.reload),
  ];
  try {
    await front.open();
    logWatching(log, present.config);
    await rounds.run();
  } finally {
    for (const forget of undo) forget();
    release();
    await heartbeats.stop();
    // A running reload may still open a port.
    await rounds.settled();
    // Later requests get the answer that the daemon ends, and use no closed store.
    present.assembled = null;
    await footing.store.close();
  }
}

interface RoundsDeps extends ProcessContext, Pick<Endpoints, 'place' | 'systemd'> {
  prepareFor(wanted: ReloadRequest): Promise<Setup>;
  begin(setup: Setup): Promise<AssembledDaemon>;
}

/** `first` has started already. */
function createRounds(first: Setup, deps: RoundsDeps) {
  const { platform, file, present, prepareFor, begin, place, systemd, log } = deps;
  const ended = new AbortController();
  let round = new AbortController();
  let setup = first;
  /** A setup prepared by a reload, to be applied by the loop. */
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

  /** Replaces the running daemon by the prepared one, or keeps the old one. */
  async function takeUp(wanted: Setup): Promise<AssembledDaemon> {
    try {
      const begun = await begin(wanted);
      setup = wanted;
      logReloaded({ present, log });
      return begun;
    } catch (error) {
      wanted.prepared.close();
      logReloadRefused(log, error);
      await place.move(setup.config.http.listen);
      setup = await prepareFor(setup);
      return await begin(setup);
    }
  }

  function end(): void {
    ended.abort();
    round.abort();
  }

  const graceMs = (): number => (ended.signal.aborted ? GRACE_MS : SHORT_GRACE_MS);
  const reloads = createReloads(reload, { systemd, log });
  return {
    stop(signal: string) {
      log.info('stopping', { signal }, () => `Stopping, as ${signal} asks for`);
      systemd.stopping();
      end();
    },
    /** Reads the configuration again. A wrong one changes nothing; the log has its mistakes. */
    reload: reloads.begin,
    /** Resolves after a stop. Rejects if neither the new nor the old configuration can start. */
    async run() {
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
    /** Resolves when no reload is running. */
    settled: reloads.settled,
  };
}

/** Logs a finding from opening the state, with the action taken. */
export function logFinding(log: Log, { kind, path, message }: StoreFinding): void {
  log.warn('state', { finding: kind, path, detail: message }, () => message);
}

/** Reports documents that were broken and set aside. */
export async function reportFindings(
  findings: readonly StoreFinding[],
  what: string,
  own: Pick<Daemon['own'], 'happened'>,
): Promise<void> {
  for (const { kind, message } of findings) {
    if (kind !== 'migrated') await own.happened({ kind: 'state', what, reason: message });
  }
}

/** `of`: shard and epoch, in a database. */
export function logWatching(log: Log, config: Config, of: { shard?: number; epoch?: number } = {}): void {
  const [sources, receivers] = [listSourceNames(config), config.receivers.map(({ name }) => name)];
  const part = of.shard === undefined ? '' : `shard ${of.shard}: `;
  const say = (): string => `Watching ${part}${formatList(sources, 5)}; telling ${formatList(receivers, 5)}`;
  log.info('watching', { instance: config.instance, ...of, sources, receivers }, say);
}
