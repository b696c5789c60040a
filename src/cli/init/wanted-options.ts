/** Answers given by the options of `config init`, before any question. */
import { findMistakes } from '../../config/presets/template.ts';
import {
  hasReceivers,
  NOTHING_WANTED,
  readMailServer,
  type MailServer,
  type WantedSite,
  type TemplateAnswers,
} from '../../config/presets/template-answers.ts';
import { flag, text, texts, UsageError, type OptionValues } from '../command.ts';
import type { SecretFiles } from '../config/config-secrets.ts';
import { composeAssumedPage, findKnownPage, type SoughtPage } from '../config/sought-page.ts';

export const INIT_OPTIONS = {
  page: text('URL|NAME', "the provider's status page, or that of another vendor; it is asked what kind of page it is"),
  include: texts('NAME', 'of a cloud: a product or region you depend on; as often as wanted'),
  account: text('URL', 'the interface of your account there; its API key is asked for'),
  apiKeyFile: text('FILE', 'holds the API key, which is then not asked for'),
  customer: text('NAME', 'whose account it is, as people say it: messages and pages call it so'),
  timezone: text(
    'ZONE',
    "of the people who read, such as Australia/Melbourne; default: the account's, then the machine's",
  ),
  site: texts('ADDRESS=NAME', 'what a place with phones is called; others are called as the account proposes'),
  slack: flag('tell people in Slack; the address of its incoming webhook is asked for'),
  slackFile: text('FILE', 'the same, and this file holds the address'),
  mail: texts('ADDRESS', 'tell these people by mail; as often as wanted'),
  smtp: text('[USER@]HOST[:PORT]', 'the mail server; the password of USER is asked for; default: that of this machine'),
  smtpPasswordFile: text('FILE', 'holds that password'),
  pagerduty: flag('ring for what is critical; the routing key of PagerDuty is asked for'),
  pagerdutyFile: text('FILE', 'the same, and this file holds the key'),
  webhook: text('URL', 'tell a program, which gets CloudEvents there'),
  webhookSecret: flag('sign what it gets; the secret is asked for'),
  webhookSecretFile: text('FILE', 'the same, and this file holds the secret'),
  print: flag('print it and write no file, and ask for nothing'),
};
type InitOptions = OptionValues<typeof INIT_OPTIONS>;

/** The page is an assumption, as it was not requested yet. */
export function readWanted(options: InitOptions): { wanted: TemplateAnswers; sought: SoughtPage | null } {
  const { customer, timezone, webhook } = options;
  const sought = options.page === undefined ? null : parsePageOption(options.page);
  const isSigned = options.webhookSecret || options.webhookSecretFile !== undefined;
  const wanted: TemplateAnswers = {
    ...NOTHING_WANTED,
    page: sought === null ? null : composeAssumedPage(sought, options.include),
    account: options.account ?? null,
    customer: customer?.trim() ?? null,
    timezone: timezone ?? null,
    sites: options.site.map(readSite),
    slack: options.slack || options.slackFile !== undefined,
    pagerduty: options.pagerduty || options.pagerdutyFile !== undefined,
    webhook: webhook === undefined ? null : { url: webhook, isSigned },
    mail: options.mail,
    smtp: mailServer(options.smtp),
  };
  return { wanted, sought };
}

export function listSecretFiles(options: InitOptions): SecretFiles {
  return {
    account: options.apiKeyFile,
    slack: options.slackFile,
    smtp: options.smtpPasswordFile,
    pagerduty: options.pagerdutyFile,
    webhook: options.webhookSecretFile,
  };
}

function readSite(written: string): WantedSite {
  const [, address, name] = /^([^=\s]+)=(.+)$/.exec(written) ?? [];
  if (address !== undefined && name !== undefined) return { address, name: name.trim(), phones: null };
  throw new UsageError(`--site is written ADDRESS=NAME, such as 203.0.113.7=Richmond, not '${written}'`);
}

/** An address is used unchanged, as its scheme cannot be guessed; the configuration is valid whatever answers there. */
export function parsePageOption(given: string): SoughtPage {
  return findKnownPage(given) ?? { address: given, known: null };
}

/** Not quoted: the text may be the secret. */
export const EXTRA_WORDS =
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

/** Options that require another one. `isAsked`: sources and receivers will still be asked for. */
export function refuseWhatDoesNotFit(wanted: TemplateAnswers, options: InitOptions, isAsked: boolean): void {
  const { page, account, mail, smtp, webhook } = wanted;
  if (!isAsked && page === null && account === null && hasReceivers(wanted)) {
    throw new UsageError('there is nothing to watch yet: name it with --page URL, --account URL or both');
  }
  const needs: readonly (readonly [given: boolean, sentence: string])[] = [
    [options.include.length > 0 && page === null, '--include needs --page URL'],
    [options.smtp !== undefined && mail.length === 0, '--smtp needs --mail ADDRESS: whom to write to'],
    [options.apiKeyFile !== undefined && account === null, '--api-key-file needs --account URL'],
    [!isAsked && wanted.customer !== null && account === null, '--customer needs --account URL: whose account it is'],
    [!isAsked && wanted.sites.length > 0 && account === null, '--site needs --account URL: whose phones are there'],
    [
      options.smtpPasswordFile !== undefined && smtp?.user === undefined,
      '--smtp-password-file needs --smtp USER@HOST: whose password it is',
    ],
    [
      (options.webhookSecret || options.webhookSecretFile !== undefined) && webhook === null,
      '--webhook-secret needs --webhook URL: what it signs',
    ],
  ];
  const missing = needs.find(([isMissing]) => isMissing);
  if (missing !== undefined) throw new UsageError(missing[1]);
  const [mistake] = findMistakes(wanted, {});
  if (mistake !== undefined) throw new UsageError(`${mistake.option}: ${mistake.message}`);
}
