/** The embedded provider ready to use: a world, a port, and a story if there is one. */
import type { AccountDraft } from './account/desk.ts';
import type { Clock, Timers } from './clock.ts';
import { listen } from './listen.ts';
import type { ScenarioStep, Scenario } from './scenario/scenario.ts';
import { runScenario } from './scenario/run.ts';
import { type Simulator, createSimulator } from './simulator.ts';
import type { ScenarioRun } from './stage.ts';

export interface ProviderOptions {
  /** Default 0: the system chooses. */
  port?: number | undefined;
  /** Default `127.0.0.1`. */
  host?: string | undefined;
  /** See `loadScenario`. Its steps begin when `story.start()` is called, or at once. */
  scenario?: Scenario | undefined;
  /** Default: the scenario starts as soon as the port is open. */
  startStory?: boolean | undefined;
  /** Wins over the scenario's own. */
  seed?: number | undefined;
  /** Wins over the scenario's own. */
  accounts?: readonly AccountDraft[] | undefined;
  clock?: Partial<Clock> | undefined;
  timers?: Timers | undefined;
  onStep?: ((step: ScenarioStep) => void) | undefined;
}

export interface Provider {
  /** Base address of the status interface: `{status_base_url}`. */
  statusUrl: string;
  /** Base address of the account interface: `{base_url}`. The same origin. */
  accountUrl: string;
  /** What clients of the first account send after `Bearer `; further ones are in `simulator.accounts`. */
  token: string;
  port: number;
  simulator: Simulator;
  /** Null without a scenario. Whoever starts the provider looks at `story.done` for a step that failed. */
  story: ScenarioRun | null;
  /** Ends the story, closes the port and every connection. */
  close: () => Promise<void>;
}

export async function startProvider(options: ProviderOptions = {}): Promise<Provider> {
  const { scenario } = options;
  const simulator = createSimulator({
    ...scenario?.world,
    clock: options.clock,
    timers: options.timers,
    ...(options.accounts !== undefined && { accounts: options.accounts }),
    ...(options.seed !== undefined && { seed: options.seed }),
  });
  const listening = await listen(simulator, { port: options.port, host: options.host });
  const story = scenario === undefined ? null : runScenario(simulator, scenario, { onStep: options.onStep });
  if (options.startStory !== false) story?.start();
  return {
    statusUrl: listening.url,
    accountUrl: listening.url,
    token: simulator.accounts.account().token ?? '',
    port: listening.port,
    simulator,
    story,
    async close() {
      story?.stop();
      await listening.close();
    },
  };
}
