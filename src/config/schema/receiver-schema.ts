/** `receivers`: destinations of messages. */
import * as z from 'zod';
import { address } from '../address.ts';
import type { Preset } from '../../receivers/http/preset.ts';
import { formatValue } from '../problem.ts';
import { decodeSigningKey } from '../../net/secret-forms.ts';
import { choice, list, name, number, optional, or, secret, settings, text } from './fields.ts';
import { mailSettings } from './mail-schema.ts';

const RECEIVER_TYPES = ['slack', 'email', 'webhook', 'pagerduty', 'alertmanager', 'http'] as const;

const receiverName = name({
  title: 'Name',
  description: 'Unique among the receivers; what is kept for it goes by this name.',
});

const numbers = choice(
  {
    title: 'Numbers',
    description: 'How it reads telephone numbers of callers: masked, as 04•• ••• 209, or full.',
    default: 'masked',
  },
  ['masked', 'full'],
);

function type<const T extends (typeof RECEIVER_TYPES)[number]>(value: T) {
  return z.literal(value).meta({ title: 'Type', description: `One of ${RECEIVER_TYPES.join(', ')}.` });
}

const carriedBy = or(
  [],
  list(
    {
      title: 'Carried by',
      description: 'Sources whose outage would also stop messages to this receiver, by name.',
      examples: [['provider']],
    },
    text({ title: 'Source', description: 'The name of a status page or account.' }),
  ),
);

const prove = optional(
  choice(
    {
      title: 'Prove',
      description:
        'weekly sends its people a link to open; where nobody opens it or acknowledges an alert in 24 hours, the other receivers are notified.',
    },
    ['weekly'],
  ),
);

/** First keys of every receiver. */
const common = { name: receiverName, carried_by: carriedBy, numbers };

const slack = settings({
  ...common,
  prove,
  type: type('slack'),
  webhook_url: optional(
    address(
      {
        title: 'Webhook address',
        description: 'The incoming webhook. A secret. In place of token and channel.',
        examples: ['${credential:slack}'],
      },
      { confidential: 'whoever reads the address can post' },
    ),
  ),
  token: optional(
    secret(
      {
        title: 'Bot token',
        description: 'Of an app with the scope chat:write: keeps an alert together in one thread. A secret.',
        examples: ['${credential:slack-bot}'],
      },
      (value) =>
        /^xoxb-[\w-]+$/.test(value)
          ? null
          : 'it is no token of a bot, which begins with xoxb-; copy it from the app, OAuth & Permissions',
    ),
  ),
  channel: optional(
    text({ title: 'Channel', description: 'Its id; the bot is a member.', examples: ['C024BE91L'] }, (value) =>
      /^[CDG][A-Z0-9]{6,}$/.test(value)
        ? null
        : `${formatValue(value)} is no id of a channel; copy it from the end of the channel's details in Slack, such as C024BE91L`,
    ),
  ),
  mention: optional(
    text(
      {
        title: 'Mention',
        description: 'Addressed by what is critical, with a token: here, channel, or the id of a person or group.',
        examples: ['here', 'S0614TZR7'],
      },
      (value) =>
        /^(here|channel|[UWS][A-Z0-9]{6,})$/.test(value)
          ? null
          : `${formatValue(value)} cannot be mentioned; write here, channel, or the id of a person (U…) or group (S…)`,
    ),
  ),
  api_url: address(
    { title: 'Web API', description: 'Where a bot sends.', default: 'https://slack.com/api' },
    { confidential: 'it carries the token' },
  ),
}).meta({ title: 'Slack' });

const email = settings({
  ...common,
  prove,
  type: type('email'),
  ...mailSettings,
}).meta({
  title: 'Mail',
});

const headers = or(
  {},
  z
    .record(
      z.string(),
      text({ title: 'Header', description: 'Sent with every request. May be a secret.' }, (value) =>
        /^[\u0020-\u007e]*$/.test(value) ? null : 'a header holds letters, digits and signs of ASCII on one line',
      ),
    )
    .superRefine((headers, context) => {
      for (const header of Object.keys(headers).filter((one) => !isFreeHeader(one))) {
        context.addIssue({ code: 'custom', path: [header], message: 'Linewatch sets this header, or it is none' });
      }
    })
    .meta({
      title: 'Headers',
      description: 'More headers, such as authorization.',
      examples: [{ authorization: '${credential:bus-token}' }],
    }),
);

