/**
 * Slack by an app's bot token. Edits keep the first message about an alert up to date. Each change is a reply in its
 * thread, shown in the channel as well while the alert is critical.
 * Source: docs.slack.dev, chat.postMessage and chat.update.
 */
import type { Message } from '../../core/outbox/message.ts';
import { toAlertUrl } from '../../core/wording/wording.ts';
import { toOneLine, trimEndSlashes, truncate } from '../../core/text/plain.ts';
import { isObject } from '../../core/text/plain-object.ts';
import { sendRequest, type Answer } from '../../net/exchange.ts';
import { readRetryAfter } from '../../net/retry-after.ts';
import { toOutcome, toUnansweredOutcome } from '../outcome.ts';
import type { DeliveryFailure, Outcome, ReceiverDeps } from '../receiver.ts';
import { renderSlack, type SlackPayload } from './render.ts';
import { createMarkdown } from './text-objects.ts';

export interface BotOptions {
  /** A secret. */
  token: string;
  channel: string;
  /** `here`, `channel`, or the id of a user or a group; null for none. */
  mention: string | null;
  /** Base address of the Web API. */
  url: string;
}

/** Transient errors. */
const PASSING: ReadonlyMap<string, readonly [code: DeliveryFailure, words: string]> = new Map([
  ['ratelimited', ['throttled', 'it asks us to slow down']],
  ['rate_limited', ['throttled', 'it asks us to slow down']],
  ['internal_error', ['server', 'it has trouble of its own']],
  ['fatal_error', ['server', 'it has trouble of its own']],
  ['service_unavailable', ['server', 'it has trouble of its own']],
  ['request_timeout', ['server', 'it has trouble of its own']],
  ['team_added_to_org', ['server', 'the workspace is being moved to an organisation']],
  ['org_login_required', ['server', 'the workspace is being moved to an organisation']],
]);

/** Permanent errors, with advice for the operator. */
const LASTING: ReadonlyMap<string, readonly [code: DeliveryFailure, words: string]> = new Map([
  ['channel_not_found', ['gone', 'it knows no such channel; check its id, and invite the bot']],
  ['not_in_channel', ['credentials', 'the bot is not in the channel; invite it']],
  ['is_archived', ['gone', 'the channel is archived; name another one']],
  ['invalid_auth', ['credentials', 'it does not take the token']],
  ['not_authed', ['credentials', 'it misses the token']],
  ['account_inactive', ['credentials', 'the bot was removed or its workspace is gone']],
  ['token_revoked', ['credentials', 'the token was revoked']],
  ['token_expired', ['credentials', 'the token has ended']],
  ['missing_scope', ['credentials', 'the app lacks the scope chat:write']],
  ['no_permission', ['credentials', 'the bot may not post there; invite it to the channel']],
  ['not_allowed_token_type', ['credentials', 'it takes only the token of a bot, which begins with xoxb-']],
  ['restricted_action_read_only_channel', ['credentials', 'the bot may only read the channel']],
  ['restricted_action', ['credentials', 'an administrator of the workspace does not allow it']],
  ['msg_too_long', ['refused', 'it finds the message too long']],
  ['invalid_blocks', ['refused', 'it does not accept the layout of the message']],
]);

/** Errors for a message to reply to or edit that no longer exists, or allows neither. */
const LOST = [
  'message_not_found',
  'thread_not_found',
  'cant_update_message',
  'edit_window_closed',
  'cannot_reply_to_message',
  'restricted_action_thread_locked',
  'restricted_action_non_threadable_channel',
];

interface SlackAnswer {
  outcome: Outcome;
  /** Fields of Slack's response: its error, or the message it created. */
  error: string | null;
  ts: string | null;
  channel: string | null;
}

