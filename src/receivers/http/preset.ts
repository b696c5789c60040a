/**
 * A preset says as data how one medium is spoken to over HTTP. It holds no conditions, loops or code: what a medium needs
 * besides this is a change of the form itself.
 */
import type { Tone } from '../../core/wording/briefing.ts';
import type { Window } from '../../core/outbox/budget.ts';
import type { Proof } from '../../core/outbox/proof.ts';
import type { DeliveryFailure } from '../receiver.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface Preset {
  name: string;
  title: string;
  /** What a success says about the message. */
  proves: Proof;
  /** What a user writes in his receiver, by name. */
  keys: Readonly<Record<string, PresetKey>>;
  limits: Limits;
  markdown: MarkdownForm;
  /** Values by how a message feels, as `{{level.NAME}}`. */
  levels: Readonly<Record<string, Readonly<Partial<Record<Tone, Json>>>>>;
  requests: PresetRequests;
  /** Signs in for a token, which is `{{key.access_token}}`; its texts have placeholders. Null: there is none. */
  oauth: { tokenUrl: string; clientId: string; clientSecret: string; scope: string | null } | null;
  /** What later requests need, by name: where it stands in the answer to `open`, and in that to `find`. */
  keep: Readonly<Record<string, KeptPath>>;
  /** How a success answers; null: with any 2xx. */
  success: AnswerMatch | null;
  /** The first that fits decides, before the general table of statuses. */
  answers: readonly AnswerRule[];
  /** Where a retry time stands besides the header `Retry-After`. */
  retryAfter: readonly RetryField[];
  /** The least time between two messages, in milliseconds. */
  every: number | null;
  /** The most messages in each of these windows. */
  windows: readonly Window[];
  /** Messages in 24 hours. */
  maxADay: number | null;
  /** Which reminders are sent. */
  reminders: 'all' | 'critical';
}

export interface PresetKey {
  description: string;
  secret: boolean;
  /** Null: it must be written. */
  default: string | null;
  optional: boolean;
  /** A `base` is an address to which paths are appended. */
  is: 'text' | 'number' | 'address' | 'base';
  pattern: string | null;
  /** What is wrong with a value that does not fit the pattern. */
  advice: string | null;
  /** What is wrong with a value that holds such a text. */
  refuse: Readonly<Record<string, string>>;
}

export interface KeptPath {
  opened: string;
  /** Null where nothing is looked for. */
  found: string | null;
}

export const MEASURES = ['utf16', 'characters', 'bytes'] as const;

export interface Limits {
  title: number | null;
  text: number | null;
  /** Of the whole body, in bytes. */
  body: number | null;
  of: (typeof MEASURES)[number];
}

export interface MarkdownForm {
  /** Characters before which a backslash takes away their meaning. */
  escape: string;
  /** What stands around bold text. */
  bold: string;
}

/**
 * Either `send` for every message, where a `reply` may answer the first about an alert and an `edit` keep that up to date; or what opens, updates and closes something over there. With `find` it is looked for
 * by a key of ours before a second one would be opened.
 */
export interface PresetRequests {
  send: PresetRequest | null;
  reply: PresetRequest | null;
  edit: PresetRequest | null;
  open: PresetRequest | null;
  update: PresetRequest | null;
  acknowledge: PresetRequest | null;
  close: PresetRequest | null;
  reopen: PresetRequest | null;
  find: PresetRequest | null;
}

export const METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'] as const;

export interface PresetRequest {
  method: (typeof METHODS)[number];
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Signs in by name and password (RFC 7617). */
  basic: { user: string; password: string } | null;
  /** One of these three, or no body. */
  json: Json | null;
  form: Readonly<Record<string, Json>> | null;
  text: string | null;
}

export interface AnswerMatch {
  /** Empty: any. */
  status: readonly number[];
  /** What stands in a JSON body, by path such as `data.messages.0.status`. */
  body: Readonly<Record<string, string | number | boolean>>;
  /** A path that must be there. */
  given: string | null;
  /** A part of the body, in any case of letters. */
  has: string | null;
}

export const MEANINGS = ['shown', 'taken', 'accepted', 'again', 'never'] as const;

export interface AnswerRule extends AnswerMatch {
  means: (typeof MEANINGS)[number];
  /** What to mend, for an operator; nothing of an answer is quoted. */
  why: string | null;
  code: DeliveryFailure | null;
  /** Keys of the receiver that are other from now on, by the path of their new value; the message is sent again. */
  learn: Readonly<Record<string, string>>;
}

export interface RetryField {
  header: string | null;
  body: string | null;
  unit: 's' | 'ms';
}
