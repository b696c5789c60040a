/** `linewatch notify test`: sends a sample message through the real receivers, and prints their responses. */
import { resolve } from 'node:path';
import type { ReceiverConfig } from '../config/schema/receiver-schema.ts';
import { sendSample } from '../daemon/requests/receiver-test.ts';
import { createConfiguredReceivers } from '../daemon/setup/receivers.ts';
import { readProof, type Outcome, type Receiver } from '../receivers/receiver.ts';
import { KINDS, type Kind } from '../core/transition/kind.ts';
import { defineCommand, EXIT, text, UsageError } from './command.ts';
import { loadConfiguration, requireReadable } from './configuration.ts';
import { loadPreset } from './notify-presets.ts';
import { selectProxy } from './platform.ts';

export const notifyTest = defineCommand({
  description:
    'Sends a sample message through the receivers of the configuration, or through the one that is named, and prints ' +
    'what each answered. The message says that it is a test; where it rings somebody it is ended at once. The exit code is 1 when one of them did not take it.',
  words: [['[RECEIVER]', 'the name of one receiver; default: all']],
  options: {
    kind: text('K', 'what the sample tells of, such as notice.opened (default) or source.unreachable'),
    presetFile: text('FILE', 'a preset of your own in place of that of RECEIVER, which is of type http'),
  },
  examples: [
    ['linewatch notify test', 'tries every receiver'],
    ['linewatch notify test my-desk --preset-file ./my-desk.yaml', 'tries a preset before it is configured'],
    ['linewatch notify test ops-mail --kind maintenance.reminder', 'a mail as maintenance announces itself'],
  ],
  async run({ platform, config: file, options, args }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    const kind = kindOf(options.kind ?? 'notice.opened');
    const [wanted] = args;
    const names = config.receivers.map(({ name }) => name);
    if (names.length === 0) throw new UsageError('the configuration has no receivers');
    const chosen = config.receivers.filter(({ name }) => wanted === undefined || name === wanted);
    if (chosen.length === 0) throw new UsageError(`there is no receiver '${wanted}'; there are: ${names.join(', ')}`);
    for (const receiver of chosen) requireReadable(`receiver ${receiver.name}`, receiver);
    const own = options.presetFile;
    const tried = own === undefined ? chosen : [await withPreset(chosen, resolve(platform.cwd, own), own)];
    const receivers = await createConfiguredReceivers(
      { ...config, receivers: tried },
      { now: platform.clock.now, componentName: () => null, proxy: selectProxy(platform) },
    );
    const answers = await Promise.all(
      receivers.map(async (receiver) => [receiver, await sendSample(receiver, kind, platform.clock.now())] as const),
    );
    for (const [receiver, outcome] of answers) {
      platform.out.write(`${receiver.name} (${receiver.type}): ${said(receiver, outcome)}\n`);
    }
    return answers.every(([, outcome]) => outcome.kind === 'delivered') ? EXIT.done : EXIT.failed;
  },
});

/** The one named receiver, with another preset. */
async function withPreset(
  [only, ...others]: readonly ReceiverConfig[],
  path: string,
  shown: string,
): Promise<ReceiverConfig> {
  if (only?.type !== 'http' || others.length > 0) {
    throw new UsageError('--preset-file goes with the name of a receiver of type http');
  }
  const preset = await loadPreset(path, shown);
  const missing = Object.entries(preset.keys).filter(
    ([key, about]) => !Object.hasOwn(only.keys, key) && about.default === null && !about.optional,
  );
  if (missing.length > 0) {
    throw new UsageError(
      `receiver ${only.name} lacks what the preset asks for: ${missing.map(([key]) => key).join(', ')}`,
    );
  }
  return { ...only, preset };
}

function kindOf(written: string): Kind {
  const kind = KINDS.find((known) => known === written);
  if (kind === undefined) throw new UsageError(`there is no kind '${written}'; there are: ${KINDS.join(', ')}`);
  return kind;
}

function said(receiver: Receiver, outcome: Outcome): string {
  switch (outcome.kind) {
    case 'delivered':
      return `${readProof(receiver, outcome)}, ${outcome.detail}`;
    case 'transient':
      return `not now: ${outcome.reason}`;
    case 'permanent':
      return `refused: ${outcome.reason}`;
  }
}
