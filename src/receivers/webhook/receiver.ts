/** Posts every transition to a program, in order, in batches of at most 100 events. */
import { createHmac } from 'node:crypto';
import { formatCount } from '../../core/text/plain.ts';
import { hashIdentity } from '../../core/transition/transition.ts';
import { decodeSigningKey } from '../../net/secret-forms.ts';
import { post } from '../outcome.ts';
import type { Outcome, Receiver, ReceiverDeps } from '../receiver.ts';
import { toCloudEvents, type CloudEvent } from './event.ts';

/** Documented maximum of one request. */
const MOST_EVENTS = 100;

export interface WebhookOptions {
  name: string;
  /** May hold a secret. */
  url: string;
  method?: 'POST' | 'PUT' | 'PATCH';
  /** More headers; their values may be secrets. */
  headers?: Readonly<Record<string, string>>;
  /** Signing key: `whsec_` and base64, or any text; null for none. */
  secret: string | null;
}

/** Throws a `TypeError` if the secret is no signing key of Standard Webhooks. */
export function createWebhookReceiver(
  { name, url, method = 'POST', headers: more = {}, secret }: WebhookOptions,
  { instance, timeoutMs, clock, agents }: ReceiverDeps,
): Receiver {
  const key = secret === null ? null : decodeSigningKey(secret);
  if (secret !== null && key === null) throw new TypeError(`webhook ${name}: the secret is no signing key`);
  return {
    name,
    type: 'webhook',
    audience: 'programs',
    batch: MOST_EVENTS,
    async send(messages, signal) {
      const events = messages.flatMap((message) => toCloudEvents(message, instance));
      // A message may have several transitions; after a failure in between, the first part is repeated with the same
      // ids.
      for (let start = 0; start < events.length; start += MOST_EVENTS) {
        const outcome = await sendBatch(events.slice(start, start + MOST_EVENTS), signal);
        if (outcome.kind !== 'delivered') return outcome;
      }
      return { kind: 'delivered', detail: `${formatCount(events.length, 'event')} taken` };
    },
  };

  async function sendBatch(events: readonly CloudEvent[], signal: AbortSignal): Promise<Outcome> {
    const body = JSON.stringify(events);
    // oxlint-disable-next-line house/no-spread-into-calls -- a batch has at most 100 events
    const id = `msg_${hashIdentity('batch', ...events.map((event) => [event.id, event.data.reminder]))}`;
    const signed = key === null ? {} : createSignatureHeaders(key, id, clock(), body);
    const headers = { ...more, 'content-type': 'application/cloudevents-batch+json', ...signed };
    return await post('The webhook', { method, url, headers, body, timeoutMs, signal, agents }, clock);
  }
}

/**
 * Headers of the Standard Webhooks specification, signed with `key`. `id` is the same on every attempt, `at` is the
 * time of this one in epoch milliseconds.
 */
function createSignatureHeaders(key: Uint8Array, id: string, at: number, body: string): Record<string, string> {
  const seconds = String(Math.floor(at / 1000));
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` };
}
