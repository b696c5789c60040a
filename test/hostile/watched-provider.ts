/** The embedded provider on a port of its own and the real daemon watching its page, on a clock the test moves. */
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';
import type { ComponentDraft } from '../../src/simulator/status/components.ts';
import { runDaemon, type RunningDaemon, type RunningOptions } from '../support/running-daemon.ts';
import { hearingOf, type Hearing } from './hearing.ts';

export const MINUTE = 60_000;
export const START = Date.parse('2026-03-02T09:00:00.000Z');

export interface WatchedProvider extends Hearing {
  provider: Provider;
  daemon: RunningDaemon;
  /** Rounds over the page, each at its time, however far off that is. */
  rounds(count: number): Promise<void>;
  /** What the page was asked for since the last time this was asked. */
  asked(): (string | null)[];
  sweeps(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface WatchedOptions extends Partial<RunningOptions> {
  components?: never;
  parts?: readonly ComponentDraft[];
  /** Watches this one, which stays open at the end, and hears all that is told from the start. */
  on?: Provider | undefined;
  /** Happens before the first sweep, whose summary is then yet to be heard. */
  before?: (provider: Provider) => void;
}

/** Returns after the first sweep, with its summary already heard unless said otherwise. */
export async function watchProvider(options: WatchedOptions = {}): Promise<WatchedProvider> {
  const { parts, before, on, components: _, ...given } = options;
  let now = (): number => START;
  const provider = on ?? (await startProvider({ clock: { now: () => now() } }));
  if (parts !== undefined) {
    for (const { id } of provider.simulator.status.documents().components.toReversed()) {
      provider.simulator.status.removeComponent(id);
    }
    for (const part of parts) provider.simulator.status.addComponent(part);
  }
  before?.(provider);
  const daemon = await runDaemon({ statusUrl: provider.statusUrl, startAt: START, intervalMs: MINUTE, ...given });
  // The provider has a clock of its own, which does not jump when ours does.
  now = () => START + daemon.clock.monotonic();
  const hearing = hearingOf(daemon);
  await daemon.sweep();
  if (before === undefined && on === undefined) {
    hearing.told();
    hearing.events();
    provider.simulator.log.clear();
  }
  return {
    ...hearing,
    provider,
    daemon,
    async rounds(count) {
      for (let round = 0; round < count; round += 1) await daemon.round();
    },
    asked() {
      const operations = provider.simulator.log.all().map(({ operation }) => operation);
      provider.simulator.log.clear();
      return operations;
    },
    async sweeps(count) {
      for (let sweep = 0; sweep < count; sweep += 1) await daemon.sweep();
    },
    async close() {
      await daemon.stop();
      if (on === undefined) await provider.close();
    },
  };
}
