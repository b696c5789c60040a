/** `linewatch deliveries retry` and `drop`: what the operator does about messages that were not taken. */
import { askDaemon } from './ask-daemon.ts';
import { defineCommand, EXIT, type Command } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { UsageError } from './errors.ts';
import { flag, text } from './option.ts';
import { plural } from '../core/text/plain.ts';

const options = {
  receiver: text('NAME', 'only messages for this receiver'),
  all: flag('every message that was refused'),
};

interface Deed {
  name: 'deliveries.retry' | 'deliveries.drop';
  description: string;
  examples: readonly (readonly [string, string])[];
  done(count: number): string;
}

function deed({ name, description, examples, done }: Deed): Command {
  return defineCommand({
    description,
    words: [['[ID]', 'one message, as `deliveries list` shows it; its first characters are enough']],
    options,
    examples,
    async run({ platform, config: file, options: given, args }) {
      const { config } = await loadConfiguration(platform, file, 'check');
      const id = args[0] ?? null;
      if ((id === null) !== given.all) throw new UsageError('name one message, or say --all');
      const count = await askDaemon(config.stateDir, name, { receiver: given.receiver ?? null, id });
      platform.out.write(`${done(count)}\n`);
      return EXIT.done;
    },
  });
}

export const deliveriesRetry = deed({
  name: 'deliveries.retry',
  description: 'Sends refused messages again, and tries at once what waits for a receiver that fails.',
  examples: [['linewatch deliveries retry --all --receiver ops-slack', 'after its webhook address was mended']],
  done: (count) => `${plural(count, 'message')} will be tried now.`,
});

export const deliveriesDrop = deed({
  name: 'deliveries.drop',
  description:
    'Gives messages up for good: those that were refused, one that waits, or all that wait for a receiver that is no ' +
    'longer configured.',
  examples: [
    ['linewatch deliveries drop 3f2a', 'gives up the message whose id begins so'],
    ['linewatch deliveries drop --all --receiver old-slack', 'what waits for a receiver that was removed'],
  ],
  done: (count) => `${plural(count, 'message')} dropped.`,
});
