/**
 * `linewatch config init`: writes a first configuration, and its secrets as separate files. It never overwrites an
 * existing file, and after any error it writes nothing.
 */
import { join, resolve } from 'node:path';
import { createConfigTemplate } from '../../config/presets/template.ts';
import { isFile } from '../../config/text-file.ts';
import {
  listCredentials,
  hasReceivers,
  type WantedSite,
  type TemplateAnswers,
} from '../../config/presets/template-answers.ts';
import { formatList, formatCount } from '../../core/text/plain.ts';
import { canAsk } from '../account/dialogue.ts';
import { defineCommand, EXIT, UsageError } from '../command.ts';
import { createSecretSource, readSecretValue, type GivenSecret } from './config-secrets.ts';
import { readAccount, type FoundAccount } from '../init/account-facts.ts';
import { makeRoom, placeOf, listPlaceSettings, findUnitUser, writeAll } from '../init/config-place.ts';
import { describeNextSteps } from '../init/next-steps.ts';
import { askAccount, askCustomer, askPage, askReceivers, askSites } from '../init/questions.ts';
import { chooseTimezone } from '../init/time-zone.ts';
import {
  EXTRA_WORDS,
  INIT_OPTIONS,
  readWanted,
  refuseWhatDoesNotFit,
  listSecretFiles,
} from '../init/wanted-options.ts';
import type { Platform } from '../platform.ts';
import { composeAssumedPage, readPage, type SoughtPage } from './sought-page.ts';

export const configInit = defineCommand({
  description:
    'Writes a configuration to start from: to the file --config names, else to ./linewatch.yaml. At a terminal it asks ' +
    'for what no option says: what to watch, whose account it is, the time zone, a name for each place the phones are ' +
    'at, and whom to tell. Without a terminal it asks nothing: without options it is a commented one to fill in, with ' +
    'them it is ready to run. Secrets are asked for at a terminal, else read from standard input, a line each in the ' +
    'order API key, Slack, mail, PagerDuty, webhook; they are never part of the command, which the shell remembers. They ' +
    'become files of mode 0600 beside the configuration, where it and the systemd unit find them. What is already there ' +
    'stays as it is.',
  options: INIT_OPTIONS,
  examples: [
    ['linewatch config init', 'asks, and writes a ./linewatch.yaml that is ready to run'],
    ['linewatch config init --page https://status.example.com --slack', 'the same, with less to ask'],
    [
      'sudo linewatch config init --config /etc/linewatch/linewatch.yaml --page https://status.example.com --account https://api.example.com --customer "Acme Pty Ltd" --slack --mail ops@example.com',
      'the same for the systemd unit',
    ],
    ['linewatch config init --page twilio --mail ops@example.com', 'the page of a well-known vendor'],
    ['linewatch config init --print | less', 'only shows it'],
  ],
  takesExtraWords: true,
  async run({ platform, options, config, args }) {
    if (args.length > 0) throw new UsageError(EXTRA_WORDS);
    const file = config ?? 'linewatch.yaml';
    const isAsking = canAsk(platform) && !options.print;
    const given = readWanted(options);
    refuseWhatDoesNotFit(given.wanted, options, isAsking);
    const place = placeOf(resolve(platform.cwd, file));
    if (!options.print) await makeRoom(file, place);
    const { wanted: watched, sought } = isAsking ? await askWhatToWatch(platform, given) : given;
    refuseWhatDoesNotFit(watched, options, false);
    const { page, notes } =
      sought === null ? { page: null, notes: [] } : await readPage(sought, platform, options.include);
    const print = async (wanted: TemplateAnswers): Promise<string> =>
      createConfigTemplate({ schema: await schemaOf(platform), ...listPlaceSettings(place, wanted), wanted });
    if (options.print) {
      platform.out.write(await print({ ...watched, page }));
      for (const note of notes) platform.err.write(`${note}\n`);
      return EXIT.done;
    }
    const source = createSecretSource(platform, place.credentials, listSecretFiles(options));
    const secrets: GivenSecret[] = [];
    const takeSecrets = async (wanted: TemplateAnswers): Promise<void> => {
      const taken = new Set(secrets.map(({ name }) => name));
      for (const credential of listCredentials(wanted)) {
        if (!taken.has(credential.name)) secrets.push(await source.take(wanted, credential));
      }
    };
    const apart = { ...watched, page };
    // The key is needed to read the account, whose values are proposed.
    await takeSecrets({ ...apart, slack: false, smtp: null, pagerduty: false, webhook: null });
    const key = secrets[0] === undefined ? null : await readSecretValue(secrets[0]);
    const described = await describeAccount(platform, apart, key, isAsking);
    const wanted =
      isAsking && !hasReceivers(described.wanted) && (page !== null || watched.account !== null)
        ? await askReceivers(platform, described.wanted)
        : described.wanted;
    await takeSecrets(wanted);
    const owner = place.isForUnit && platform.user === 0 ? await findUnitUser() : null;
    await writeAll({ file, place, configuration: await print(wanted), secrets, owner });
    const done = describeNextSteps({ platform, file, place, wanted, secrets, owner });
    platform.out.write(`${[...notes, ...described.notes, ...done].join('\n')}\n`);
    return EXIT.done;
  },
});

