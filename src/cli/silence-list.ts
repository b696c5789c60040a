/** `linewatch silence list`: what is muted. */
import { askDaemon } from './ask-daemon.ts';
import { defineCommand, EXIT } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { flag } from './option.ts';
import { silenceLine } from './silence-text.ts';
import { jsonText } from './terminal-text.ts';

export const silenceList = defineCommand({
  description:
    'Lists the silences of the running daemon: those to come, those active, and with --expired those that have ended.',
  options: { expired: flag('also those that have ended'), json: flag('for programs') },
  examples: [['linewatch silence list', 'what is muted now, and what will be']],
  async run({ platform, config: file, options }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    const all = await askDaemon(config.stateDir, 'silence.list', {});
    const shown = all.filter(({ state }) => options.expired || state !== 'expired');
    const reader = { timezone: config.timezone, now: platform.clock.now() };
    const lines = options.json ? [jsonText(shown)] : shown.map((silence) => silenceLine(silence, reader));
    platform.out.write(`${lines.length === 0 ? 'No silences.' : lines.join('\n')}\n`);
    return EXIT.done;
  },
});
