/** `linewatch provider`: runs the embedded provider alone, for experiments. */
import { resolve } from 'node:path';
import { PAGE_TYPE_NAMES } from '../pages/types.ts';
import { startProvider, type Provider } from '../simulator/embedded-provider.ts';
import { loadScenario } from '../simulator/scenario/run-scenario.ts';
import { choice, CommandFailure, defineCommand, EXIT, flag, integer, text } from './command.ts';
import { readSimulatorFile } from './simulator-file.ts';
import { waitForStop } from './platform.ts';
import { readErrorCode } from '../net/failure.ts';

export const provider = defineCommand({
  description:
    'Runs the embedded provider on a port of this machine until Ctrl-C: the same interfaces, answered from a world in ' +
    'memory that a scenario or a program can move. Prints where it answers and the token of its account. With --as it shows ' +
    "the same world as a page of another vendor, with that vendor's addresses, words and gaps, beside the same account.",
  options: {
    port: integer('P', 'where to listen; default: a free one', { min: 0, max: 65_535 }),
    scenario: text('FILE', 'a story to tell: timed steps in YAML'),
    as: choice('TYPE', 'the type of status page to stand in for; default: provider', PAGE_TYPE_NAMES),
    json: flag('print the addresses as one line of JSON'),
    seed: integer('N', 'same seed, same world', { min: 0, max: 2 ** 32 - 1 }),
  },
  examples: [
    ['linewatch provider --port 8080', 'listens on port 8080 of this machine'],
    ['linewatch provider --scenario config/scenarios/demo.yaml', 'tells the story of the demonstration'],
    [
      'linewatch provider --as statuspage',
      'shows the same world as Statuspage would, for a page of `type: statuspage`',
    ],
  ],
  async run({ platform, options }) {
    const scenario =
      options.scenario === undefined
        ? undefined
        : readSimulatorFile('scenario', resolve(platform.cwd, options.scenario), loadScenario);
    const { port, seed, as = 'provider' } = options;
    const running = await startProviderOrExplain({ port, seed, as: as === 'provider' ? undefined : as, scenario });
    const stopped = waitForStop(platform);
    const addresses = {
      type: as,
      status_base_url: running.statusUrl,
      base_url: running.accountUrl,
      token: running.token,
      control: `${running.accountUrl}/_control`,
    };
    platform.out.write(options.json ? `${JSON.stringify(addresses)}\n` : lines(addresses));
    try {
      // The provider keeps running after the end of its story; a failure of the story ends it.
      await Promise.race([stopped, running.story?.done.then(() => stopped) ?? stopped]);
      return EXIT.done;
    } finally {
      await running.close();
    }
  },
});

function lines(addresses: Readonly<Record<string, string>>): string {
  return Object.entries(addresses)
    .map(([name, value]) => `${`${name}:`.padEnd(17)}${value}\n`)
    .join('');
}

/** Explains in a sentence why the port is unavailable. */
export async function startProviderOrExplain(options: Parameters<typeof startProvider>[0]): Promise<Provider> {
  try {
    return await startProvider(options);
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'EADDRINUSE') throw new CommandFailure(`port ${options?.port} is taken`, { cause: error });
    if (code === 'EACCES') {
      throw new CommandFailure(`port ${options?.port} may not be opened by this user`, { cause: error });
    }
    throw error;
  }
}
