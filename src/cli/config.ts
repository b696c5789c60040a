/** `linewatch config`: validate a configuration, describe what may stand in one, write one to start from. */
import { formatDuration } from '../core/text/duration.ts';
import { plan, type StatusPagePlan } from '../config/plan.ts';
import { formatProblem } from '../config/problem.ts';
import type { Config } from '../config/config.ts';
import { CommandFailure, defineCommand, EXIT, flag } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { configJsonSchemaText } from '../config/schema.ts';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SYSTEM_FILE } from '../config/load.ts';
import { startingConfig } from '../config/starting.ts';
import { codeOf, whyRefused } from '../net/failure.ts';

export const configCheck = defineCommand({
  description:
    'Validates the configuration with everything it includes, and says what would run: which sources are read how ' +
    'often and at what cost, and which receivers nobody reaches. Credentials that cannot be read are warnings here; ' +
    '"run" refuses them. Nothing is asked of the provider and nobody is told anything.',
  options: {},
  examples: [
    ['linewatch config check', 'checks ./linewatch.yaml, else /etc/linewatch/linewatch.yaml'],
    ['linewatch config check --config new.yaml && mv new.yaml linewatch.yaml', 'takes a change only if it is right'],
  ],
  async run({ platform, config: file }) {
    const { config, warnings, files, exposed } = await loadConfiguration(platform, file, 'check');
    for (const warning of warnings) platform.err.write(`${formatProblem(warning)}\n`);
    const { statusPages, remarks } = plan(config);
    const lines = [
      `The configuration is right: ${files.join(', ')}`,
      ...statusPages.map(describePage),
      ...config.accounts.map(describeAccount),
      ...config.receivers.map(({ name, type }) => `receiver ${name}: ${type}`),
      ...remarks.map((remark) => `note: ${remark}`),
      ...exposed.map(
        (file) => `note: ${file} holds secrets, and every user of this machine can read it: chmod o-r ${file}`,
      ),
    ];
    platform.out.write(`${lines.join('\n')}\n`);
    return EXIT.done;
  },
});

function describePage(page: StatusPagePlan): string {
  const costs = page.costs.map(
    ({ components, requests, takes }) => `${components} components: ${requests} requests in ${seconds(takes)}`,
  );
  const often = `every ${formatDuration(page.interval)}, during an incident every ${formatDuration(page.intervalDuringIncident)}`;
  return `status page ${page.name}: ${often} (a sweep of ${costs.join(', of ')})`;
}

function describeAccount({ name, registrations, toggles }: Config['accounts'][number]): string {
  const phones =
    registrations.extensions === 'all' ? 'all extensions' : `${registrations.extensions.length} extensions`;
  return (
    `account ${name}: registrations of ${phones} every ${formatDuration(registrations.interval)}, ` +
    `toggles every ${formatDuration(toggles.interval)} (${toggles.expect.length} expected to follow a schedule)`
  );
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export const configSchema = defineCommand({
  description: 'Prints the JSON Schema (draft 2020-12) of the configuration, for editors and other programs.',
  options: {},
  examples: [['linewatch config schema > linewatch.schema.json', 'keeps it beside the configuration']],
  run: async ({ platform }) => {
    platform.out.write(configJsonSchemaText());
    return EXIT.done;
  },
});

/** Its owner alone may read it: sooner or later somebody writes a password into it. */
const MODE = 0o600;

export const configInit = defineCommand({
  description:
    'Writes a commented configuration to start from: to the file --config names, else to ./linewatch.yaml. ' +
    'A file that is already there stays as it is.',
  options: { print: flag('print it and write no file') },
  examples: [
    ['linewatch config init', 'writes ./linewatch.yaml'],
    ['linewatch config init --print | less', 'only shows it'],
  ],
  async run({ platform, options, config }) {
    const path = resolve(platform.cwd, config ?? 'linewatch.yaml');
    // The unit's own file: what the unit sets for the service, commands beside it must find, too.
    const text = startingConfig(null, dirname(path) === dirname(SYSTEM_FILE));
    if (options.print) {
      platform.out.write(text);
      return EXIT.done;
    }
    const file = config ?? 'linewatch.yaml';
    try {
      // `wx` fails on a file that exists, also on one that came to be a moment ago.
      await writeFile(path, text, { flag: 'wx', mode: MODE });
    } catch (error) {
      throw new CommandFailure(whyNot(file, error), { cause: error });
    }
    platform.out.write(`Wrote ${file}. Fill in your own addresses, then: linewatch config check --config ${file}\n`);
    return EXIT.done;
  },
});

function whyNot(file: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'EEXIST') return `${file} is already there and stays as it is; --config names another file`;
  if (code === 'ENOENT') return `${file} cannot be written: its folder does not exist`;
  return `${file} cannot be written: ${whyRefused(error)}`;
}
