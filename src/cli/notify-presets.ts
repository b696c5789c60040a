/** `linewatch notify presets`: lists media for receivers of type http, with the settings of each. */
import { join } from 'node:path';
import { listPresetNames } from '../config/presets/media-rules.ts';
import { readPreset } from '../config/presets/preset-file.ts';
import { formatProblem } from '../config/problem.ts';
import { wrap } from '../core/text/wrap.ts';
import { describeProof } from '../core/wording/proof-words.ts';
import type { Preset, PresetKey } from '../receivers/http/preset.ts';
import { defineCommand, EXIT, flag, UsageError } from './command.ts';
import { findMediaDirectory } from './configuration.ts';
import { toTerminalJson, writeLines } from './terminal-text.ts';

export const notifyPresets = defineCommand({
  description:
    'Lists the media that a receiver of type http can speak to: the name of the preset, what a success proves, and the ' +
    'medium. With a name it prints what the preset asks for, and the lines for the configuration.',
  words: [['[NAME]', 'one preset']],
  options: { json: flag('for programs') },
  examples: [
    ['linewatch notify presets', 'which media there are'],
    ['linewatch notify presets telegram', 'what a receiver for Telegram needs'],
  ],
  async run({ platform, options, args }) {
    const media = findMediaDirectory(platform);
    const names = await listPresetNames(media);
    const [wanted] = args;
    const chosen = names.filter((name) => wanted === undefined || name === wanted);
    if (chosen.length === 0) throw new UsageError(`there is no preset '${wanted}'; there are: ${names.join(', ')}`);
    const presets = await Promise.all(chosen.map(async (name) => await loadPreset(join(media, `${name}.yaml`), name)));
    const [only] = presets;
    const lines =
      wanted === undefined || only === undefined ? presets.map(rowOf) : describePreset(only, platform.out.columns);
    if (options.json) {
      platform.out.write(
        `${toTerminalJson(presets.map(({ name, title, proves, keys }) => ({ name, title, proves, keys })))}\n`,
      );
    } else writeLines(platform.out, lines, 'There are none.');
    return EXIT.done;
  },
});

/** Throws a `UsageError` with all its mistakes. */
export async function loadPreset(path: string, shown: string): Promise<Preset> {
  const { preset, problems, unreadable } = await readPreset(path, shown);
  if (unreadable !== null) throw new UsageError(`${shown}: ${unreadable}`);
  if (preset === null) throw new UsageError(problems.map(formatProblem).join('\n  '));
  return preset;
}

function rowOf({ name, title, proves }: Preset): string {
  return `${name.padEnd(15)}${proves.padEnd(10)}${title}`;
}

function describePreset({ name, title, proves, keys }: Preset, columns: number): string[] {
  const entries = Object.entries(keys);
  const indent = ' '.repeat(10);
  const needed = entries.filter(([, about]) => isNeeded(about));
  const settings = needed.map(
    ([key, { secret }]) =>
      `    ${key}: ${secret ? `\${credential:${name}${needed.length > 1 ? `-${key}` : ''}}` : '…'}`,
  );
  return [
    title,
    ...wrap(`A success means ${describeProof(proves)}.`, columns),
    '',
    ...entries.flatMap(([key, about]) => {
      const [first = '', ...rest] = wrap(`${about.description} ${describeKey(about)}`, columns - indent.length);
      return [`${key.padEnd(indent.length)}${first}`, ...rest.map((line) => `${indent}${line}`)];
    }),
    '',
    'receivers:',
    `  - name: ops-${name}`,
    '    type: http',
    `    preset: ${name}`,
    ...settings,
  ];
}

function isNeeded({ optional, default: usual }: PresetKey): boolean {
  return !optional && usual === null;
}

function describeKey({ secret, optional, default: usual }: PresetKey): string {
  const parts = [
    ...(secret ? ['A secret.'] : []),
    ...(optional ? ['May be left out.'] : []),
    ...(usual === null ? [] : [`Default ${usual}.`]),
  ];
  return parts.join(' ');
}
