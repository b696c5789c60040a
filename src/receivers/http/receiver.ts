/** Sends to any HTTP medium that a preset describes. */
import { DAY } from '../../core/text/duration.ts';
import { trimEndSlashes } from '../../core/text/plain.ts';
import { readValue } from '../../core/text/plain-object.ts';
import type { RouteEvent } from '../../core/alert/route.ts';
import { isInHand, isOnlyAcknowledged, type Conversation, type Message } from '../../core/outbox/message.ts';
import type { MessageContent } from '../../core/wording/message-content.ts';
import { isOpenAgain } from '../../core/wording/kicker.ts';
import { sendRequest, type Exchange } from '../../net/exchange.ts';
import { createTokens, type OAuthOptions } from '../oauth.ts';
import { toUnansweredOutcome } from '../outcome.ts';
import { sendInTurn, type Outcome, type Receipt, type Receiver, type ReceiverDeps } from '../receiver.ts';
import { toPresetOutcome, readAnswer, findRule, isMatch, type ReadAnswer } from './answer.ts';
import { findFact } from './facts.ts';
import type { AnswerMatch, AnswerRule, Json, Preset, PresetRequest, ReceiptRule } from './preset.ts';
import { fillJson, fillText, findPlaceholders, toTemplateText, type Lookup } from './template.ts';
import { sendInThread } from './thread.ts';
import { sendToTicket, type Sent, type TicketAction } from './tickets.ts';

export interface PresetOptions {
  name: string;
  preset: Preset;
  /** Values of the preset's keys; some are secrets. */
  keys: Readonly<Record<string, string>>;
  /** Maximum number of messages in 24 hours; null for that of the preset. */
  maxADay: number | null;
  /** Customers as the medium names them, by their label; `*` for all others. */
  customers?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  /** Reopened alerts reopen their ticket, or open a new one. */
  reopen?: 'same' | 'new';
}

/** Scales tried in order: a body that is too long is rendered again with shorter texts. */
const SCALES = [1, 0.8, 0.65, 0.5, 0.35, 0.2, 0.1, 0.05, 0.02];
/** Maximum size of a response to `find`. */
const MOST_BYTES = 256 * 1024;
/** Accepts ids, and no free text chosen by a third party. */
const LEARNT = /^[\w@:.!-]{1,100}$/;

type Purpose = 'send' | TicketAction;

