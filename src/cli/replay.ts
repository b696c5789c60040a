/** `linewatch replay`: what would have been told, had this history happened with this configuration. */
import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { replay as playBack } from '../daemon/replay.ts';
import { loadHistory } from '../simulator/history.ts';
import { defineCommand, EXIT } from './command.ts';
import { loadConfiguration, NoConfiguration } from './configuration.ts';
import { flag, text } from './option.ts';
import type { Platform } from './platform.ts';
import { recordedSteps, replayOptions } from './replay-input.ts';
import { lines, messageLine, transitionLine, type OutputOptions } from './replay-output.ts';
import { readSimulatorFile } from './simulator-file.ts';
import { append } from '../core/transition/long-lists.ts';

export const replay = defineCommand({
  description:
    'Runs recorded or written histories of pages and accounts through the real pipeline in virtual time and prints ' +
    'what would have been told to whom, when and why. It plays until nothing waits to be told; nothing is sent and ' +
    'nothing is written. Without a configuration everything goes to one receiver. What a history says of an account ' +
    'goes before what the configuration says of it. "linewatch run --record DIR" records such histories from the ' +
    'live sources.',
  words: [['<FILE...>', 'recorded histories']],
  options: {
    source: text('NAME', 'the status page of the configuration to stand for; default: the first'),
    fromQuiet: flag(
      'begin with a quiet page, as if the watch had been running: what is open at the first step is then new',
    ),
    full: flag('the whole messages and not only their first lines'),
    events: flag('also what programs (webhooks) would have received'),
    json: flag('for programs: one JSON object a line, for every message to people and for every transition'),
  },
  examples: [
    ['linewatch replay incident.json', 'what the configuration here would have made of it'],
    ['linewatch replay --full --from-quiet incident.json', 'with the messages in full, from the opening on'],
    ['linewatch replay --json night.json | jq -r \'select(.type == "message") | .title\'', 'its messages alone'],
  ],
  async run({ platform, config: file, options, args }) {
    const config = await configurationIfAny(platform, file);
    const timezone = config?.timezone ?? platform.timezone;
    const written: string[] = [];
    for (const path of args) {
      const place = resolve(platform.cwd, path);
      const history = readSimulatorFile('history', place, loadHistory);
      const given = replayOptions({ history, file: place, config, source: options.source, timezone });
      const { said, happened } = await playBack({ ...given, steps: recordedSteps(history, place, options.fromQuiet) });
      const people = new Set(given.receivers.flatMap(({ name, audience }) => (audience === 'people' ? [name] : [])));
      const shown = said.filter(({ receiver }) => options.events || people.has(receiver));
      const output: OutputOptions = {
        route: given.route,
        timezone,
        instance: config?.instance ?? 'replay',
        labels: new Map((given.accounts ?? []).map(({ name, labels }) => [name, labels])),
      };
      if (options.json) {
        const all = [
          ...happened.map((one) => ({ at: one.transition.at, line: transitionLine(path, one) })),
          ...shown.map((one) => ({ at: one.at, line: messageLine(path, one, output) })),
        ];
        append(
          written,
          all.toSorted((a, b) => a.at - b.at).map(({ line }) => line),
        );
      } else {
        const style = { width: platform.out.columns, colour: platform.out.colour };
        const title = history.title === '' ? history.name : `${history.name}: ${history.title}`;
        append(written, [title, ...lines(shown, output, style, options.full), '']);
      }
    }
    platform.out.write(`${written.join('\n')}\n`);
    return EXIT.done;
  },
});

async function configurationIfAny(platform: Platform, file: string | undefined): Promise<Config | null> {
  try {
    return (await loadConfiguration(platform, file, 'check')).config;
  } catch (error) {
    // Without a configuration there is still something to see; a wrong one is a mistake.
    if (error instanceof NoConfiguration) return null;
    throw error;
  }
}
