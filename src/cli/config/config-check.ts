/** `linewatch config`: validate a configuration, and describe its schema. */
import { formatDuration } from '../../core/text/duration.ts';
import { createPlan, type StatusPagePlan } from '../../config/plan.ts';
import { splitSources, type SourceShard } from '../../config/shards.ts';
import { formatProblem } from '../../config/problem.ts';
import type { Config, StatusPageConfig } from '../../config/config.ts';
import { formatRest, formatList, formatCount } from '../../core/text/plain.ts';
import { loadPageType } from '../../pages/types.ts';
import type { PageLimits } from '../../pages/vendor-page.ts';
import { defineCommand, EXIT, flag } from '../command.ts';
import { loadConfiguration } from '../configuration.ts';
import { writeLines } from '../terminal-text.ts';
import { formatConfigJsonSchema } from '../../config/schema/schema.ts';
import { lookAtPages } from './page-look.ts';
import { hasReference } from '../../config/references.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';

/** Number of names that fit on a line. */
const NAMED_SOURCES = 5;
/** Timeout, as a user waits for the result. */
const DATABASE_ANSWERS_WITHIN_MS = 5_000;

export const configCheck = defineCommand({
  description:
    'Validates the configuration with everything it includes, and says what would run: which sources are read how ' +
    'often and at what cost, and which receivers nobody reaches. Credentials that cannot be read are warnings here; ' +
    '"run" refuses them. Each status page is looked at once, to see that it is what its type says; accounts are not, ' +
    'and nobody is told anything.',
  options: { offline: flag('ask neither the status pages nor the database: read the files only') },
  examples: [
    ['linewatch config check', 'checks ./linewatch.yaml, else /etc/linewatch/linewatch.yaml'],
    ['linewatch config check --config new.yaml && mv new.yaml linewatch.yaml', 'takes a change only if it is right'],
  ],
  async run({ platform, config: file, options: { offline } }) {
    const { config, warnings, files, exposed } = await loadConfiguration(platform, file, 'check');
    for (const warning of warnings) platform.err.write(`${formatProblem(warning)}\n`);
    const { statusPages, remarks } = createPlan(config);
    const seen = offline ? [] : await lookAtPages(config, platform);
    for (const { level, page, message } of seen) {
      if (level === 'warning') platform.err.write(`warning: status page ${page}: ${message}\n`);
    }
    const lines = [
      `The configuration is right: ${namedFew(files)}`,
      ...statusPages.map(describePage),
      ...(await Promise.all(config.statusPages.flatMap(describeVendorPage))),
      ...describeAccounts(config.accounts),
      ...describeReceivers(config.receivers),
      ...(offline ? [] : await describeDatabase(config)),
      ...remarks.map((remark) => `note: ${remark}`),
      ...seen.flatMap(({ level, page, message }) =>
        level === 'note' ? [`note: status page ${page}: ${message}`] : [],
      ),
      ...exposed.map(
        (file) => `note: ${file} holds secrets, and every user of this machine can read it: chmod o-r ${file}`,
      ),
    ];
    writeLines(platform.out, lines);
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

/** The limits of this type of page matter as much as its interval. */
function describeVendorPage({ name, type, interval, intervalDuringIncident }: StatusPageConfig): Promise<string>[] {
  if (type === 'provider') return [];
  const often = `every ${formatDuration(interval)}, during an incident every ${formatDuration(intervalDuringIncident)}`;
  return [
    loadPageType(type).then(({ limits }) => `status page ${name}: ${limits.called}, ${often} (${showsText(limits)})`),
  ];
}

function showsText({ ends, history, components, hits, maintenance, texts }: PageLimits): string {
  const lacking = [
    ...(components ? [] : ['components']),
    ...(hits ? [] : ['what a notice affects']),
    ...(maintenance ? [] : ['planned work']),
    ...(texts ? [] : ['texts']),
    ...(ends === 'absence' ? ['how a notice ends'] : []),
  ];
  const kept = history === null ? 'nothing is kept of what is over' : `kept are ${history}`;
  return lacking.length === 0 ? kept : `it does not show ${formatList(lacking, Infinity, ' or ')}; ${kept}`;
}

/** A few one by one, more together if they are read alike. */
function describeAccounts(accounts: Config['accounts']): string[] {
  if (accounts.length <= NAMED_SOURCES) return accounts.map(describeAccount);
  const alike = Map.groupBy(accounts, ({ registrations: { interval, extensions }, toggles }) =>
    [interval, toggles.interval, extensions === 'all'].join(' '),
  );
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    if (others.length === 0) return [describeAccount(first)];
    const all = [first, ...others];
    const expected = all.reduce((sum, { toggles }) => sum + toggles.expect.length, 0);
    const numbers = all.flatMap(({ registrations: { extensions } }) => (extensions === 'all' ? [] : extensions));
    const { registrations, toggles } = first;
    return [
      `${all.length} accounts (${namedFew(all.map(({ name }) => name))}): ` +
        readText(
          first.registrations.extensions === 'all' ? 'all extensions' : formatCount(numbers.length, 'extension'),
          {
            registrations,
            toggles,
            expected,
          },
        ),
    ];
  });
}

function describeReceivers(receivers: Config['receivers']): string[] {
  if (receivers.length <= NAMED_SOURCES) return receivers.map((one) => `receiver ${one.name}: ${mediumOf(one)}`);
  return [...Map.groupBy(receivers, mediumOf)].map(
    ([type, alike]) =>
      `${alike.length === 1 ? 'receiver' : `${alike.length} receivers`} ${namedFew(alike.map(({ name }) => name))}: ${type}`,
  );
}

/** Names the preset, which says more than HTTP. */
function mediumOf(receiver: Config['receivers'][number]): string {
  return receiver.type === 'http' ? `http, ${receiver.preset.title}` : receiver.type;
}

/** `a, b and 3 more` */
function namedFew(names: readonly string[]): string {
  return [names.slice(0, NAMED_SOURCES).join(', '), ...formatRest(names.length - NAMED_SOURCES)].join(' ');
}

function describeAccount({ name, registrations, toggles }: Config['accounts'][number]): string {
  const { extensions } = registrations;
  const phones = extensions === 'all' ? 'all extensions' : formatCount(extensions.length, 'extension');
  return `account ${name}: ${readText(phones, { registrations, toggles, expected: toggles.expect.length })}`;
}

interface AccountReading extends Pick<Config['accounts'][number], 'registrations' | 'toggles'> {
  /** Number of toggles with a schedule. */
  expected: number;
}

function readText(phones: string, { registrations, toggles, expected }: AccountReading): string {
  return (
    `registrations of ${phones} every ${formatDuration(registrations.interval)}, ` +
    `toggles every ${formatDuration(toggles.interval)} (${expected} expected to follow a schedule)`
  );
}

/** Tests the current database: a refusal is reported here, but the configuration is valid. */
async function describeDatabase(config: Config): Promise<string[]> {
  const { database } = config;
  if (database === null || hasReference(database.url)) return [];
  const { openDatabase } = await import('../../store/postgres/connection.ts');
  const { listMissingRights: missingRights } = await import('../../store/postgres/tables.ts');
  const opened = await openDatabase({ url: database.url, timeoutMs: DATABASE_ANSWERS_WITHIN_MS });
  try {
    const missing = await missingRights(opened);
    const rights = missing.map((right) => `note: ${opened.place}: its user lacks ${right}`);
    const shards = database.shards === 1 ? [] : splitSources(config, database.shards).map(describeShard);
    return [`state in ${opened.place}, lease ${formatDuration(database.lease)}`, ...shards, ...rights];
  } catch (error) {
    return [`note: ${error instanceof DatabaseError ? error.message : 'the database cannot be asked.'}`];
  } finally {
    await opened.close();
  }
}

function describeShard({ number, sources }: SourceShard): string {
  return `shard ${number}: ${sources.length === 0 ? 'nothing to watch' : formatList(sources, NAMED_SOURCES)}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export const configSchema = defineCommand({
  description: 'Prints the JSON Schema (draft 2020-12) of the configuration, for editors and other programs.',
  options: {},
  examples: [['linewatch config schema > linewatch.schema.json', 'keeps it beside the configuration']],
  run: async ({ platform }) => {
    platform.out.write(formatConfigJsonSchema());
    return EXIT.done;
  },
});
