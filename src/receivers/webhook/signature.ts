/** Signatures by which a program knows that events are ours. Source: the Standard Webhooks specification. */
import { createHmac } from 'node:crypto';

/** The three headers for a body, signed with `key`; `id` is the same on every attempt, `at` is the time of this one in epoch milliseconds. */
export function signatureHeaders(key: Uint8Array, id: string, at: number, body: string): Record<string, string> {
  const seconds = String(Math.floor(at / 1000));
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` };
}