export function createBot(
  { token, channel, mention, url }: BotOptions,
  { timeoutMs, compose, clock, agents, externalUrl }: ReceiverDeps,
): (message: Message, signal: AbortSignal) => Promise<Outcome> {
  return async (message, signal) => {
    const content = compose(message);
    const payload = withActions(renderSlack(content), message, externalUrl);
    const { ts: parent, channel: place = channel } = message.conversation ?? {};
    const isCritical = content.severity === 'critical';
    const news = mention !== null && content.tone === 'critical' ? withMention(payload, mention) : payload;
    if (parent === undefined) return await start(message, news, signal);
    const update = async (): Promise<SlackAnswer> =>
      await call('chat.update', { channel: place, ts: parent, ...payload }, signal);
    // No later message would mend the first one, which would look open for ever. An edit can be repeated, a reply not.
    const last = message.alert.resolvedAt === null ? null : await update();
    if (last !== null && isThrottled(last.outcome)) return last.outcome;
    const thread = { thread_ts: String(parent), ...(isCritical && { reply_broadcast: true }) };
    const reply = await call('chat.postMessage', { channel: place, ...news, ...thread }, signal);
    if (reply.error !== null && LOST.includes(reply.error)) return await start(message, news, signal);
    if (reply.outcome.kind !== 'delivered') return reply.outcome;
    const edit = last ?? (await update());
    if (edit.outcome.kind === 'delivered') return reply.outcome;
    // The reply was sent; only the first message is outdated.
    const detail = `${reply.outcome.detail}; the first message of the thread is not up to date: ${edit.outcome.reason}`;
    const isLost = edit.error !== null && LOST.includes(edit.error);
    return { ...reply.outcome, detail, ...(isLost && { keep: {} }) };
  };

  async function start(message: Message, payload: SlackPayload, signal: AbortSignal): Promise<Outcome> {
    const { outcome, ts, channel: made } = await call('chat.postMessage', { channel, ...payload }, signal);
    if (outcome.kind !== 'delivered' || message.alert.number === null || ts === null) return outcome;
    return { ...outcome, keep: { ts, channel: made ?? channel } };
  }

  async function call(method: string, body: object, signal: AbortSignal): Promise<SlackAnswer> {
    const headers = { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${token}` };
    const request = { method: 'POST', url: `${url}/${method}`, headers, body: JSON.stringify(body) } as const;
    try {
      return readApiAnswer(
        await sendRequest({ ...request, timeoutMs, signal, agents, mostBytes: MOST_BYTES }),
        clock(),
      );
    } catch (error) {
      return { outcome: toUnansweredOutcome('Slack', error, signal), error: null, ts: null, channel: null };
    }
  }
}

function isThrottled(outcome: Outcome): boolean {
  return outcome.kind === 'transient' && outcome.code === 'throttled';
}

/** Maximum size of a response, which contains the created message. */
const MOST_BYTES = 256 * 1024;

/** Slack answers 200 even to a refused request. Only errors in its form are quoted: a response may echo the token. */
export function readApiAnswer(answer: Answer, now: number): SlackAnswer {
  const body = parseBody(answer.text);
  const error = readText(body, 'error');
  const sent = { error, ts: readText(body, 'ts'), channel: readText(body, 'channel') };
  const outcome = toOutcome('Slack', answer, now);
  if (outcome.kind !== 'delivered') return { ...sent, outcome };
  if (body['ok'] === true) return { ...sent, outcome: { ...outcome, detail: 'Slack has it', proof: 'shown' } };
  const passes = PASSING.get(error ?? '');
  if (passes !== undefined || error === null) {
    const [code, words] = passes ?? (['other', null] as const);
    const reason = words === null ? 'Slack answered 200, and not as it does' : `Slack: ${words} (${error})`;
    const retryAfterMs = readRetryAfter({ value: answer.retryAfter, sent: answer.date, now, direction: 'sending' });
    return { ...sent, outcome: { kind: 'transient', code, reason, retryAfterMs } };
  }
  const [code, words] = LASTING.get(error) ?? (['refused', 'it does not take the message'] as const);
  const quoted = /^[a-z_]{1,60}$/.test(error) ? ` (${error})` : '';
  return { ...sent, outcome: { kind: 'permanent', code, reason: `Slack: ${words}${quoted}` } };
}

/** Empty for anything but a JSON object. */
export function parseBody(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body : {};
  } catch {
    return {};
  }
}

function readText(body: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = body[key];
  return typeof value === 'string' ? value : null;
}

/** Mentions a user or a group by id, or the channel. */
function withMention(payload: SlackPayload, mention: string): SlackPayload {
  const mark = /^[UW]/.test(mention)
    ? `<@${mention}>`
    : mention.startsWith('S')
      ? `<!subteam^${mention}>`
      : `<!${mention}>`;
  return { ...payload, blocks: [...payload.blocks, { type: 'section', text: createMarkdown(mark) }] };
}

/** Silence form, prefilled with the alert's source. */
function muteUrl(externalUrl: string, { source, title }: Message['alert']): string {
  const query = new URLSearchParams({ source, comment: truncate(toOneLine(title), 200) });
  return `${trimEndSlashes(externalUrl)}/silences?${query.toString()}`;
}

/** Buttons that link to acknowledging and silencing the alert. */
function withActions(payload: SlackPayload, { alert }: Message, externalUrl: string | null): SlackPayload {
  const page = externalUrl === null || alert.resolvedAt !== null ? null : toAlertUrl(externalUrl, alert);
  if (page === null) return payload;
  const elements = [
    { id: 'acknowledge', text: 'Acknowledge', url: `${page}#take` },
    { id: 'mute', text: 'Mute', url: muteUrl(externalUrl ?? '', alert) },
  ].map(({ id, text, url }) => ({
    type: 'button' as const,
    action_id: id,
    text: { type: 'plain_text' as const, text },
    url,
  }));
  return { ...payload, blocks: [...payload.blocks, { type: 'actions', elements }] };
}
