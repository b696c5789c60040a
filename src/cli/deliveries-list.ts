/** `linewatch deliveries list`: what waits, what was refused. */
import { askDaemon } from './ask-daemon.ts';
import { defineCommand, EXIT } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { flag } from './option.ts';
import { deliveryLine } from './deliveries-text.ts';
import { jsonText } from './terminal-text.ts';

export const deliveriesList = defineCommand({
  description: 'Lists what the running daemon has promised and not delivered yet, oldest first, and why.',
  options: { json: flag('for programs') },
  examples: [['linewatch deliveries list', 'what waits, what was refused']],
  async run({ platform, config: file, options }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    const all = await askDaemon(config.stateDir, 'deliveries.list', {});
    const reader = { timezone: config.timezone, now: platform.clock.now() };
    const lines = options.json ? [jsonText(all)] : all.map((delivery) => deliveryLine(delivery, reader));
    platform.out.write(`${lines.length === 0 ? 'Nothing waits.' : lines.join('\n')}\n`);
    return EXIT.done;
  },
});
