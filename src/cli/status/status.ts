/** `linewatch status`: prints the running daemon's status, or the last stored one. */
import type { Config } from '../../config/config.ts';
import { reportStatus } from '../../core/view/status-report.ts';
import { formatRest } from '../../core/text/plain.ts';
import type { Whereabouts } from '../ask-daemon.ts';
import { CommandFailure, defineCommand, EXIT, flag } from '../command.ts';
import { readKeptState } from '../kept-state.ts';
import { findReachableDaemon } from '../reach-daemon.ts';
import { formatStatus } from './status-text.ts';
import { toTerminalJson, writeLines } from '../terminal-text.ts';

export const status = defineCommand({
  description:
    'Asks the running daemon: each source and when it was last read, what is open, what waits to be delivered. It is ' +
    'found wherever its state is, by the configuration it runs with. Without a daemon this tells what was last ' +
    'committed to the state directory, and says where it looked.',
  options: {
    json: flag('for programs'),
    alive: flag('end with exit code 1 where no daemon answers, as a health check wants it'),
  },
  examples: [
    ['linewatch status', 'a summary for people'],
    ['linewatch status --json', 'the same as JSON'],
    ['linewatch status --alive > /dev/null', 'a health check'],
  ],
  async run({ platform, config: file, options }) {
    const { place, reader, find, ask, requireConfig } = await findReachableDaemon(platform, file);
    const found = await find();
    if (options.alive && found.stateDir === null) throw new CommandFailure(`no daemon runs ${place.file}`);
    const report =
      found.stateDir === null
        ? reportStatus((await readKeptState(requireConfig(), platform)).status())
        : await ask('status', {});
    const [sum = '', head = '', ...lines] = formatStatus(report, reader, place.stateDir);
    if (options.json) platform.out.write(`${toTerminalJson(report)}\n`);
    else writeLines(platform.out, [sum, head, ...placeLines(found, place), ...lines]);
    return EXIT.done;
  },
});

const NAMED_DAEMONS = 3;

/** The place where a daemon was expected, for users who expect another one; empty if there is no problem. */
function placeLines({ stateDir, others }: Whereabouts, config: Pick<Config, 'stateDir' | 'file'>): string[] {
  if (stateDir !== null) {
    if (stateDir === config.stateDir) return [];
    return [`Its state is in ${stateDir}; by ${config.file} alone it would be in ${config.stateDir}.`];
  }
  const lines = others
    .slice(0, NAMED_DAEMONS)
    .map((other) =>
      other.file === null
        ? `  One has its state in ${other.stateDir}, and only its user and root may ask it: try with sudo.`
        : `  Another runs ${other.file}, with its state in ${other.stateDir}: linewatch status --config ${other.file}`,
    );
  const more = formatRest(others.length - lines.length).map((rest) => `  ${rest}`);
  return [`No daemon of this machine runs ${config.file}.`, ...lines, ...more];
}