export function createHttpReceiver(options: PresetOptions, deps: ReceiverDeps): Receiver {
  const { name, preset, customers = {}, reopen = 'same' } = options;
  const { timeoutMs, compose, clock, agents, externalUrl, customerLabel } = deps;
  const [startedAt, doubtful] = [clock(), new Set<string>()];
  const { receipt, levels } = preset;
  const most = options.maxADay ?? preset.maxADay ?? Infinity;
  const keys = new Map(
    Object.entries(preset.keys).flatMap(([key, about]): [string, string][] => {
      const value = options.keys[key] ?? about.default;
      return value === null ? [] : [[key, about.is === 'base' ? trimEndSlashes(value) : value]];
    }),
  );
  const tokens = preset.oauth === null ? null : createTokens(signIn(preset.oauth, keys), { clock, agents, timeoutMs });
  /** Times of the messages sent in the last 24 hours, epoch milliseconds. */
  let sentAt: number[] = [];

  return {
    name,
    type: 'http',
    audience: 'people',
    batch: 1,
    proves: preset.proves,
    ...(preset.every !== null && { minIntervalMs: preset.every }),
    windows: preset.windows,
    ...(preset.requests.send === null && { ringsUntilTheEnd: true }),
    ...(receipt !== null && {
      receipts: { everyMs: receipt.every, read: (message, signal) => readReceipt(receipt, message, signal) },
    }),
    send: async (messages, signal) => await sendInTurn(messages, (message) => sendOne(message, signal)),
  };

  async function sendOne(message: Message, signal: AbortSignal): Promise<Outcome> {
    const content = compose(message);
    const action = selectAction(preset, message, content.status);
    if (action === null) return skip(`for information only, so not for ${preset.title}`);
    if (isPassedOver(preset, message)) return skip(`a reminder that is not critical, so not for ${preset.title}`);
    const outcome = checkLimit(clock()) ?? (await perform(action, { message, content, kept: {} }, signal));
    if (outcome.kind === 'delivered' && most < Infinity) sentAt.push(clock());
    return outcome;
  }

  async function perform(action: Purpose, { message, content }: Input, signal: AbortSignal): Promise<Outcome> {
    const attempted = async (request: PresetRequest, kept: Conversation) =>
      await attempt(request, { message, content, kept }, signal);
    const { send, cancel, find } = preset.requests;
    if (action === 'send' && send !== null) {
      const outcome = await sendInThread(message, preset, send, attempted);
      // Nothing rings for an alert that ended or is acknowledged.
      const isQuiet = message.alert.resolvedAt !== null || isOnlyAcknowledged(message);
      if (cancel === null || outcome.kind !== 'delivered' || message.alert.number === null || !isQuiet) return outcome;
      const cancelled = (await attempted(cancel, {})).outcome;
      if (cancelled.kind === 'delivered') return outcome;
      return { ...outcome, detail: `${outcome.detail}; it may still ring: ${cancelled.reason}` };
    }
    if (action !== 'send' && find !== null) {
      return await sendToTicket(message, action, { preset, reopen, startedAt, doubtful, send: attempted });
    }
    const request = preset.requests[action] ?? preset.requests.open;
    return request === null ? skip(`${preset.title} takes no such news`) : (await attempted(request, {})).outcome;
  }

  async function readReceipt(rule: ReceiptRule, message: Message, signal: AbortSignal): Promise<Receipt> {
    const input = { message, content: compose(message), kept: message.conversation ?? {} };
    return toReceipt(rule, name, await attempt(rule.request, input, signal));
  }

  function checkLimit(now: number): Outcome | null {
    sentAt = sentAt.filter((at) => at > now - DAY);
    if (sentAt.length < most) return null;
    const reason = `${preset.title}: the ${most} messages of 24 hours (max_a_day) are used up`;
    return { kind: 'transient', code: 'throttled', reason, retryAfterMs: (sentAt[0] ?? now) + DAY - now };
  }

  /** Sends once more if the response replaced a key; not a third time. */
  async function attempt(request: PresetRequest, input: Input, signal: AbortSignal, refused?: string): Promise<Sent> {
    const isFirst = refused === undefined;
    const token = await (isFirst ? tokens?.current(signal) : tokens?.renewed(refused, signal));
    if (typeof token === 'object') return { outcome: token, answer: null };
    if (token !== undefined) keys.set('access_token', token);
    try {
      const exchanged = { ...buildRequest(request, input), timeoutMs, signal, agents, mostBytes: MOST_BYTES };
      const answer = readAnswer(await sendRequest(exchanged));
      if (answer.status === 401 && isFirst && token !== undefined) return await attempt(request, input, signal, token);
      const rule = findRule(preset, answer);
      const learned = isFirst ? listLearnedKeys(answer, rule, keys) : [];
      if (learned.length === 0) return { outcome: toPresetOutcome(preset, answer, rule, clock()), answer };
      for (const [key, value] of learned) keys.set(key, value);
      const again = await attempt(request, input, signal, '');
      if (again.outcome.kind !== 'delivered') return again;
      const changed = learned.map(([key, value]) => `write ${key}: ${value}`).join(', ');
      const detail = `${again.outcome.detail}; it has moved, so ${changed}`;
      return { ...again, outcome: { ...again.outcome, detail } };
    } catch (error) {
      return { outcome: toUnansweredOutcome(preset.title, error, signal), answer: null };
    }
  }

  function buildRequest(request: PresetRequest, input: Input, [scale = 1, ...smaller] = SCALES): Filled {
    const filled = fillRequest(request, createLookup(input, scale));
    const isTooLong = Buffer.byteLength(filled.body ?? '') > (preset.limits.body ?? Infinity);
    return isTooLong && smaller.length > 0 ? buildRequest(request, input, smaller) : filled;
  }

  function createLookup({ message, content, kept }: Input, scale: number): Lookup {
    const made = new Map<string, Json | undefined>();
    const input = { message, content, preset, externalUrl, scale };
    const customer = customers[findCustomer(message, customerLabel) ?? '*'] ?? customers['*'];
    const isTaken = isInHand(message);
    return (placeholder) => {
      const [space, rest = ''] = placeholder.split('.');
      const key = space === 'key' ? keys.get(rest) : undefined;
      if (key !== undefined) return preset.keys[rest]?.is === 'number' ? Number(key) : key;
      if (space === 'kept') return kept[rest];
      if (space === 'customer') return customer?.[rest];
      if (space === 'level') return (isTaken ? levels[rest]?.acknowledged : null) ?? levels[rest]?.[content.tone];
      if (!made.has(placeholder)) made.set(placeholder, findFact(placeholder, input));
      return made.get(placeholder);
    };
  }
}

