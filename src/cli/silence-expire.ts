/** `linewatch silence expire`: end a silence early. */
import { askDaemon } from './ask-daemon.ts';
import { defineCommand, EXIT } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { silenceLine } from './silence-text.ts';

export const silenceExpire = defineCommand({
  description:
    'Ends a silence now. What it held back goes out at once: what is still open as it stands, the rest summarised.',
  words: [['<ID>', 'the silence, as `silence list` shows it; its first characters are enough']],
  options: {},
  examples: [['linewatch silence expire 3f2a', 'ends the silence whose id begins so']],
  async run({ platform, config: file, args }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    const silence = await askDaemon(config.stateDir, 'silence.expire', { id: args[0] ?? '' });
    platform.out.write(`${silenceLine(silence, { timezone: config.timezone, now: platform.clock.now() })}\n`);
    return EXIT.done;
  },
});
