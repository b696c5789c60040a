/** Describes one medium over HTTP as data, without conditions, loops or code. Other needs change this format. */
import type { Tone } from '../../core/wording/message-content.ts';
import type { BudgetWindow } from '../../core/outbox/budget.ts';
import type { Proof } from '../../core/outbox/proof.ts';
import type { DeliveryFailure } from '../receiver.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface Preset {
  name: string;
  title: string;
  /** Proof of delivery that a success gives. */
  proves: Proof;
  /** Keys that a user sets in the receiver's configuration, by name. */
  keys: Readonly<Record<string, PresetKey>>;
  limits: TextLimits;
  markdown: MarkdownForm;
  /** Values by the tone of a message, as `{{level.NAME}}`; `acknowledged` goes before the tone of an open alert. */
  levels: Readonly<Record<string, Readonly<Partial<Record<Tone | 'acknowledged', Json>>>>>;
  requests: PresetRequests;
  /** OAuth sign-in whose token is `{{key.access_token}}`; its texts have placeholders. Null for none. */
  oauth: { tokenUrl: string; clientId: string; clientSecret: string; scope: string | null } | null;
  /** Values that later requests need, by name: their path in the response to `open`, and in that to `find`. */
  keep: Readonly<Record<string, KeptPath>>;
  /** Reads whether what rings is acknowledged. Null if the medium cannot say. */
  receipt: ReceiptRule | null;
  /** Match for a success; null: any 2xx. */
  success: AnswerMatch | null;
  /** The first matching rule applies, before the table of HTTP statuses. */
  answers: readonly AnswerRule[];
  /** Places of a retry time besides the header `Retry-After`. */
  retryAfter: readonly RetryField[];
  /** Minimum interval between messages, in milliseconds. */
  every: number | null;
  /** Maximum number of messages in each window. */
  windows: readonly BudgetWindow[];
  /** Maximum number of messages in 24 hours. */
  maxADay: number | null;
  /** Reminders that are sent. */
  reminders: 'all' | 'critical';
}

export interface PresetKey {
  description: string;
  secret: boolean;
  /** Null: a value is required. */
  default: string | null;
  optional: boolean;
  /** `base`: an address to which paths are appended. */
  is: 'text' | 'number' | 'address' | 'base';
  pattern: string | null;
  /** Error text for a value that does not match the pattern. */
  advice: string | null;
  /** Error texts for values that contain a given text. */
  refuse: Readonly<Record<string, string>>;
}

export interface KeptPath {
  opened: string;
  /** Null if nothing is searched for. */
  found: string | null;
}

export const MEASURES = ['utf16', 'characters', 'bytes'] as const;

export interface TextLimits {
  title: number | null;
  text: number | null;
  /** Maximum size of the whole body, in bytes. */
  body: number | null;
  of: (typeof MEASURES)[number];
}

export interface MarkdownForm {
  /** Characters that are escaped by a backslash. */
  escape: string;
  /** Delimiter of bold text. */
  bold: string;
}

export const MESSAGE_REQUESTS = ['send', 'reply', 'edit', 'cancel'] as const;
export const TICKET_REQUESTS = ['open', 'update', 'acknowledge', 'close', 'reopen', 'find'] as const;
type RequestName = (typeof MESSAGE_REQUESTS | typeof TICKET_REQUESTS)[number];

/**
 * Either `send` for every message, with a `reply` to the first message about an alert and an `edit` that keeps that up
 * to date; or requests that open, update and close a ticket. `find` looks for an existing ticket by our key before
 * another one is opened. `cancel` stops what rings for an alert that ended or is acknowledged.
 */
export type PresetRequests = Readonly<Record<RequestName, PresetRequest | null>>;

export const METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'] as const;

export interface PresetRequest {
  method: (typeof METHODS)[number];
  url: string;
  headers: Readonly<Record<string, string>>;
  /** HTTP basic authentication (RFC 7617). */
  basic: { user: string; password: string } | null;
  /** At most one of `json`, `form` and `text`; none for no body. */
  json: Json | null;
  form: Readonly<Record<string, Json>> | null;
  text: string | null;
}

export interface AnswerMatch {
  /** Empty matches any status. */
  status: readonly number[];
  /** Values in a JSON body, by path such as `data.messages.0.status`. */
  body: Readonly<Record<string, string | number | boolean>>;
  /** A path that must exist. */
  given: string | null;
  /** A part of the body, ignoring case. */
  has: string | null;
}

export interface ReceiptRule {
  request: PresetRequest;
  /** Minimum interval between two requests, in milliseconds. */
  every: number;
  acknowledged: AnswerMatch;
  /** Path of the name of the person or device that acknowledged; null if the response has none. */
  by: string | null;
  /** It can be acknowledged no longer. */
  over: AnswerMatch;
}

export const MEANINGS = ['shown', 'taken', 'accepted', 'again', 'never'] as const;

export interface AnswerRule extends AnswerMatch {
  means: (typeof MEANINGS)[number];
  /** Advice for the operator; quotes nothing of the response. */
  why: string | null;
  code: DeliveryFailure | null;
  /** Keys whose values the response replaces, by the path of the new value; the message is then sent again. */
  learn: Readonly<Record<string, string>>;
}

export interface RetryField {
  header: string | null;
  body: string | null;
  unit: 's' | 'ms';
}
