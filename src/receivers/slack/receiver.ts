/** Slack's incoming webhook: one message a call, at most one a second. */
import { IncomingWebhook, type FetchFunction } from '@slack/webhook';
import type { AgentChoice } from '../../net/agents.ts';
import type { Message } from '../../core/outbox/message.ts';
import type { Brief } from '../brief.ts';
import { exchange, type Answer } from '../../net/exchange.ts';
import type { Outcome, Receiver } from '../receiver.ts';
import { unanswered } from '../unanswered.ts';
import { slackOutcome } from './outcome.ts';
import { renderSlack } from './render.ts';

export interface SlackOptions {
  name: string;
  /** A secret. */
  webhookUrl: string;
  timeoutMs: number;
  brief: Brief;
  /** Epoch milliseconds. */
  clock: () => number;
  agents: AgentChoice;
}

export function slackReceiver({ name, webhookUrl, timeoutMs, brief, clock, agents }: SlackOptions): Receiver {
  return {
    name,
    type: 'slack',
    audience: 'people',
    batch: 1,
    minIntervalMs: 1000,
    async send(messages, signal) {
      for (const message of messages) {
        const outcome = await sendOne(message, signal);
        if (outcome.kind !== 'delivered') return outcome;
      }
      return { kind: 'delivered', detail: 'Slack has it' };
    },
  };

  async function sendOne(message: Message, signal: AbortSignal): Promise<Outcome> {
    const answers: Answer[] = [];
    // The library hides the status and Retry-After of a refusal; its fetch sees them.
    const fetch: FetchFunction = async (url, init) => {
      const body = typeof init?.body === 'string' ? init.body : '';
      const answer = await exchange({
        method: 'POST',
        url: String(url),
        headers: init?.headers ?? {},
        body,
        timeoutMs,
        signal,
        agents,
      });
      answers.push(answer);
      return response(answer);
    };
    let trouble: unknown = null;
    try {
      await new IncomingWebhook(webhookUrl, { fetch }).send(renderSlack(brief(message)));
    } catch (error) {
      // A refusal is thrown too; what was refused is in the answer.
      trouble = error;
    }
    const [answer] = answers;
    if (answer !== undefined) return slackOutcome(answer, clock());
    return unanswered('Slack', trouble, signal);
  }
}

/** As much of a fetch response as the library reads. */
function response(answer: Answer): Awaited<ReturnType<FetchFunction>> {
  return {
    ok: answer.status >= 200 && answer.status < 300,
    status: answer.status,
    statusText: '',
    url: '',
    headers: { get: () => null, entries: () => [] },
    arrayBuffer: async () => await Promise.resolve(new ArrayBuffer(0)),
    json: async () => await Promise.resolve(null),
    text: async () => await Promise.resolve(answer.text),
  };
}
