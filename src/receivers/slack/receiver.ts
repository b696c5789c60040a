/** Slack, by an incoming webhook or by a bot; at most one message a second. */
import type { FetchFunction } from '@slack/webhook';
import type { Message } from '../../core/outbox/message.ts';
import { sendRequest, type Answer } from '../../net/exchange.ts';
import { toOutcome, toUnansweredOutcome } from '../outcome.ts';
import { sendInTurn, type Outcome, type Receiver, type ReceiverDeps } from '../receiver.ts';
import { createBot, parseBody, readApiAnswer } from './bot.ts';
import { renderSlack } from './render.ts';

export interface SlackOptions {
  name: string;
  /** A secret; null for a bot. */
  webhookUrl: string | null;
  /** Token of a bot. A secret. */
  token?: string | null;
  channel?: string | null;
  mention?: string | null;
  /** Base address of the Web API. */
  apiUrl?: string;
}

const SLACK_API = 'https://slack.com/api';

/** Outcomes of the webhook are those of `slackOutcome`. */
export function createSlackReceiver(options: SlackOptions, deps: ReceiverDeps): Receiver {
  const { name, webhookUrl, token = null, channel = null, mention = null, apiUrl: url = SLACK_API } = options;
  const { timeoutMs, compose, clock, agents } = deps;
  const sendOne =
    token === null || channel === null
      ? async (message: Message, signal: AbortSignal) => await post(webhookUrl ?? '', message, signal)
      : createBot({ token, channel, mention, url }, deps);
  return {
    name,
    type: 'slack',
    audience: 'people',
    batch: 1,
    proves: 'shown',
    minIntervalMs: 1000,
    send: async (messages, signal) => await sendInTurn(messages, (message) => sendOne(message, signal)),
  };

  async function post(webhook: string, message: Message, signal: AbortSignal): Promise<Outcome> {
    const answers: Answer[] = [];
    // The library hides the status and Retry-After of a refusal; its fetch sees them.
    const fetch: FetchFunction = async (url, init) => {
      const body = typeof init?.body === 'string' ? init.body : '';
      const answer = await sendRequest({
        method: 'POST',
        url: String(url),
        headers: init?.headers ?? {},
        body,
        timeoutMs,
        signal,
        agents,
      });
      answers.push(answer);
      return toFetchResponse(answer);
    };
    let trouble: unknown = null;
    try {
      // Loaded with the first message, so that start-up does not wait for the library.
      const { IncomingWebhook } = await import('@slack/webhook');
      await new IncomingWebhook(webhook, { fetch }).send(renderSlack(compose(message)));
    } catch (error) {
      // The library throws for a refusal as well; the response has the details.
      trouble = error;
    }
    const [answer] = answers;
    if (answer !== undefined) return toSlackOutcome(answer, clock());
    return toUnansweredOutcome('Slack', trouble, signal);
  }
}

/** Fields of a fetch response that the library reads. */
function toFetchResponse(answer: Answer): Awaited<ReturnType<FetchFunction>> {
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

/** Source: Slack's "Sending messages using incoming webhooks", error handling. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['invalid_payload', 'it cannot read the message'],
  ['invalid_blocks', 'it does not accept the layout of the message'],
  ['invalid_attachments', 'it does not accept the layout of the message'],
  ['no_text', 'it misses a text'],
  ['too_many_attachments', 'it finds too many attachments'],
  ['user_not_found', 'the person to be addressed does not exist'],
  ['channel_not_found', 'the channel does not exist any more'],
  ['channel_is_archived', 'the channel is archived; reopen it or make a webhook for another one'],
  ['posting_to_general_channel_denied', 'it does not let us post to the general channel'],
  ['action_prohibited', 'an administrator of the workspace does not allow it'],
  ['no_service', 'this webhook is disabled, removed or wrong; make a new one and configure it'],
  ['no_service_id', 'the webhook’s address is incomplete'],
  ['no_active_hooks', 'this webhook is disabled; make a new one and configure it'],
  ['no_team', 'the workspace does not exist any more'],
  ['team_disabled', 'the workspace is disabled'],
  ['invalid_token', 'the webhook’s address is wrong or has been revoked; make a new one and configure it'],
  ['rollup_error', 'it has trouble of its own'],
  ['rate_limited', 'it asks us to slow down'],
]);

/** Outcome of a webhook's response. */
export function toSlackOutcome(answer: Answer, now: number): Outcome {
  // Only known codes are quoted: a response may echo the address and the secret in it.
  const code = answer.text.trim();
  const words = CODES.get(code);
  const outcome = toOutcome('Slack', answer, now, words === undefined ? null : `${words} (${code})`);
  if (outcome.kind !== 'delivered') return outcome;
  // A proxy's page, or the API at a wrong address. Chats that imitate Slack have other words than its `ok`.
  if (code.startsWith('<') || parseBody(code)['ok'] === false) return readApiAnswer(answer, now).outcome;
  return { ...outcome, detail: 'Slack has it' };
}
