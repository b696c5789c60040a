/** Signatures by which a program knows that events are ours. Source: the Standard Webhooks specification. */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

function key(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret, 'utf8');
}

/** The three headers for a body; `id` is the same on every attempt, `at` is the time of this one in epoch milliseconds. */
export function signatureHeaders(secret: string, id: string, at: number, body: string): Record<string, string> {
  const seconds = String(Math.floor(at / 1000));
  const mac = createHmac('sha256', key(secret)).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` };
}
