/** PagerDuty's Events API v2: opens and updates trigger, ends resolve, the rest is not for a pager. */
import type { AgentChoice } from '../../net/agents.ts';
import type { Message } from '../../core/outbox/message.ts';
import type { Brief } from '../brief.ts';
import { post } from '../http-outcome.ts';
import type { Outcome, Receiver } from '../receiver.ts';
import { renderPagerDuty } from './render.ts';

export interface PagerDutyOptions {
  name: string;
  /** A secret. */
  routingKey: string;
  url: string;
  timeoutMs: number;
  brief: Brief;
  /** Epoch milliseconds. */
  clock: () => number;
  agents: AgentChoice;
}

export function pagerDutyReceiver({
  name,
  routingKey,
  url,
  timeoutMs,
  brief,
  clock,
  agents,
}: PagerDutyOptions): Receiver {
  return {
    name,
    type: 'pagerduty',
    audience: 'people',
    batch: 1,
    ringsUntilTheEnd: true,
    async send(messages, signal) {
      let outcome: Outcome = { kind: 'delivered', detail: 'nothing to send' };
      for (const message of messages) {
        outcome = await sendOne(message, signal);
        if (outcome.kind !== 'delivered') break;
      }
      return outcome;
    },
  };

  async function sendOne(message: Message, signal: AbortSignal): Promise<Outcome> {
    const event = renderPagerDuty(message, brief(message), routingKey);
    if (event === null) return { kind: 'delivered', detail: 'for information only, so not for PagerDuty' };
    const headers = { 'content-type': 'application/json' };
    const request = { url, headers, body: JSON.stringify(event), timeoutMs, signal, agents };
    return await post('PagerDuty', request, clock, ({ status }) =>
      status === 400 ? 'it does not accept the event; check the routing key' : null,
    );
  }
}
