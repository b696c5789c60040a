/**
 * PagerDuty's Events API v2: open alerts and updates trigger, acknowledgements acknowledge, resolves resolve; nothing
 * else is sent.
 */
import type { Message } from '../../core/outbox/message.ts';
import { post } from '../outcome.ts';
import { sendInTurn, type Outcome, type Receiver, type ReceiverDeps } from '../receiver.ts';
import { renderPagerDuty } from './render.ts';

export interface PagerDutyOptions {
  name: string;
  /** A secret. */
  routingKey: string;
  url: string;
}

/** A message without an alert counts as delivered, although nothing is sent. */
export function createPagerDutyReceiver(
  { name, routingKey, url }: PagerDutyOptions,
  { timeoutMs, compose, clock, agents }: ReceiverDeps,
): Receiver {
  return {
    name,
    type: 'pagerduty',
    audience: 'people',
    batch: 1,
    ringsUntilTheEnd: true,
    send: async (messages, signal) => await sendInTurn(messages, (message) => sendOne(message, signal)),
  };

  async function sendOne(message: Message, signal: AbortSignal): Promise<Outcome> {
    const event = renderPagerDuty(message, compose(message), routingKey);
    if (event === null) return { kind: 'delivered', detail: 'for information only, so not for PagerDuty' };
    const headers = { 'content-type': 'application/json' };
    const request = { url, headers, body: JSON.stringify(event), timeoutMs, signal, agents };
    return await post('PagerDuty', request, clock, ({ status }) =>
      status === 400 ? 'it does not accept the event; check the routing key' : null,
    );
  }
}
