/**
 * `linewatch config init`: writes a configuration to start from, and the secrets it needs as files of their own. Nothing
 * that is there is ever written over, and where anything is wrong nothing is written at all.
 */
import { constants } from 'node:fs';
import { access, chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { SYSTEM_FILE } from '../config/load.ts';
import { CREDENTIALS_DIR } from '../config/schema.ts';
import {
  credentialsOf,
  readMailServer,
  startingConfig,
  whatIsWrong,
  type MailServer,
  type WantedStart,
} from '../config/starting.ts';
import { greatest } from '../core/transition/long-lists.ts';
import { codeOf, whyRefused } from '../net/failure.ts';
import { CommandFailure, defineCommand, EXIT, flag, text, texts, UsageError } from './command.ts';
import { exists } from '../config/text-file.ts';
import { secretsFor, type GivenSecret, type SecretFiles } from './config-secrets.ts';
import type { Platform } from './platform.ts';
import { assumedPage, knownPage, readPage, type Sought } from './sought-page.ts';

export const configInit = defineCommand({
  description:
    'Writes a configuration to start from: to the file --config names, else to ./linewatch.yaml. Without options it is a ' +
    'commented one to fill in. With them it is ready to run: their secrets are asked for at a terminal, else read from ' +
    'standard input, a line each in the order API key, Slack, mail; they are never part of the command, which the shell ' +
    'remembers. They become files of mode 0600 beside the configuration, where it and the systemd unit find them. What is ' +
    'already there stays as it is.',
  options: {
    page: text(
      'URL|NAME',
      "the provider's status page, or that of another vendor; it is asked what kind of page it is",
    ),
    include: texts('NAME', 'of a cloud: a product or region you depend on; as often as wanted'),
    account: text('URL', 'the interface of your account there; its API key is asked for'),
    apiKeyFile: text('FILE', 'holds the API key, which is then not asked for'),
    slack: flag('tell people in Slack; the address of its incoming webhook is asked for'),
    slackFile: text('FILE', 'the same, and this file holds the address'),
    mail: texts('ADDRESS', 'tell these people by mail; as often as wanted'),
    smtp: text(
      '[USER@]HOST[:PORT]',
      'the mail server; the password of USER is asked for; default: that of this machine',
    ),
    smtpPasswordFile: text('FILE', 'holds that password'),
    print: flag('print it and write no file, and ask for no secret'),
  },
  examples: [
    ['linewatch config init', 'writes a ./linewatch.yaml to fill in'],
    ['linewatch config init --page https://status.example.com --slack', 'one that is ready to run'],
    [
      'sudo linewatch config init --config /etc/linewatch/linewatch.yaml --page https://status.example.com --account https://api.example.com --slack --mail ops@example.com',
      'the same for the systemd unit',
    ],
    ['linewatch config init --page twilio --mail ops@example.com', 'the page of a well-known vendor'],
    ['linewatch config init --print | less', 'only shows it'],
  ],
  takesExtraWords: true,
  async run({ platform, options, config, args }) {
    if (args.length > 0) throw new UsageError(EXTRA_WORDS);
    const file = config ?? 'linewatch.yaml';
    const sought = options.page === undefined ? null : pageFor(options.page);
    const assumed: WantedStart = {
      page: sought === null ? null : assumedPage(sought, options.include),
      account: options.account ?? null,
      slack: options.slack || options.slackFile !== undefined,
      mail: options.mail,
      smtp: mailServer(options.smtp),
    };
    const files = { account: options.apiKeyFile, slack: options.slackFile, smtp: options.smtpPasswordFile };
    refuseWhatDoesNotFit(assumed, files, options.smtp);
    if (options.include.length > 0 && sought === null) throw new UsageError('--include needs --page URL');
    const place = placeOf(resolve(platform.cwd, file), assumed);
    if (!options.print) {
      await makeRoom(file, place);
      if (await exists(place.file)) throw new CommandFailure(alreadyThere(file));
    }
    const { page, notes } =
      sought === null ? { page: null, notes: [] } : await readPage(sought, platform, options.include);
    const wanted: WantedStart = { ...assumed, page };
    const configuration = startingConfig({ schema: await schemaOf(platform), ...place.settings, wanted });
    if (options.print) {
      platform.out.write(configuration);
      for (const note of notes) platform.err.write(`${note}\n`);
      return EXIT.done;
    }
    const secrets = await secretsFor(platform, wanted, place.credentials, files);
    const owner = place.isForUnit && platform.user === 0 ? await unitUser() : null;
    await writeAll({ file, place, configuration, secrets, owner });
    const done = told({ platform, file, place, wanted, secrets, owner });
    platform.out.write(`${[...notes, ...done].join('\n')}\n`);
    return EXIT.done;
  },
});

/** An address is written as it is, for a configuration to be right whatever answers there: its scheme is not guessed. */
function pageFor(given: string): Sought {
  return knownPage(given) ?? { address: given, known: null };
}

/** What was written may be the secret. */
const EXTRA_WORDS =
  'there is a word too many. --slack takes no address: it is a secret, and the shell remembers what is typed here. It is ' +
  'asked for, read from standard input, or from a file: --slack-file FILE. --mail takes one address; write it once for each';

function mailServer(written: string | undefined): MailServer | null {
  if (written === undefined) return null;
  const server = readMailServer(written);
  if (server !== null) return server;
  throw new UsageError(
    '--smtp wants a mail server as in mail.example.com:587 or USER@mail.example.com, without a password',
  );
}

function refuseWhatDoesNotFit(wanted: WantedStart, files: SecretFiles, smtp: string | undefined): void {
  const { page, account, slack, mail } = wanted;
  if ((slack || mail.length > 0) && page === null && account === null) {
    throw new UsageError('there is nothing to watch yet: name it with --page URL, --account URL or both');
  }
  if (smtp !== undefined && mail.length === 0) throw new UsageError('--smtp needs --mail ADDRESS: whom to write to');
  if (files.account !== undefined && account === null) throw new UsageError('--api-key-file needs --account URL');
  if (files.smtp !== undefined && wanted.smtp?.user === undefined) {
    throw new UsageError('--smtp-password-file needs --smtp USER@HOST: whose password it is');
  }
  const [mistake] = whatIsWrong(wanted, {});
  if (mistake !== undefined) throw new UsageError(`${mistake.option}: ${mistake.message}`);
}

interface ConfigPlace {
  /** Absolute. */
  file: string;
  /** Absolute. */
  credentials: string;
  isForUnit: boolean;
  settings: { stateDir: string | null; credentialsDir: string | null };
}

/** The unit keeps its state elsewhere than beside the configuration, and commands beside it must find it, too. */
function placeOf(file: string, wanted: WantedStart): ConfigPlace {
  const isForUnit = dirname(file) === dirname(SYSTEM_FILE);
  if (isForUnit) {
    const settings = { stateDir: '/var/lib/linewatch', credentialsDir: CREDENTIALS_DIR };
    return { file, credentials: CREDENTIALS_DIR, isForUnit, settings };
  }
  const credentials = join(dirname(file), 'credentials');
  return {
    file,
    credentials,
    isForUnit,
    settings: { stateDir: null, credentialsDir: credentialsOf(wanted).length === 0 ? null : './credentials' },
  };
}

/** For editors; null where it was not installed along. */
async function schemaOf({ packageDirectory }: Platform): Promise<string | null> {
  const path = join(packageDirectory, 'config/linewatch.schema.json');
  return (await exists(path)) ? path : null;
}

/** Before anybody is asked for anything. */
async function makeRoom(file: string, place: ConfigPlace): Promise<void> {
  const folder = dirname(place.file);
  try {
    if (place.isForUnit) await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new CommandFailure(whyNot(file, error), { cause: error });
  }
}

interface Owner {
  user: number;
  group: number;
}

/** Null where the system has no such user yet. */
async function unitUser(): Promise<Owner | null> {
  const known = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, user, group] = /^linewatch:[^:]*:(\d+):(\d+):/m.exec(known) ?? [];
  return user === undefined ? null : { user: Number(user), group: Number(group) };
}

