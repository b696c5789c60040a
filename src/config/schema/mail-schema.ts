/** Sending mail: server, login and DKIM signature. */
import { createPrivateKey } from 'node:crypto';
import type * as z from 'zod';
import { address, mailbox } from '../address.ts';
import { choice, flag, number, oneOrMore, optional, secret, settings, text } from './fields.ts';

const SMTP_SECURITIES = ['starttls', 'tls', 'none'] as const;
const PORTS = { starttls: 587, tls: 465, none: 25 } as const;

/** Microsoft's scopes for sending mail: as the application, and on behalf of the owner of the refresh token. */
const MICROSOFT_SCOPES = {
  application: 'https://outlook.office365.com/.default',
  person: 'https://outlook.office.com/SMTP.Send offline_access',
} as const;

/** Default scope: the error for a wrong one is incomprehensible. */
function usualScope(tenant: string | null, refreshToken: string | null): string | null {
  if (tenant === null) return null;
  return refreshToken === null ? MICROSOFT_SCOPES.application : MICROSOFT_SCOPES.person;
}

/** Microsoft's token address contains the tenant. */
function microsoftTokens(tenant: string): string {
  return `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
}

const oauthSchema = settings({
  user: text({ title: 'User', description: 'The mailbox that sends.', examples: ['linewatch@example.com'] }, onOneLine),
  tenant: optional(
    text(
      {
        title: 'Tenant',
        description: 'Of Microsoft 365: its id or its domain. In place of token_url.',
        examples: ['example.onmicrosoft.com'],
      },
      (value) =>
        /^[A-Za-z0-9.-]+$/.test(value) ? null : 'a tenant is its id or its domain, as in example.onmicrosoft.com',
    ),
  ),
  token_url: optional(
    address(
      {
        title: 'Token address',
        description: 'Where tokens are issued.',
        examples: ['https://oauth2.googleapis.com/token'],
      },
      { confidential: 'it carries the client secret' },
    ),
  ),
  client_id: text({ title: 'Client id', description: 'Of the application that is registered there.' }, onOneLine),
  client_secret: optional(
    secret({ title: 'Client secret', description: 'A secret.', examples: ['${credential:mail-client}'] }, onOneLine),
  ),
  refresh_token: optional(
    secret(
      {
        title: 'Refresh token',
        description: 'Of a person who allowed the application to send. A secret.',
        examples: ['${credential:mail-refresh}'],
      },
      onOneLine,
    ),
  ),
  scope: optional(
    text({ title: 'Scope', description: 'What the token is for; with tenant that of sending mail by default.' }),
  ),
})
  .transform(({ tenant, tokenUrl, scope, ...rest }) => ({
    ...rest,
    tenant,
    // mail-rules.ts ensures one of the two.
    tokenUrl: tokenUrl ?? microsoftTokens(tenant ?? ''),
    scope: scope ?? usualScope(tenant, rest.refreshToken),
  }))
  .meta({ title: 'OAuth 2.0', description: 'Signs in with a token in place of a password.' });

const dkimSchema = settings({
  domain: text({ title: 'Domain', description: 'Of the sender.', examples: ['example.com'] }, hostName),
  selector: text({ title: 'Selector', description: 'The record SELECTOR._domainkey.DOMAIN holds the key.' }, hostName),
  private_key: secret(
    { title: 'Private key', description: 'PEM. A secret.', examples: ['${file:/etc/linewatch/dkim.pem}'] },
    (value) => (isPrivateKey(value) ? null : 'it is no private key; name a PEM file: ${file:/etc/linewatch/dkim.pem}'),
  ),
}).meta({ title: 'DKIM', description: 'Signs every mail for the domain of its sender.' });

function hostName(value: string): string | null {
  return /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value) ? null : 'it holds letters, digits, dots and hyphens';
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === 'private';
  } catch {
    return false;
  }
}

export const smtpSchema = settings({
  host: text({ title: 'Host', description: 'The mail server.' }),
  port: optional(
    number(
      {
        title: 'Port',
        description: `Default ${PORTS.starttls} with starttls, ${PORTS.tls} with tls, ${PORTS.none} with none.`,
      },
      { atLeast: 1, atMost: 65_535, whole: true },
    ),
  ),
  security: choice(
    {
      title: 'Security',
      description: 'none only to a loopback address, or with allow_plaintext.',
      default: 'starttls',
    },
    SMTP_SECURITIES,
  ),
  username: optional(text({ title: 'User', description: 'Needs a password, too.' }, onOneLine)),
  password: optional(
    secret({ title: 'Password', description: 'A secret.', examples: ['${credential:smtp}'] }, onOneLine),
  ),
  oauth: optional(oauthSchema),
  ca_file: optional(
    text({
      title: 'CA file',
      description: 'Certificates to trust in place of the usual ones; relative to the configuration file.',
    }),
  ),
  allow_plaintext: flag({
    title: 'Allow plain text',
    description: 'Mail and password may travel unprotected.',
    default: false,
  }),
})
  .transform(({ port, ...server }) => ({ ...server, port: port ?? PORTS[server.security] }))
  .meta({ title: 'Mail server' });

/** NUL separates user name and password on the wire, and mail servers accept line breaks in neither. */
function onOneLine(value: string): string | null {
  return /\p{Cc}/u.test(value)
    ? 'it holds a control character, such as a line break; look for what was pasted along with it'
    : null;
}

const recipient = mailbox({ title: 'Recipient', description: 'A mail address.', examples: ['ops@example.com'] });

/** Settings of an email receiver besides name and type. */
export const mailSettings = {
  smtp: smtpSchema,
  from: mailbox({
    title: 'From',
    description: 'Whom the mail is from.',
    examples: ['Linewatch <linewatch@example.com>'],
  }),
  to: oneOrMore({ title: 'To', description: 'Whom the mail goes to: one address or a list.' }, recipient),
  dkim: optional(dkimSchema),
  mode: choice(
    {
      title: 'Mode',
      description:
        'ticket sends a help desk the opening, a worsening and the end of an alert, as it makes tickets of them.',
      default: 'message',
    },
    ['message', 'ticket'],
  ),
};

export type SmtpConfig = z.output<typeof smtpSchema>;
