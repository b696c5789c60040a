/** The embedded provider on a port of its own and the real daemon watching it, on a clock the test moves. */
import { startProvider, type Provider } from '../../src/simulator/provider.ts';
import type { ComponentDraft } from '../../src/simulator/status/components.ts';
import { runDaemon, type RunningDaemon, type RunningOptions } from '../support/running-daemon.ts';

export const MINUTE = 60_000;
export const START = Date.parse('2026-03-02T09:00:00.000Z');

export interface WatchedProvider {
  provider: Provider;
  daemon: RunningDaemon;
  /** What people were told since the last time this was asked: `notice.opened notice/5001 (open)`. */
  told(): string[];
  /** The same for programs. */
  events(): string[];
  sweeps(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface WatchedOptions extends Partial<RunningOptions> {
  components?: never;
  parts?: readonly ComponentDraft[];
  /** Happens before the first sweep. */
  before?: (provider: Provider) => void;
}

/** Returns after the first sweep, with its summary already heard. */
export async function watchProvider(options: WatchedOptions = {}): Promise<WatchedProvider> {
  const { parts, before, components: _, ...given } = options;
  let now = (): number => START;
  const provider = await startProvider({ clock: { now: () => now() } });
  if (parts !== undefined) {
    for (const { id } of provider.simulator.status.documents().components.toReversed())
      provider.simulator.status.removeComponent(id);
    for (const part of parts) provider.simulator.status.addComponent(part);
  }
  before?.(provider);
  const daemon = await runDaemon({ statusUrl: provider.statusUrl, startAt: START, intervalMs: MINUTE, ...given });
  // The provider has a clock of its own, which does not jump when ours does.
  now = () => START + daemon.clock.monotonic();
  let peopleHeard = 0;
  let programsHeard = 0;

  function since(messages: RunningDaemon['people']['sent'], from: number): string[] {
    return messages
      .slice(from)
      .flatMap(({ changes }) =>
        changes.map(({ transition, status }) => `${transition.kind} ${transition.subject} (${status})`),
      );
  }
  function told(): string[] {
    const lines = since(daemon.people.sent, peopleHeard);
    peopleHeard = daemon.people.sent.length;
    return lines;
  }
  function events(): string[] {
    const lines = since(daemon.programs.sent, programsHeard);
    programsHeard = daemon.programs.sent.length;
    return lines;
  }
  await daemon.sweep();
  if (before === undefined) {
    told();
    events();
  }
  return {
    provider,
    daemon,
    told,
    events,
    async sweeps(count) {
      for (let sweep = 0; sweep < count; sweep += 1) await daemon.sweep();
    },
    async close() {
      await daemon.stop();
      await provider.close();
    },
  };
}
