/** The configuration template written by `config init`: valid except for missing secrets. */
import { Document, isScalar } from 'yaml';
import { formatCount } from '../../core/text/plain.ts';
import { configSchema } from '../schema/schema.ts';
import { validate } from '../validate.ts';
import { createEntry, createReceivers } from './template-entries.ts';
import {
  ACCOUNT,
  CHOICE_HINT,
  CREDENTIALS_HINT,
  HEAD,
  HTTP_HINT,
  MAIL_HINT,
  PAGE,
  PAGE_HINTS,
  RECEIVERS,
  REPEAT_HINT,
  ROUTE,
  ROUTES_HINT,
  STATE_HINT,
  VENDOR_HINTS,
  ZONE_HINT,
} from './template-texts.ts';
import type { KnownCredentials, WantedPage, WantedSite, TemplateAnswers } from './template-answers.ts';

interface AnswerMistake {
  option: string;
  message: string;
}

/** Errors in the answers and known secrets. Messages contain no secret. */
export function findMistakes(wanted: TemplateAnswers, known: KnownCredentials): AnswerMistake[] {
  const { mistakes } = validate(configSchema, createEntry(wanted, known));
  return mistakes.map(({ path, message }) => ({ option: optionOf(path, wanted), message }));
}

const RECEIVER_OPTIONS: Readonly<Record<string, string>> = {
  'ops-slack': '--slack',
  'ops-mail': '--mail',
  'ops-pagerduty': '--pagerduty',
  'ops-webhook': '--webhook',
};

function optionOf([list, index, key]: readonly (string | number)[], wanted: TemplateAnswers): string {
  if (list === 'status_pages') return '--page';
  if (list === 'timezone') return '--timezone';
  if (list === 'accounts') return key === 'sites' ? '--site' : key === 'display_name' ? '--customer' : '--account';
  const { name = '' } = createReceivers(wanted, {})[Number(index)] ?? {};
  if (key === 'smtp') return '--smtp';
  return key === 'secret' ? '--webhook-secret' : (RECEIVER_OPTIONS[name] ?? '--mail');
}

export interface TemplateOptions {
  /** Location of the JSON Schema for editors; null without one. */
  schema: string | null;
  /** Directories of state and credentials; null for the defaults. */
  stateDir: string | null;
  credentialsDir: string | null;
  wanted: TemplateAnswers;
}

/** YAML with comments and a final line end. Without a page and an account, both are samples. */
export function createConfigTemplate({ schema, stateDir, credentialsDir, wanted }: TemplateOptions): string {
  const { timezone, ...entry } = createEntry(wanted, {});
  const isSample = wanted.page === null && wanted.account === null;
  const hasRoutes = typeof entry['route'] === 'object' && 'routes' in (entry['route'] ?? {});
  return [
    ...(schema === null ? [] : [`# yaml-language-server: $schema=${schema}`]),
    HEAD,
    timezone === undefined ? ZONE_HINT : `timezone: ${wanted.timezone}    # of the times people read`,
    stateDir === null ? STATE_HINT : `state_dir: ${stateDir}`,
    credentialsDir === null
      ? CREDENTIALS_HINT
      : `credentials_dir: ${credentialsDir}    # a file for each secret, of mode 0600`,
    HTTP_HINT,
    '# Status pages: the provider\'s, and those of other vendors ("linewatch config detect URL" prints their lines).',
    section({ status_pages: entry['status_pages'] }, PAGE, isSample),
    wanted.page === null && !isSample ? '' : pageHints(wanted.page),
    '# Your own accounts at the provider.',
    section({ accounts: entry['accounts'] }, ACCOUNT, false, wanted.sites),
    '# Where messages go: slack, email, webhook or pagerduty.',
    section({ receivers: entry['receivers'] }, RECEIVERS, isSample),
    isSample ? MAIL_HINT : '',
    '# Which receivers get what. The first child that matches wins; these receivers get what no child matches.',
    section({ route: entry['route'] }, ROUTE, isSample),
    ...(isSample || entry['route'] !== undefined ? [REPEAT_HINT, hasRoutes ? '' : ROUTES_HINT] : []),
  ]
    .filter((part) => part !== '')
    .join('\n')
    .replace(/\n(?=# (?:http:|Where messages|Which receivers|Status pages|Your own))/g, '\n\n')
    .concat('\n');
}

/** The entry, or a sample that is active or commented out. */
function section(
  given: Record<string, unknown>,
  sample: string,
  sampleCounts: boolean,
  sites: readonly WantedSite[] = [],
): string {
  const [value] = Object.values(given);
  if (value === undefined) return sampleCounts ? sample : sample.replace(/^/gm, '# ');
  const document = new Document(given);
  for (const { address, phones } of sites) {
    const name = document.getIn(['accounts', 0, 'sites', address], true);
    if (isScalar(name) && phones !== null) name.comment = ` ${formatCount(phones, 'phone')}`;
  }
  return document.toString({ lineWidth: 0, indentSeq: true }).trimEnd();
}

function pageHints(page: WantedPage | null): string {
  if (page === null || page.type === 'provider') return PAGE_HINTS;
  return page.include === null ? VENDOR_HINTS : `${CHOICE_HINT}\n${VENDOR_HINTS.replace(/\n.*$/, '')}`;
}
