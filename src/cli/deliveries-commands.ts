/** `linewatch deliveries`: what waits and what was refused, and what the operator does about it. */
import { askDaemon } from './ask-daemon.ts';
import { defineCommand, EXIT, flag, text, UsageError, type Command } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { jsonText } from './terminal-text.ts';
import type { WaitingReport } from '../daemon/delivery-asks.ts';
import { timeText, type Reader } from './time-text.ts';
import { plural } from '../core/text/plain.ts';

export const deliveriesList = defineCommand({
  description: 'Lists what the running daemon has promised and not delivered yet, oldest first, and why.',
  options: { json: flag('for programs') },
  examples: [['linewatch deliveries list', 'what waits, what was refused']],
  async run({ platform, config: file, options }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    const all = await askDaemon(config, 'deliveries.list', {});
    const reader = { timezone: config.timezone, now: platform.clock.now() };
    const lines = options.json ? [jsonText(all)] : all.map((delivery) => deliveryLine(delivery, reader));
    platform.out.write(`${lines.length === 0 ? 'Nothing waits.' : lines.join('\n')}\n`);
    return EXIT.done;
  },
});

/** What it is, and below it why it is still here. */
export function deliveryLine(delivery: WaitingReport, reader: Reader): string {
  const { id, receiver, state, alert, title, kinds, promised_at: at, reason } = delivery;
  const about = `${alert === null ? '' : `#${alert} `}${title} (${kinds.join(', ')})`;
  const why = reason === null ? '' : `\n          ${reason}`;
  const standing = state === 'removed' ? 'receiver removed' : state;
  return `${id.slice(0, 8)}  ${receiver}  ${standing}, promised ${timeText(at, reader)}  ${about}${why}`;
}

const options = {
  receiver: text('NAME', 'only messages for this receiver'),
  all: flag('every message that was refused'),
};

interface DeliveryCommand {
  name: 'deliveries.retry' | 'deliveries.drop';
  description: string;
  examples: readonly (readonly [string, string])[];
  done(count: number): string;
}

function deliveryCommand({ name, description, examples, done }: DeliveryCommand): Command {
  return defineCommand({
    description,
    words: [['[ID]', 'one message, as `deliveries list` shows it; its first characters are enough']],
    options,
    examples,
    async run({ platform, config: file, options: given, args }) {
      const { config } = await loadConfiguration(platform, file, 'check');
      const id = args[0] ?? null;
      if ((id === null) !== given.all) throw new UsageError('name one message, or say --all');
      const count = await askDaemon(config, name, { receiver: given.receiver ?? null, id });
      platform.out.write(`${done(count)}\n`);
      return EXIT.done;
    },
  });
}

export const deliveriesRetry = deliveryCommand({
  name: 'deliveries.retry',
  description: 'Sends refused messages again, and tries at once what waits for a receiver that fails.',
  examples: [['linewatch deliveries retry --all --receiver ops-slack', 'after its webhook address was mended']],
  done: (count) => `${plural(count, 'message')} will be tried now.`,
});

export const deliveriesDrop = deliveryCommand({
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