interface WatchAnswers {
  wanted: TemplateAnswers;
  sought: SoughtPage | null;
}

/** If an option says what to watch, there is no question about it. */
async function askWhatToWatch(platform: Platform, { wanted, sought }: WatchAnswers): Promise<WatchAnswers> {
  if (wanted.page !== null || wanted.account !== null) return { wanted, sought };
  const page = await askPage(platform, wanted);
  const paged = { ...wanted, page: page === null ? null : composeAssumedPage(page, []) };
  return { wanted: { ...paged, account: await askAccount(platform, paged) }, sought: page };
}

interface AnswersWithNotes {
  wanted: TemplateAnswers;
  /** For people: values used without a question. */
  notes: readonly string[];
}

/** Name, time zone and sites of an account. If `key` is null, the account is not read. */
async function describeAccount(
  platform: Platform,
  wanted: TemplateAnswers,
  key: string | null,
  isAsking: boolean,
): Promise<AnswersWithNotes> {
  const { account, page } = wanted;
  if (account === null && page === null) return { wanted, notes: [] };
  const isNamed = account === null || wanted.customer !== null || !isAsking;
  const customer = isNamed ? wanted.customer : await askCustomer(platform, wanted);
  const named = { ...wanted, customer };
  const facts = account === null || key === null ? NOTHING_READ : await readAccount(platform, account, key);
  const trouble = 'why' in facts ? [`The account could not be read, so its sites have no names yet: ${facts.why}`] : [];
  const { sites: proposed, timezone: ofAccount } = 'why' in facts ? NOTHING_READ : facts;
  if (isAsking) for (const line of trouble) platform.err.write(`${line}\n`);
  const { timezone, note } = await chooseTimezone(platform, named, ofAccount, isAsking);
  const zoned = { ...named, timezone };
  const sites = await nameSites(platform, zoned, proposed, isAsking);
  const notes = [...(isAsking ? [] : trouble), ...(note === null ? [] : [note]), ...(isAsking ? [] : sitesNote(sites))];
  return { wanted: { ...zoned, sites }, notes };
}

const NOTHING_READ: FoundAccount = { sites: [], timezone: null };

/** Sites named by an option keep their names; others are named by the user, or get the proposed name. */
async function nameSites(
  platform: Platform,
  wanted: TemplateAnswers,
  proposed: FoundAccount['sites'],
  isAsking: boolean,
): Promise<WantedSite[]> {
  const given = wanted.sites.map((site) => ({
    ...site,
    phones: proposed.find(({ address }) => address === site.address)?.phones ?? null,
  }));
  const others = proposed.filter(({ address }) => !given.some((site) => site.address === address));
  return [...given, ...(isAsking ? await askSites(platform, { ...wanted, sites: given }, others) : others)];
}

function sitesNote(sites: readonly WantedSite[]): string[] {
  if (sites.length === 0) return [];
  const said = sites.map(
    ({ address, name, phones }) => `${name} (${address}${phones === null ? '' : `, ${formatCount(phones, 'phone')}`})`,
  );
  return [`Sites: ${formatList(said, 10)}. Change their names under accounts, sites.`];
}

/** Schema for editors; null if it is not installed. */
async function schemaOf({ packageDirectory }: Platform): Promise<string | null> {
  const path = join(packageDirectory, 'config/linewatch.schema.json');
  return (await isFile(path)) ? path : null;
}
