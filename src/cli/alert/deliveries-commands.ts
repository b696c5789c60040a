/** `linewatch deliveries`: list waiting and refused messages, retry and drop them. */
import { defineCommand, EXIT, flag, text, UsageError, type Command } from '../command.ts';
import { findReachableDaemon } from '../reach-daemon.ts';
import { toTerminalJson, writeLines } from '../terminal-text.ts';
import { formatReaderTime, type ReaderTime } from '../time-text.ts';
import type { DeliveryReport, WaitingReport } from '../../core/view/status-schema.ts';
import { describeProof } from '../../core/wording/proof-words.ts';
import { formatList, formatCount } from '../../core/text/plain.ts';

export const deliveriesList = defineCommand({
  description:
    'Lists what the running daemon has promised and not delivered yet, oldest first, and why; then the outcome of the ' +
    'last message to each receiver: shown to people, taken by the medium, or accepted and perhaps lost.',
  options: { json: flag('for programs') },
  examples: [['linewatch deliveries list', 'what waits, what was refused']],
  async run({ platform, config: file, options }) {
    const { reader, ask } = await findReachableDaemon(platform, file);
    const all = await ask('deliveries.list', {});
    const lines = all.flatMap((delivery) => formatDelivery(delivery, reader));
    if (options.json) platform.out.write(`${toTerminalJson(all)}\n`);
    else {
      const { deliveries } = await ask('status', {});
      const last = deliveries.flatMap((one) => formatLast(one, reader));
      writeLines(platform.out, [...(lines.length === 0 ? ['Nothing waits.'] : lines), ...last]);
    }
    return EXIT.done;
  },
});

/** `ops-teams: last message 14:03, accepted: the medium may still lose it without saying so`. */
function formatLast(
  { receiver, last, weekly }: Pick<DeliveryReport, 'receiver' | 'last' | 'weekly'>,
  reader: ReaderTime,
): string[] {
  const lines = [
    ...(last === undefined ? [] : [`last message ${formatReaderTime(last.at, reader)}, ${describeProof(last.proof)}`]),
    ...(weekly === undefined ? [] : [formatWeekly(weekly, reader)]),
  ];
  return lines.map((line) => `${receiver}: ${line}`);
}

/** `seen by people 14:03`, `not seen by people since Tue 10:00`. */
function formatWeekly(
  { state, asked_at: asked, seen_at: seen }: NonNullable<DeliveryReport['weekly']>,
  reader: ReaderTime,
): string {
  const last = seen === null ? 'never seen by people' : `last seen by people ${formatReaderTime(seen, reader)}`;
  if (state === 'proved' || asked === null) return last;
  return `${last}; asked ${formatReaderTime(asked, reader)}${state === 'unproved' ? ', and nobody has answered' : ''}`;
}

/** The message, and below it the reason why it still waits. */
export function formatDelivery(delivery: WaitingReport, reader: ReaderTime): string[] {
  const { id, receiver, state, alert, title, kinds, promised_at: at, reason } = delivery;
  const about = `${alert === null ? '' : `#${alert} `}${title} (${kinds.join(', ')})`;
  const standing = state === 'removed' ? 'receiver removed' : state;
  return [
    `${id.slice(0, 8)}  ${receiver}  ${standing}, promised ${formatReaderTime(at, reader)}  ${about}`,
    ...(reason === null ? [] : [`          ${reason}`]),
  ];
}

const options = {
  receiver: text('NAME', 'only messages for this receiver'),
  all: flag('every message that was refused'),
};

/** Null for none. */
type ChosenMessages = { receiver: string | null; id: string | null } | null;

interface DeliveryCommand {
  name: 'deliveries.retry' | 'deliveries.drop';
  description: string;
  /** Chooses if neither message nor receiver is named. */
  unnamed: (all: readonly WaitingReport[]) => ChosenMessages;
  examples: readonly (readonly [string, string])[];
  done: (count: number) => string;
}

function deliveryCommand({ name, description, unnamed, examples, done }: DeliveryCommand): Command {
  return defineCommand({
    description,
    words: [
      [
        '[WHICH]',
        'one message, by the first characters of its id in `deliveries list`, or a receiver, for all that waits for it',
      ],
    ],
    options,
    examples,
    async run({ platform, config: file, options: given, args }) {
      const [which] = args;
      if (which !== undefined && given.all) throw new UsageError(`either '${which}' or --all, not both`);
      const { ask } = await findReachableDaemon(platform, file);
      const receiver = given.receiver ?? null;
      const all = given.all ? [] : await ask('deliveries.list', {});
      const chosen = given.all ? { receiver, id: null } : (chooseNamed(all, which, receiver) ?? unnamed(all));
      platform.out.write(`${chosen === null ? 'Nothing waits.' : done(await ask(name, chosen))}\n`);
      return EXIT.done;
    },
  });
}

/** The name of a receiver takes precedence over the start of an id; null if neither is named. */
function chooseNamed(
  all: readonly WaitingReport[],
  which: string | undefined,
  receiver: string | null,
): ChosenMessages {
  if (which === undefined) return receiver === null ? null : { receiver, id: null };
  return all.some((delivery) => delivery.receiver === which) ? { receiver: which, id: null } : { receiver, id: which };
}

/** All messages of the only receiver with waiting ones; null if none wait. */
function chooseOnlyReceiver(all: readonly WaitingReport[]): ChosenMessages {
  const [only, ...others] = new Set(all.map(({ receiver }) => receiver));
  if (only === undefined) return null;
  if (others.length === 0) return { receiver: only, id: null };
  throw new UsageError(
    `messages wait for ${formatList([only, ...others])}: name one of them, or one message, or say --all`,
  );
}

export const deliveriesRetry = deliveryCommand({
  name: 'deliveries.retry',
  description: 'Sends refused messages again, and tries at once what waits for a receiver that fails.',
  unnamed: chooseOnlyReceiver,
  examples: [
    ['linewatch deliveries retry', 'where one receiver has messages waiting'],
    ['linewatch deliveries retry ops-slack', 'after its webhook address was mended'],
    ['linewatch deliveries retry 3f2a', 'the message whose id begins so'],
  ],
  done: (count) => `${formatCount(count, 'message')} will be tried now.`,
});

export const deliveriesDrop = deliveryCommand({
  name: 'deliveries.drop',
  description:
    'Gives messages up for good: those that were refused, one that waits, or all that wait for a receiver that is no ' +
    'longer configured.',
  unnamed() {
    throw new UsageError('name one message or a receiver, or say --all: what is dropped is never sent');
  },
  examples: [
    ['linewatch deliveries drop 3f2a', 'gives up the message whose id begins so'],
    ['linewatch deliveries drop old-slack', 'what waits for a receiver that was removed'],
  ],
  done: (count) => `${formatCount(count, 'message')} dropped.`,
});
