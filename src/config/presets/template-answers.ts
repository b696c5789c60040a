/** Input for the configuration template. */
import type { PAGE_TYPE_NAMES } from '../../pages/types.ts';

/** Answers of the user. */
export interface TemplateAnswers {
  page: WantedPage | null;
  /** Address of the account interface. */
  account: string | null;
  /** Customer of the account; null if unknown. */
  customer: string | null;
  /** IANA name; null for the system's zone. */
  timezone: string | null;
  sites: readonly WantedSite[];
  slack: boolean;
  pagerduty: boolean;
  webhook: WantedWebhook | null;
  /** Mail addresses. */
  mail: readonly string[];
  /** Null for the local mail server. */
  smtp: MailServer | null;
}

/** A site of the account. */
export interface WantedSite {
  /** External address. */
  address: string;
  name: string;
  /** Number of phones; null if unknown. */
  phones: number | null;
}

export interface WantedWebhook {
  url: string;
  /** A secret signs its requests. */
  isSigned: boolean;
}

/** All answers empty. */
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

/** A status page as written in the configuration. */
export interface WantedPage {
  name: string;
  type: (typeof PAGE_TYPE_NAMES)[number];
  baseUrl: string;
  /** Selected products and regions; null for all. */
  include: readonly string[] | null;
}

export interface MailServer {
  host: string;
  port: number | null;
  user?: string;
}

/** `mail.example.com`, `mail.example.com:465`, `linewatch@example.com@mail.example.com:587`; null if invalid. */
export function readMailServer(written: string): MailServer | null {
  const [, user, host = '', port] = /^(?:(.+)@)?(\[[^\]]+\]|[^:@\s]+)(?::(\d{1,5}))?$/.exec(written) ?? [];
  // A colon before the @ starts a password, which must not be on a command line.
  if (host === '' || user?.includes(':') === true) return null;
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? null : Number(port),
    ...(user !== undefined && { user }),
  };
}

/** A secret with its name in the configuration. */
export interface Credential {
  name: 'account' | 'slack' | 'smtp' | 'pagerduty' | 'webhook';
  /** Description for people. */
  what: string;
  /** The option that requires it. */
  option: string;
}

const CREDENTIALS: Readonly<Record<Credential['name'], Credential>> = {
  account: { name: 'account', what: 'the API key of your account', option: '--account' },
  slack: { name: 'slack', what: 'the address of the Slack webhook', option: '--slack' },
  smtp: { name: 'smtp', what: 'the password at the mail server', option: '--smtp' },
  pagerduty: { name: 'pagerduty', what: 'the routing key of PagerDuty', option: '--pagerduty' },
  webhook: { name: 'webhook', what: 'the secret that signs what the webhook gets', option: '--webhook-secret' },
};

/** Required secrets, in the order of the questions. */
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

export type KnownCredentials = Partial<Record<Credential['name'], string>>;

export function hasReceivers({ slack, pagerduty, webhook, mail }: TemplateAnswers): boolean {
  return slack || pagerduty || webhook !== null || mail.length > 0;
}