interface Writing {
  /** As the user named it. */
  file: string;
  place: ConfigPlace;
  configuration: string;
  secrets: readonly GivenSecret[];
  owner: Owner | null;
}

/** The configuration comes last: whoever finds one finds all that it needs. What was written before a failure goes. */
async function writeAll({ file, place, configuration, secrets, owner }: Writing): Promise<void> {
  const given = secrets.filter(({ state }) => state === 'given');
  const written: string[] = [];
  const write = async (path: string, content: string, mode: number): Promise<void> => {
    // `wx` fails on a file that exists, also on one that came to be a moment ago.
    await writeFile(path, content, { flag: 'wx', mode });
    written.push(path);
  };
  let current = file;
  try {
    if (secrets.length > 0) {
      current = place.credentials;
      const made = await mkdir(place.credentials, { recursive: true, mode: 0o700 });
      if (made !== undefined && owner !== null) await own(place.credentials, 0o750, { ...owner, user: 0 });
    }
    for (const { path, value } of given) {
      current = path;
      await write(path, `${value}\n`, 0o600);
      if (owner !== null) await own(path, 0o600, owner);
    }
    current = file;
    await write(place.file, configuration, 0o600);
    // The service only reads it.
    if (owner !== null) await own(place.file, 0o640, { ...owner, user: 0 });
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    throw new CommandFailure(whyNot(current, error), { cause: error });
  }
}

