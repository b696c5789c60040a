/** `receivers`: where messages go. */
import * as z from 'zod';
import { address } from './address.ts';
import { signingKey } from '../net/secret-forms.ts';
import { name, optional, secret, settings } from './fields.ts';
import { mailSettings } from './mail-schema.ts';

const RECEIVER_TYPES = ['slack', 'email', 'webhook', 'pagerduty'] as const;

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

const email = settings({ name: receiverName, type: type('email'), ...mailSettings }).meta({ title: 'Mail' });

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
