/** What a person has at hand for a configuration to start from, and the secrets that it takes. */
import type { PAGE_TYPE_NAMES } from '../pages/types.ts';

/** What a person has at hand. */
export interface TemplateAnswers {
  page: WantedPage | null;
  /** The address of the account interface. */
  account: string | null;
  /** Whose account it is, as people say it; null where nobody said. */
  customer: string | null;
  /** IANA name; null for that of the system. */
  timezone: string | null;
  sites: readonly WantedSite[];
  slack: boolean;
  pagerduty: boolean;
  webhook: WantedWebhook | null;
  /** Mail addresses. */
  mail: readonly string[];
  /** Null for that of this machine. */
  smtp: MailServer | null;
}

/** Where phones of the account are. */
export interface WantedSite {
  /** External, as the configuration has it. */
  address: string;
  name: string;
  /** How many there are; null where that is not known. */
  phones: number | null;
}

export interface WantedWebhook {
  url: string;
  /** A secret signs what it gets. */
  isSigned: boolean;
}

/** Nothing at all. */
export const NOTHING_WANTED: TemplateAnswers = {
  page: null,
  account: null,
  customer: null,
  timezone: null,
  sites: [],
  slack: false,
  pagerduty: false,
  webhook: null,
  mail: [],
  smtp: null,
};

/** A status page, as its entry in the configuration has it. */
export interface WantedPage {
  name: string;
  type: (typeof PAGE_TYPE_NAMES)[number];
  baseUrl: string;
  /** The products and regions that count; null where all of it does. */
  include: readonly string[] | null;
}

export interface MailServer {
  host: string;
  port: number | null;
  user?: string;
}

/** `mail.example.com`, `mail.example.com:465`, `linewatch@example.com@mail.example.com:587`; null for what is none. */
export function readMailServer(written: string): MailServer | null {
  const [, user, host = '', port] = /^(?:(.+)@)?(\[[^\]]+\]|[^:@\s]+)(?::(\d{1,5}))?$/.exec(written) ?? [];
  // What follows a colon before the @ is a password, and does not belong on a command line.
  if (host === '' || user?.includes(':') === true) return null;
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? null : Number(port),
    ...(user !== undefined && { user }),
  };
}

/** A secret, by the name it has in the configuration. */
export interface Credential {
  name: 'account' | 'slack' | 'smtp' | 'pagerduty' | 'webhook';
  /** For people. */
  what: string;
  /** What brought it about. */
  option: string;
}

const CREDENTIALS: Readonly<Record<Credential['name'], Credential>> = {
  account: { name: 'account', what: 'the API key of your account', option: '--account' },
  slack: { name: 'slack', what: 'the address of the Slack webhook', option: '--slack' },
  smtp: { name: 'smtp', what: 'the password at the mail server', option: '--smtp' },
  pagerduty: { name: 'pagerduty', what: 'the routing key of PagerDuty', option: '--pagerduty' },
  webhook: { name: 'webhook', what: 'the secret that signs what the webhook gets', option: '--webhook-secret' },
};

/** The secrets it needs, in the order in which they are asked for. */
export function listCredentials({ account, slack, smtp, pagerduty, webhook }: TemplateAnswers): Credential[] {
  const wanted: Readonly<Record<Credential['name'], boolean>> = {
    account: account !== null,
    slack,
    smtp: smtp?.user !== undefined,
    pagerduty,
    webhook: webhook?.isSigned === true,
  };
  return Object.values(CREDENTIALS).filter(({ name }) => wanted[name]);
}

export type Known = Partial<Record<Credential['name'], string>>;

/** Somebody is told. */
export function hasReceivers({ slack, pagerduty, webhook, mail }: TemplateAnswers): boolean {
  return slack || pagerduty || webhook !== null || mail.length > 0;
}
