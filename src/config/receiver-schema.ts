/** `receivers`: where messages go. */
import * as z from 'zod';
import { address, mailbox } from './address.ts';
import { signingKey } from '../net/secret-forms.ts';
import { choice, flag, name, number, oneOrMore, optional, secret, settings, text } from './fields.ts';

const RECEIVER_TYPES = ['slack', 'email', 'webhook', 'pagerduty'] as const;
const SMTP_SECURITIES = ['starttls', 'tls', 'none'] as const;
const PORTS = { starttls: 587, tls: 465, none: 25 } as const;

const receiverName = name({
  title: 'Name',
  description: 'Unique among the receivers; what is kept for it goes by this name.',
});

function type<const T extends (typeof RECEIVER_TYPES)[number]>(value: T) {
  return z.literal(value).meta({ title: 'Type', description: `One of ${RECEIVER_TYPES.join(', ')}.` });
}

const slack = settings({
  name: receiverName,
  type: type('slack'),
  webhook_url: address(
    { title: 'Webhook address', description: 'The incoming webhook. A secret.', examples: ['${credential:slack}'] },
    { confidential: 'whoever reads the address can post' },
  ),
}).meta({ title: 'Slack' });

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

/** A zero byte parts a user name from its password where they are sent, and no mail server has a line break in either. */
function onOneLine(value: string): string | null {
  return /\p{Cc}/u.test(value)
    ? 'it holds a control character, such as a line break; look for what was pasted along with it'
    : null;
}

const recipient = mailbox({ title: 'Recipient', description: 'A mail address.', examples: ['ops@example.com'] });

const email = settings({
  name: receiverName,
  type: type('email'),
  smtp: smtpSchema,
  from: mailbox({
    title: 'From',
    description: 'Whom the mail is from.',
    examples: ['Linewatch <linewatch@example.com>'],
  }),
  to: oneOrMore({ title: 'To', description: 'Whom the mail goes to: one address or a list.' }, recipient),
}).meta({ title: 'Mail' });

const webhook = settings({
  name: receiverName,
  type: type('webhook'),
  url: address({
    title: 'Address',
    description: 'Gets CloudEvents 1.0 batches by POST.',
    examples: ['https://bus.example.com/linewatch'],
  }),
  secret: optional(
    secret(
      {
        title: 'Secret',
        description: 'Signs what is sent: whsec_ and base64 (Standard Webhooks), or any other text. A secret.',
        examples: ['${credential:bus}'],
      },
      (value) =>
        signingKey(value) === null
          ? 'no library could verify what this signs: it begins as a key of Standard Webhooks and is none; write whsec_ and base64, as from: openssl rand -base64 32'
          : null,
    ),
  ),
}).meta({ title: 'Webhook' });

const pagerduty = settings({
  name: receiverName,
  type: type('pagerduty'),
  routing_key: secret({
    title: 'Routing key',
    description: 'Of the Events API v2 integration. A secret.',
    examples: ['${credential:pagerduty}'],
  }),
  url: address(
    { title: 'Address', description: 'Of the Events API v2.', default: 'https://events.pagerduty.com/v2/enqueue' },
    { confidential: 'it carries the routing key' },
  ),
}).meta({ title: 'PagerDuty' });

export const receiverSchema = z
  .discriminatedUnion('type', [slack, email, webhook, pagerduty])
  .meta({ id: 'receiver', title: 'Receiver' });

/** As it is written. */
export type ReceiverEntry = z.input<typeof receiverSchema>;
export type ReceiverConfig = z.output<typeof receiverSchema>;
export type SmtpConfig = z.output<typeof smtpSchema>;
