/** Questions of `config init` at a terminal. Each is repeated until its answer is valid. */
import { formatCount } from '../../core/text/plain.ts';
import { findMistakes } from '../../config/presets/template.ts';
import { readMailServer, type WantedSite, type TemplateAnswers } from '../../config/presets/template-answers.ts';
import { ask } from '../account/dialogue.ts';
import { CommandFailure, UsageError } from '../command.ts';
import type { Output, Platform } from '../platform.ts';
import { writeLines } from '../terminal-text.ts';
import { parsePageOption } from './wanted-options.ts';
import { composeAssumedPage, type SoughtPage } from '../config/sought-page.ts';
import type { ProposedSite } from './proposed-sites.ts';

/** Length of most answers. */
const ANSWER_COLUMNS = 32;

/** `wrong` returns the mistake in an answer; null for none. */
async function askLine(
  platform: Platform,
  question: string,
  wrong: (answer: string) => string | null,
): Promise<string> {
  for (;;) {
    const typed = await ask(platform, toPrompt(question, platform.err), { isHidden: false });
    if (typed === null) throw new CommandFailure('nothing was written');
    const answer = typed.trim();
    const message = wrong(answer);
    if (message === null) return answer;
    writeLines(platform.err, [`That cannot be: ${message}`]);
  }
}

/** A long question gets its answer on a separate line, so that no word breaks. */
function toPrompt(question: string, { columns }: Output): string {
  return question.length + ANSWER_COLUMNS > columns ? `${question}:\n> ` : `${question}: `;
}

/** The mistake that `config check` would report for this answer, which an option could have given as well. */
function mistakeIn(option: string, wanted: TemplateAnswers): string | null {
  return findMistakes(wanted, {}).find((mistake) => mistake.option === option)?.message ?? null;
}

export async function askPage(platform: Platform, wanted: TemplateAnswers): Promise<SoughtPage | null> {
  const found = (answer: string): SoughtPage | string | null => {
    try {
      return answer === '' ? null : parsePageOption(answer);
    } catch (error) {
      if (error instanceof UsageError || error instanceof CommandFailure) return error.message;
      throw error;
    }
  };
  const question = 'The provider’s status page: address, or a vendor’s name (Enter for none)';
  const answer = await askLine(platform, question, (typed) => {
    const sought = found(typed);
    if (sought === null) return null;
    return typeof sought === 'string'
      ? sought
      : mistakeIn('--page', { ...wanted, page: composeAssumedPage(sought, []) });
  });
  const sought = found(answer);
  return typeof sought === 'string' ? null : sought;
}

export async function askAccount(platform: Platform, wanted: TemplateAnswers): Promise<string | null> {
  const question = 'Your account there, as in https://api.example.com (Enter for none)';
  const answer = await askLine(platform, question, (account) =>
    account === '' ? null : mistakeIn('--account', { ...wanted, account }),
  );
  return answer === '' ? null : answer;
}

export async function askCustomer(platform: Platform, wanted: TemplateAnswers): Promise<string | null> {
  const question = 'Name of the customer or firm whose account it is (Enter for none)';
  const answer = await askLine(platform, question, (customer) =>
    customer === '' ? null : mistakeIn('--customer', { ...wanted, customer }),
  );
  return answer === '' ? null : answer;
}

/** Enter accepts the proposal. */
export async function askTimezone(
  platform: Platform,
  wanted: TemplateAnswers,
  proposed: string,
  of: string,
): Promise<string> {
  const question = `Time zone of messages [${proposed}, ${of}]`;
  const answer = await askLine(platform, question, (timezone) =>
    timezone === '' ? null : mistakeIn('--timezone', { ...wanted, timezone }),
  );
  return answer === '' ? proposed : answer;
}

/** For each address, Enter accepts the proposed name, and a hyphen leaves it without one. */
export async function askSites(
  platform: Platform,
  wanted: TemplateAnswers,
  proposed: readonly ProposedSite[],
): Promise<WantedSite[]> {
  if (proposed.length === 0) return [];
  const addresses = formatCount(proposed.length, 'address', 'addresses');
  writeLines(platform.err, [
    `Phones register from ${addresses}. Name each site: Enter takes the name in brackets, - gives it none.`,
  ]);
  const sites: WantedSite[] = [];
  for (const { address, phones, name } of proposed) {
    const site = (given: string): WantedSite => ({ address, name: given === '' ? name : given, phones });
    const answer = await askLine(platform, `  ${address}, ${formatCount(phones, 'phone')} [${name}]`, (typed) =>
      typed === '-' ? null : mistakeIn('--site', { ...wanted, sites: [...sites, site(typed)] }),
    );
    if (answer !== '-') sites.push(site(answer));
  }
  return sites;
}

const MEDIA = ['slack', 'mail', 'pagerduty', 'webhook'] as const;
type Medium = (typeof MEDIA)[number];

/** Destination of messages, without its secrets. */
export async function askReceivers(platform: Platform, wanted: TemplateAnswers): Promise<TemplateAnswers> {
  const question = `Where messages go: ${MEDIA.join(', ')}, or several (Enter for none yet)`;
  const answer = await askLine(platform, question, (typed) => {
    const unknown = mediaIn(typed).find((word) => !isMedium(word));
    return unknown === undefined ? null : `there is no '${unknown}', only ${MEDIA.join(', ')}`;
  });
  const media = mediaIn(answer).filter(isMedium);
  const answered = { ...wanted, slack: media.includes('slack'), pagerduty: media.includes('pagerduty') };
  const mailed = media.includes('mail') ? await askMail(platform, answered) : answered;
  return media.includes('webhook') ? await askWebhook(platform, mailed) : mailed;
}

function mediaIn(answer: string): string[] {
  const words = answer.toLowerCase().split(/[\s,]+/);
  return words.filter((word) => word !== '' && word !== 'and').map((word) => (word === 'email' ? 'mail' : word));
}

const isMedium = (word: string): word is Medium => MEDIA.some((medium) => medium === word);

async function askMail(platform: Platform, wanted: TemplateAnswers): Promise<TemplateAnswers> {
  const read = (typed: string): string[] => typed.split(/[\s,;]+/).filter((address) => address !== '');
  const to = await askLine(platform, 'Mail addresses, several with commas', (typed) =>
    read(typed).length === 0 ? 'at least one address is needed' : mistakeIn('--mail', { ...wanted, mail: read(typed) }),
  );
  const mail = read(to);
  const question = 'Mail server: HOST, HOST:PORT or USER@HOST (Enter for this machine)';
  const server = await askLine(platform, question, (typed) => {
    if (typed === '') return null;
    const smtp = readMailServer(typed);
    return smtp === null
      ? 'a mail server is HOST, HOST:PORT or USER@HOST, without a password'
      : mistakeIn('--smtp', { ...wanted, mail, smtp });
  });
  return { ...wanted, mail, smtp: server === '' ? null : readMailServer(server) };
}

async function askWebhook(platform: Platform, wanted: TemplateAnswers): Promise<TemplateAnswers> {
  const url = await askLine(platform, 'Address of the webhook', (typed) =>
    mistakeIn('--webhook', { ...wanted, webhook: { url: typed, isSigned: false } }),
  );
  const signed = await askLine(platform, 'Sign what it gets with a secret? [Y/n]', (typed) =>
    /^(y(es)?|no?|)$/i.test(typed) ? null : 'yes or no?',
  );
  return { ...wanted, webhook: { url, isSigned: !/^n/i.test(signed) } };
}
