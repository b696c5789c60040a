/** One term of the daemon: as long as it is not told to stop, and has its footing. */
import type { Config } from '../../config/config.ts';
import { listed } from '../../core/text/plain.ts';
import type { Assembled } from '../../daemon/assemble.ts';
import type { Log } from '../../log/log.ts';
import type { Finding } from '../../store/finding.ts';
import { proxyOf } from '../platform.ts';
import type { Footing, Lifetime } from './footing.ts';
import type { Front } from './front.ts';
import { createHeartbeats } from './heartbeats.ts';
import { createRounds } from './rounds.ts';
import { createSetups, type Setup } from './setup.ts';

/** Resolves when it was told to stop, or has lost its footing. */
export async function runTerm(footing: Footing, watched: Lifetime, front: Front): Promise<void> {
  const { platform, file, present, clock, log } = watched;
  const { systemd, place } = front;
  const findings: Finding[] = [];
  const onFinding = (finding: Finding): void => {
    logFinding(log, finding);
    findings.push(finding);
  };
  const heartbeats = createHeartbeats({ present, clock, proxy: proxyOf(platform), log });
  const prepareFor = createSetups({ ...watched, ...front, footing, heartbeats, onFinding });

  async function begin(setup: Setup): Promise<Assembled> {
    const { config, secrets, recorder } = setup;
    Object.assign(present, { config, secrets, recorder });
    systemd.watches(sourcesOf(config));
    await heartbeats.begin(config);
    return await setup.prepared.start();
  }

  const setup = await prepareFor(present);
  const assembled = await begin(setup);
  present.assembled = assembled;
  front.watches(footing);
  const { itself } = assembled.daemon;
  for (const { kind, message } of findings) {
    if (kind === 'migrated') continue;
    await itself.happened({ kind: 'state', what: 'a file of its state was broken', reason: message });
  }
  for (const event of footing.happened) await itself.happened(event);
  footing.tells((event) => {
    const told = present.assembled?.daemon.itself.happened(event);
    told?.catch((error: unknown) => log.error('What happened to this member cannot be told', { error }));
  });
  const { over } = footing;
  const rounds = createRounds(setup, { platform, file, present, prepareFor, begin, over, place, systemd, log });
  const undo = [
    platform.onSignal('SIGTERM', () => rounds.stop('SIGTERM')),
    platform.onSignal('SIGINT', () => rounds.stop('SIGINT')),
    platform.onSignal('SIGHUP', rounds.reload),
  ];
  try {
    await front.open();
    sayWatching(log, present.config);
    if (footing.isStopped()) rounds.stop('SIGTERM');
    await rounds.run();
  } finally {
    for (const forget of undo) forget();
    await heartbeats.stop();
    // A reload under way may yet open a port.
    await rounds.settled();
    // Whoever asks from now on hears that it ends, and reaches no store that is closed.
    present.assembled = null;
    await footing.store.close();
  }
}

export function logFinding(log: Log, { kind, path, message }: Finding): void {
  log.warn('state', { finding: kind, path, detail: message }, () => message);
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