function toReceipt(rule: ReceiptRule, name: string, { outcome, answer }: Sent): Receipt {
  if (outcome.kind !== 'delivered') return outcome;
  const matches = (match: AnswerMatch): boolean => answer !== null && isMatch(match, answer);
  if (!matches(rule.acknowledged)) return { kind: matches(rule.over) ? 'over' : 'waiting' };
  const by = readValue(answer?.body, rule.by ?? '');
  return { kind: 'acknowledged', by: typeof by === 'string' && LEARNT.test(by) ? `${name} (${by})` : name };
}

function isPassedOver({ reminders }: Preset, { reminder, alert: { severity, resolvedAt } }: Message): boolean {
  return reminders === 'critical' && reminder > 0 && severity !== 'critical' && resolvedAt === null;
}

/** Label of the message's customer; null if there are several. */
function findCustomer({ alert, changes }: Message, labelOf: ReceiverDeps['customerLabel']): string | null {
  const labels = new Set([alert.source, ...changes.map(({ transition }) => transition.source)].map(labelOf));
  const [only, ...others] = [...labels].filter((label) => label !== null);
  return others.length > 0 ? null : (only ?? null);
}

interface Input {
  message: Message;
  content: MessageContent;
  kept: Conversation;
}

type Filled = Pick<Exchange, 'method' | 'url' | 'headers' | 'body'>;
type Keys = ReadonlyMap<string, string>;

function signIn(oauth: NonNullable<Preset['oauth']>, keys: Keys): OAuthOptions {
  const fill = (text: string): string => fillText(text, (name) => keys.get(name.slice('key.'.length)), String);
  const [tokenUrl, clientId, clientSecret] = [fill(oauth.tokenUrl), fill(oauth.clientId), fill(oauth.clientSecret)];
  return { ...oauth, tokenUrl, clientId, clientSecret, refreshToken: null };
}

/** Keys with new values in the response. */
function listLearnedKeys(answer: ReadAnswer, rule: AnswerRule | null, keys: Keys): [string, string][] {
  return Object.entries(rule?.learn ?? {}).flatMap(([key, path]): [string, string][] => {
    const value = readValue(answer.body, path);
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return LEARNT.test(text) && keys.get(key) !== text ? [[key, text]] : [];
  });
}

function skip(detail: string): Outcome {
  return { kind: 'delivered', detail };
}

/** A resolve closes the ticket, whatever is with it; a closed one is opened again, not noted in. Null: not for this medium. */
function selectAction({ requests }: Preset, message: Message, status: RouteEvent): Purpose | null {
  if (requests.send !== null) return 'send';
  if (message.alert.number === null) return null;
  if (message.alert.resolvedAt !== null) return 'close';
  if (status === 'info') return null;
  const isBack = isOpenAgain(message);
  if (isBack && requests.find !== null) return 'reopen';
  if (isOnlyAcknowledged(message) && requests.acknowledge !== null) return 'acknowledge';
  return message.first || isBack || requests.update === null ? 'open' : 'update';
}

function fillRequest(request: PresetRequest, lookup: Lookup): Filled {
  const { method, url, headers, basic, json, form, text } = request;
  const plain = (template: string): string => fillText(template, lookup, (value) => value);
  // A header is omitted if one of its placeholders has no value, as in JSON.
  const asked = Object.entries(headers).filter(([, value]) =>
    findPlaceholders(value).every((placeholder) => lookup(placeholder) !== undefined),
  );
  const filled = asked.map(([name, value]) => [name, plain(value).replaceAll(/[^\u0020-\u007e]/g, '')]);
  const [type, body] =
    json !== null
      ? ['application/json', JSON.stringify(fillJson(json, lookup))]
      : form !== null
        ? ['application/x-www-form-urlencoded', encodeForm(form, lookup)]
        : ['text/plain; charset=utf-8', text === null ? null : plain(text)];
  return {
    method,
    url: fillText(url, lookup, encodeForAddress),
    headers: {
      ...(body !== null && { 'content-type': type }),
      ...(Object.fromEntries(filled) as Record<string, string>),
      ...(basic !== null && {
        authorization: `Basic ${Buffer.from(`${plain(basic.user)}:${plain(basic.password)}`).toString('base64')}`,
      }),
    },
    ...(body !== null && { body }),
  };
}

/** A value at the beginning is a whole address; others are encoded as parts of it. A path token keeps its colon. */
function encodeForAddress(value: string, at: number): string {
  return at === 0 ? value : encodeURIComponent(value.toWellFormed()).replaceAll('%3A', ':').replaceAll('%40', '@');
}

/** Fields without any value are omitted. */
function encodeForm(form: Readonly<Record<string, Json>>, lookup: Lookup): string {
  const fields = Object.entries(fillJson(form, lookup) ?? {}) as [string, Json][];
  return new URLSearchParams(fields.map(([key, value]) => [key, toTemplateText(value)])).toString();
}
