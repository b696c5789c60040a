/**
 * Slack by an app's bot token. The first message about an alert is kept up to date by edits; each change is a reply in its
 * thread, shown in the channel as well while it is critical.
 * Source: docs.slack.dev, chat.postMessage and chat.update.
 */
import type { Message } from '../../core/outbox/message.ts';
import { alertUrl } from '../../core/wording/wording.ts';
import { toOneLine, trimEndSlashes, truncate } from '../../core/text/plain.ts';
import { isObject } from '../../core/text/plain-object.ts';
import { sendRequest, type Answer } from '../../net/exchange.ts';
import { outcomeOf, unanswered } from '../outcome.ts';
import type { DeliveryFailure, Outcome, ReceiverDeps } from '../receiver.ts';
import { renderSlack, type SlackPayload } from './render.ts';
import { marked } from './text-objects.ts';

export interface BotOptions {
  /** A secret. */
  token: string;
  channel: string;
  /** `here`, `channel`, or the id of a person or a group; null for none. */
  mention: string | null;
  /** Of the Web API. */
  url: string;
}

/** Errors that pass. */
const PASSING: ReadonlyMap<string, string> = new Map([
  ['ratelimited', 'it asks us to slow down'],
  ['internal_error', 'it has trouble of its own'],
  ['fatal_error', 'it has trouble of its own'],
  ['service_unavailable', 'it has trouble of its own'],
  ['request_timeout', 'it has trouble of its own'],
]);

/** Those for good, with what to mend. */
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
  ['restricted_action', ['credentials', 'an administrator of the workspace does not allow it']],
  ['msg_too_long', ['refused', 'it finds the message too long']],
  ['invalid_blocks', ['refused', 'it does not accept the layout of the message']],
]);

/** The message that was to be answered or edited is not there any more. */
const LOST = ['message_not_found', 'thread_not_found', 'cant_update_message', 'edit_window_closed'];

interface Sent {
  outcome: Outcome;
  /** Of what Slack says: its error, or the message it made. */
  error: string | null;
  ts: string | null;
  channel: string | null;
}

export function createBot(
  { token, channel, mention, url }: BotOptions,
  { timeoutMs, brief, clock, agents, externalUrl }: ReceiverDeps,
): (message: Message, signal: AbortSignal) => Promise<Outcome> {
  return async (message, signal) => {
    const briefing = brief(message);
    const payload = withActions(renderSlack(briefing), message, externalUrl);
    const { ts: parent, channel: place = channel } = message.conversation ?? {};
    const isCritical = briefing.severity === 'critical';
    const news = mention !== null && briefing.tone === 'critical' ? withMention(payload, mention) : payload;
    if (parent === undefined) return await start(message, news, signal);
    const thread = { thread_ts: String(parent), ...(isCritical && { reply_broadcast: true }) };
    const reply = await call('chat.postMessage', { channel: place, ...news, ...thread }, signal);
    if (reply.error !== null && LOST.includes(reply.error)) return await start(message, news, signal);
    if (reply.outcome.kind !== 'delivered') return reply.outcome;
    const edit = await call('chat.update', { channel: place, ts: parent, ...payload }, signal);
    if (edit.outcome.kind === 'delivered') return reply.outcome;
    // The news is there; only what stands above it is older.
    const detail = `${reply.outcome.detail}; the first message of the thread is not up to date: ${edit.outcome.reason}`;
    const isLost = edit.error !== null && LOST.includes(edit.error);
    return { ...reply.outcome, detail, ...(isLost && { keep: {} }) };
  };

  async function start(message: Message, payload: SlackPayload, signal: AbortSignal): Promise<Outcome> {
    const { outcome, ts, channel: made } = await call('chat.postMessage', { channel, ...payload }, signal);
    if (outcome.kind !== 'delivered' || message.alert.number === null || ts === null) return outcome;
    return { ...outcome, keep: { ts, channel: made ?? channel } };
  }

  async function call(method: string, body: object, signal: AbortSignal): Promise<Sent> {
    const headers = { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${token}` };
    const request = { method: 'POST', url: `${url}/${method}`, headers, body: JSON.stringify(body) } as const;
    try {
      return read(await sendRequest({ ...request, timeoutMs, signal, agents, mostBytes: MOST_BYTES }), clock());
    } catch (error) {
      return { outcome: unanswered('Slack', error, signal), error: null, ts: null, channel: null };
    }
  }
}

/** An answer holds the message that was made. */
const MOST_BYTES = 256 * 1024;

/** Slack answers 200 to what it refuses. Only errors known here are repeated: an answer may echo the token. */
function read(answer: Answer, now: number): Sent {
  const body = parsed(answer.text);
  const error = textIn(body, 'error');
  const sent = { error, ts: textIn(body, 'ts'), channel: textIn(body, 'channel') };
  const outcome = outcomeOf('Slack', answer, now);
  if (outcome.kind !== 'delivered') return { ...sent, outcome };
  if (body['ok'] === true) return { ...sent, outcome: { ...outcome, detail: 'Slack has it', proof: 'shown' } };
  const passes = PASSING.get(error ?? '');
  if (passes !== undefined || error === null) {
    const reason = error === null ? 'Slack answered 200, and not as it does' : `Slack: ${passes} (${error})`;
    const code = error === 'ratelimited' ? 'throttled' : error === null ? 'other' : 'server';
    return { ...sent, outcome: { kind: 'transient', code, reason, retryAfterMs: null } };
  }
  const [code, words] = LASTING.get(error) ?? (['refused', 'it does not take the message'] as const);
  const known = LASTING.has(error) ? ` (${error})` : '';
  return { ...sent, outcome: { kind: 'permanent', code, reason: `Slack: ${words}${known}` } };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body : {};
  } catch {
    return {};
  }
}

function textIn(body: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = body[key];
  return typeof value === 'string' ? value : null;
}

/** Rings whom it names; a person or a group by an id that holds no markup. */
function withMention(payload: SlackPayload, mention: string): SlackPayload {
  const mark = /^[UW]/.test(mention)
    ? `<@${mention}>`
    : mention.startsWith('S')
      ? `<!subteam^${mention}>`
      : `<!${mention}>`;
  return { ...payload, blocks: [...payload.blocks, { type: 'section', text: marked(mark) }] };
}

/** The form that mutes the source of an alert, filled in. */
function muteUrl(externalUrl: string, { source, title }: Message['alert']): string {
  const query = new URLSearchParams({ source, comment: truncate(toOneLine(title), 200) });
  return `${trimEndSlashes(externalUrl)}/silences?${query.toString()}`;
}

/** Buttons to where an alert is taken and muted. */
function withActions(payload: SlackPayload, { alert }: Message, externalUrl: string | null): SlackPayload {
  const page = externalUrl === null || alert.resolvedAt !== null ? null : alertUrl(externalUrl, alert);
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
