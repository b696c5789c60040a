/** Source: discord-api-docs, Execute Webhook, Edit Webhook Message, Embed Limits, Allowed Mentions, Rate Limits. */
import type { Received } from '../http-peer.ts';
import { json, liveInMarkdown, unless, type StandIn } from './stand-in.ts';

const TOKEN = 'hush-3d89bb7572e0fb30d8128367b3b1b44fecd1726de135';
const PATH = `/api/webhooks/223704706495545344/${TOKEN}`;

const ID = '1140722233567899681';

function isEdit({ path, method }: Received): boolean {
  return path === `${PATH}/messages/${ID}` && method === 'PATCH';
}

interface Embed {
  description?: string;
  color?: unknown;
  timestamp?: string;
}

function embedOf(body: Record<string, unknown>): Embed {
  return (body['embeds'] as Embed[])[0] ?? {};
}

export const discord: StandIn = {
  keys: (url) => ({ url: `${url}${PATH}` }),
  secrets: [TOKEN],
  proves: 'shown',
  refuses(request) {
    const body = json(request);
    const { description = '', color, timestamp = '' } = embedOf(body);
    return unless({
      'the address, with an answer once it is there, or that of the message':
        (request.path === `${PATH}?wait=true` && request.method === 'POST') || isEdit(request),
      'no mentions': JSON.stringify(body['allowed_mentions']) === '{"parse":[]}',
      'one embed of 4,096':
        (body['embeds'] as unknown[]).length === 1 && description.trim() !== '' && description.length <= 4096,
      'a colour': Number.isInteger(color) && Number(color) <= 0xffffff,
      'a time of ISO 8601': !Number.isNaN(Date.parse(timestamp)),
    });
  },
  taken: { status: 200, body: { id: ID, type: 0 } },
  isEdit,
  later: [
    { status: 429, body: { message: 'You are being rate limited.', retry_after: 0.25, global: false }, rest: 250 },
    {
      status: 429,
      body: { message: 'You are being rate limited.', retry_after: 64.57 },
      headers: { 'retry-after': '65' },
      rest: 65_000,
    },
    { status: 429, headers: { 'x-ratelimit-reset-after': '1.5' }, rest: 1500 },
    { status: 502, body: '<html>', rest: null },
  ],
  never: [
    { status: 404, body: { message: 'Unknown Webhook', code: 10015 } },
    { status: 401, body: { message: `Invalid Webhook Token ${TOKEN}`, code: 50027 } },
    { status: 400, body: { embeds: ['0'] } },
  ],
  live: (request) => liveInMarkdown(embedOf(json(request)).description ?? '', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'),
  read: (request) => embedOf(json(request)).description ?? '',
};
