/** The entries of the configuration template. */
import { SELF_NAME } from '../../core/engine/self-source.ts';
import { isLoopback } from '../../net/hosts.ts';
import { toSlug } from '../slug.ts';
import type { Credential, KnownCredentials, MailServer, WantedPage, TemplateAnswers } from './template-answers.ts';

/** Keys as in the file; unknown secrets are references. */
export function createEntry(wanted: TemplateAnswers, known: KnownCredentials): Record<string, unknown> {
  const { page, account, timezone } = wanted;
  const receivers = createReceivers(wanted, known);
  return {
    ...(timezone !== null && { timezone }),
    ...(page !== null && { status_pages: [createPageEntry(page)] }),
    ...(account !== null && { accounts: [accountEntry(wanted, account, secretOf('account', known))] }),
    ...(receivers.length > 0 && { receivers, route: routeEntry(receivers.map(({ name }) => name)) }),
  };
}

function secretOf(name: Credential['name'], known: KnownCredentials): string {
  return known[name] ?? `\${credential:${name}}`;
}

function accountEntry(
  { page, customer, sites }: TemplateAnswers,
  baseUrl: string,
  apiKey: string,
): Record<string, unknown> {
  return {
    name: accountName(customer, page),
    ...(customer !== null && { display_name: customer }),
    base_url: baseUrl,
    api_key: apiKey,
    // Only the provider's own page explains losses by default.
    ...(page !== null && page.type !== 'provider' && { status_page: page.name }),
    ...(sites.length > 0 && { sites: Object.fromEntries(sites.map(({ address, name }) => [address, name])) }),
  };
}

/** Named after the customer; never like a page or Linewatch itself. */
function accountName(customer: string | null, page: WantedPage | null): string {
  const slug = toSlug(customer ?? '') || 'account';
  return slug === page?.name || slug === SELF_NAME ? `${slug.slice(0, 55)}-account` : slug;
}

export function createReceivers(
  wanted: TemplateAnswers,
  known: KnownCredentials,
): (Record<string, unknown> & { name: string })[] {
  const { slack, pagerduty, webhook, mail, smtp } = wanted;
  const secret = (name: Credential['name']): string => secretOf(name, known);
  return [
    ...(slack ? [{ name: 'ops-slack', type: 'slack', webhook_url: secret('slack') }] : []),
    ...(mail.length === 0
      ? []
      : [
          {
            name: 'ops-mail',
            type: 'email',
            smtp: smtpOf(smtp, secret('smtp')),
            from: senderFor(mail, smtp),
            to: mail,
          },
        ]),
    ...(pagerduty ? [{ name: PAGER, type: 'pagerduty', routing_key: secret('pagerduty') }] : []),
    ...(webhook === null
      ? []
      : [
          {
            name: 'ops-webhook',
            type: 'webhook',
            url: webhook.url,
            ...(webhook.isSigned && { secret: secret('webhook') }),
          },
        ]),
  ];
}

const PAGER = 'ops-pagerduty';

/** A pager gets critical alerts, or all alerts if it is the only receiver. */
function routeEntry(receivers: readonly string[]): Record<string, unknown> {
  const others = receivers.filter((name) => name !== PAGER);
  if (others.length === 0 || others.length === receivers.length) return { receivers };
  return { receivers: others, routes: [{ matchers: { severity: ['critical'] }, receivers }] };
}

/** As written in the file. */
export function createPageEntry({ name, type, baseUrl, include }: WantedPage): Record<string, unknown> {
  return {
    name,
    ...(type !== 'provider' && { type }),
    base_url: baseUrl,
    ...(include !== null && { components: { include } }),
  };
}

function smtpOf(smtp: MailServer | null, password: string): Record<string, unknown> {
  const { host, port, user } = smtp ?? { host: 'localhost', port: null };
  const security = port === 465 ? 'tls' : isLoopback(host) && user === undefined ? 'none' : 'starttls';
  const login = user === undefined ? {} : { username: user, password };
  return { host, ...(port !== null && { port }), security, ...login };
}

/** Many servers accept only the logged-in sender. */
function senderFor(mail: readonly string[], smtp: MailServer | null): string {
  const user = smtp?.user;
  if (user?.includes('@') === true) return `Linewatch <${user}>`;
  return `Linewatch <linewatch@${/@([^@>]*)>?$/.exec(mail[0]?.trim() ?? '')?.[1] ?? 'localhost'}>`;
}