const webhook = settings({
  ...common,
  type: type('webhook'),
  url: address({
    title: 'Address',
    description: 'Gets CloudEvents 1.0 batches.',
    examples: ['https://bus.example.com/linewatch'],
  }),
  method: choice({ title: 'Method', description: 'Of HTTP.', default: 'POST' }, ['POST', 'PUT', 'PATCH']),
  headers,
  secret: optional(
    secret(
      {
        title: 'Secret',
        description: 'Signs what is sent: whsec_ and base64 (Standard Webhooks), or any other text. A secret.',
        examples: ['${credential:bus}'],
      },
      (value) =>
        decodeSigningKey(value) === null
          ? 'no library could verify what this signs: it begins as a key of Standard Webhooks and is none; write whsec_ and base64, as from: openssl rand -base64 32'
          : null,
    ),
  ),
}).meta({ title: 'Webhook' });

/** Headers for length, content type and signature cannot be overridden. */
function isFreeHeader(header: string): boolean {
  const isName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(header);
  return isName && !/^(content-.*|host|connection|transfer-encoding|user-agent|webhook-.*)$/i.test(header);
}

const pagerduty = settings({
  ...common,
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

const alertmanager = settings({
  ...common,
  type: type('alertmanager'),
  url: address(
    {
      title: 'Address',
      description: 'Of Alertmanager, with its prefix; not of its API.',
      examples: ['https://alerts.example.com'],
    },
    { confidential: 'it carries what is wrong with your phones' },
  ),
  headers,
}).meta({ title: 'Prometheus Alertmanager' });

const httpEntry = z
  .object({
    ...common,
    prove,
    type: type('http'),
    preset: text({
      title: 'Preset',
      description: 'The medium: a name from linewatch notify presets, or a file of your own.',
      examples: ['teams', './my-desk.yaml'],
    }),
    max_a_day: number(
      { title: 'Most a day', description: 'Messages in 24 hours; default that of the preset.' },
      { atLeast: 1, whole: true },
    ).optional(),
    customers: z
      .record(
        z.string(),
        z.record(
          z.string(),
          z.union([z.number(), text({ title: 'Value', description: 'What the preset needs of the customer there.' })]),
        ),
      )
      .meta({
        title: 'Customers',
        description: 'What customers are called over there, by the label customer of their accounts; * for all others.',
        examples: [{ acme: { company: 42 }, '*': { company: 1 } }],
      })
      .optional(),
    reopen: choice(
      { title: 'Reopen', description: 'What a trouble that comes back does with its ticket.', default: 'same' },
      ['same', 'new'],
    ),
  })
  .catchall(
    z.union([
      text({ title: 'Key', description: 'As the preset asks for.' }),
      // No preset has such a key: most likely one of the above is misspelt.
      z.record(z.string(), z.unknown()),
    ]),
  );

/** An http receiver also has the keys of its preset. */
export const HTTP_KEYS: readonly string[] = Object.keys(httpEntry.shape);

const http = httpEntry
  .transform(
    ({
      carried_by: carriedBy,
      max_a_day: maxADay = null,
      customers = {},
      name,
      numbers,
      prove,
      type,
      preset,
      reopen,
      ...keys
    }) => ({ name, carriedBy, numbers, prove, type, preset, maxADay, customers, reopen, keys: textsOf(keys) }),
  )
  .meta({ title: 'Any medium over HTTP' });

/** As written in the file. */
export type HttpEntry = Extract<ReceiverEntry, { type: 'http' }>;

/** Values for the preset, as written. */
export function listPresetKeys(entry: HttpEntry): [name: string, value: unknown][] {
  return Object.entries(entry).filter(([name]) => !HTTP_KEYS.includes(name));
}

function textsOf(keys: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(keys).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

export const receiverSchema = z
  .discriminatedUnion('type', [slack, email, webhook, pagerduty, alertmanager, http], {
    error: 'Teams, Telegram, SMS and other media are type http with a preset, as in type: http, preset: teams',
  })
  .meta({ id: 'receiver', title: 'Receiver' });

/** As written in the file. */
export type ReceiverEntry = z.input<typeof receiverSchema>;
type Written = z.output<typeof receiverSchema>;
/** With the loaded preset instead of its name. */
export type HttpConfig = Omit<Extract<Written, { type: 'http' }>, 'preset'> & { preset: Preset };
export type ReceiverConfig = Exclude<Written, { type: 'http' }> | HttpConfig;