async function own(path: string, mode: number, { user, group }: Owner): Promise<void> {
  await chown(path, user, group);
  await chmod(path, mode);
}

function alreadyThere(file: string): string {
  return `${file} is already there and stays as it is; --config names another file`;
}

function whyNot(file: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'EEXIST') return alreadyThere(file);
  if (code === 'ENOENT') return `${file} cannot be written: its folder does not exist`;
  return `${file} cannot be written: ${whyRefused(error)}`;
}

interface Done extends Pick<Writing, 'file' | 'place' | 'secrets' | 'owner'> {
  platform: Platform;
  wanted: WantedStart;
}

/** What was done, what is left to do, and the commands that come next. */
function told({ platform, file, place, wanted, secrets, owner }: Done): string[] {
  const named = (state: GivenSecret['state']): GivenSecret[] => secrets.filter((secret) => secret.state === state);
  const shown = ({ path }: GivenSecret): string => (place.isForUnit ? path : relative(platform.cwd, path));
  const given = named('given').map(shown);
  const isDefault = file === 'linewatch.yaml' || file === SYSTEM_FILE;
  const check = `linewatch config check${isDefault ? '' : ` --config ${file}`}`;
  if (wanted.page === null && wanted.account === null) {
    return [`Wrote ${file}. Fill in your own addresses, then: ${check}`];
  }
  const tellsPeople = wanted.slack || wanted.mail.length > 0;
  const instead = (command: string): string => check.replace('config check', command);
  const start = place.isForUnit ? 'systemctl enable --now linewatch' : instead('run');
  const next: [string, string][] = [
    [check, 'what would run'],
    tellsPeople
      ? [instead('notify test'), 'a sample to all who would be told']
      : [instead('check'), 'how everything stands now'],
    [start, 'watches, and tells'],
  ];
  const isService = place.isForUnit && platform.user === 0;
  const isOthers = isService && owner === null;
  return [
    `Wrote ${[file, ...given].join(', ')}.`,
    ...named('kept').map((secret) => `${shown(secret)} was there already and is used as it is.`),
    ...named('missing').map(
      (secret) =>
        `Yet to be written: ${secret.what}. Paste it after: install -m 600 ${isService ? '-o linewatch ' : ''}/dev/stdin ${shown(secret)}`,
    ),
    ...(isOthers
      ? [
          'There is no user linewatch on this machine yet. Once there is: ' +
            `chown -R linewatch: ${place.credentials} && chgrp linewatch ${file} && chmod 640 ${file}`,
        ]
      : []),
    ...(tellsPeople ? [] : [`Whom to tell is yet to be written: the comments of ${file} show how.`]),
    'Next:',
    ...columns(next),
  ];
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = greatest(rows.map(([line]) => line.length));
  return rows.map(([line, meaning]) => `  ${line.padEnd(width)}  ${meaning}`);
}
