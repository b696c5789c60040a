/** `linewatch status`: what the running daemon knows, or what it knew last. */
import { join } from 'node:path';
import { askControl, ControlError } from '../control/client.ts';
import { CONTROL_SOCKET } from '../control/protocol.ts';
import type { Config } from '../config/config.ts';
import { lastPicture } from '../daemon/picture.ts';
import type { ControlContract } from '../daemon/control.ts';
import { reportStatus, type StatusReport } from '../core/view/status-report.ts';
import { realDisk } from '../store/disk.ts';
import { openStore } from '../store/store.ts';
import { defineCommand, EXIT } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { CommandFailure } from './errors.ts';
import { flag } from './option.ts';
import { statusLines } from './status-text.ts';
import { jsonText } from './terminal-text.ts';

const ANSWERS_WITHIN_MS = 5_000;

export const status = defineCommand({
  description:
    'Asks the running daemon: each source and when it was last read, what is open, what waits to be delivered. Without ' +
    'a daemon it tells what was last committed to the state directory, and says so.',
  options: { json: flag('for programs') },
  examples: [
    ['linewatch status', 'a summary for people'],
    ['linewatch status --json', 'the same as JSON'],
  ],
  async run({ platform, config: file, options }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    const reader = { timezone: config.timezone, now: platform.clock.now() };
    const report = (await askDaemon(config)) ?? (await lastCommit(config, platform.clock.now));
    const lines = options.json ? [jsonText(report)] : statusLines(report, reader, config.stateDir);
    platform.out.write(`${lines.join('\n')}\n`);
    return EXIT.done;
  },
});

async function askDaemon({ stateDir }: Config): Promise<StatusReport | null> {
  try {
    return await askControl<ControlContract, 'status'>({
      path: join(stateDir, CONTROL_SOCKET),
      request: { name: 'status', ask: {} },
      timeoutMs: ANSWERS_WITHIN_MS,
    });
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    if (error.code === 'no-daemon') return null;
    throw new CommandFailure(error.message, { cause: error });
  }
}

async function lastCommit(config: Config, now: () => number): Promise<StatusReport> {
  const store = openStore({ directory: config.stateDir, disk: realDisk, access: 'read', now });
  return reportStatus(await lastPicture(config, store, now()));
}
