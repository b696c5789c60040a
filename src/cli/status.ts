/** `linewatch status`: what the running daemon knows, or what it knew last. */
import type { Config } from '../config/config.ts';
import { lastPicture } from '../daemon/picture.ts';
import { reportStatus, type StatusReport } from '../core/view/status-report.ts';
import { realDisk } from '../store/disk.ts';
import { openFiles } from '../store/files.ts';
import { askIfRunning } from './ask-daemon.ts';
import { defineCommand, EXIT, flag } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { statusLines } from './status-text.ts';
import { jsonText } from './terminal-text.ts';

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
    const report =
      (await askIfRunning(config.stateDir, 'status', {})) ?? (await lastCommit(config, platform.clock.now));
    const lines = options.json ? [jsonText(report)] : statusLines(report, reader, config.stateDir);
    platform.out.write(`${lines.join('\n')}\n`);
    return EXIT.done;
  },
});

async function lastCommit(config: Config, now: () => number): Promise<StatusReport> {
  const store = openFiles({ directory: config.stateDir, disk: realDisk, access: 'read', now });
  return reportStatus(await lastPicture(config, store, now()));
}
