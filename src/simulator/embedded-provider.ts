/** The embedded provider ready to use: a world, a port, and optionally a scenario. */
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Scenario } from './scenario/scenario.ts';
import { runScenario } from './scenario/run-scenario.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
import { VENDORS } from './vendors/vendors.ts';

/** `seed` and `accounts` override those of the scenario. */
export interface ProviderOptions extends Pick<SimulatorOptions, 'as' | 'seed' | 'accounts' | 'clock' | 'timers'> {
  /** Default 0: the system chooses. */
  port?: number | undefined;
  /** Default `127.0.0.1`. */
  host?: string | undefined;
  /** See `loadScenario`. Steps begin at once, or when `story.start()` is called. */
  scenario?: Scenario | undefined;
  /** Default: the scenario starts as soon as the port is open. */
  startStory?: boolean | undefined;
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;

/** Resolves once it listens. */
export async function startProvider(options: ProviderOptions = {}) {
  const { scenario } = options;
  const simulator = createSimulator({
    ...scenario?.world,
    as: options.as,
    clock: options.clock,
    timers: options.timers,
    ...(options.accounts !== undefined && { accounts: options.accounts }),
    ...(options.seed !== undefined && { seed: options.seed }),
  });
  const listening = await listen(simulator, { port: options.port, host: options.host });
  const story = scenario === undefined ? null : runScenario(simulator, scenario);
  if (options.startStory !== false) story?.start();
  return {
    /** Base URL of the status interface: `{status_base_url}`. For another vendor, the URL a person would enter. */
    statusUrl: `${listening.url}${options.as === undefined ? '' : VENDORS[options.as].path}`,
    /** Base URL of the account interface: `{base_url}`, same origin. */
    accountUrl: listening.url,
    /** Bearer token of the first account; others are in `simulator.accounts`. */
    token: simulator.accounts.account().token ?? '',
    port: listening.port,
    simulator,
    /** Null without a scenario. Await `story.done` to notice a failed step. */
    story,
    /** Ends the scenario and closes the port and all connections. */
    async close() {
      story?.stop();
      await listening.close();
    },
  };
}

export type Listening = Awaited<ReturnType<typeof listen>>;

/** Port 0: the system chooses. Rejects with the system's error if the port is taken. */
export async function listen(
  simulator: Pick<Simulator, 'app'>,
  { port = 0, host = '127.0.0.1' }: { port?: number | undefined; host?: string | undefined } = {},
) {
  // Keeps the global Request and Response: real clients run in the same process.
  const answer = getRequestListener(simulator.app.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    /** No trailing slash: `http://127.0.0.1:40123`. */
    url: `http://${name}:${address.port}`,
    port: address.port,
    /** Closes the port and all connections, including hanging ones. */
    close: (): Promise<void> =>
      new Promise((resolve, reject) => {
        server.close((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
        server.closeAllConnections();
      }),
  };
}
