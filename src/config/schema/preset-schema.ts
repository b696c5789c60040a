/** Schema of a preset: the HTTP requests of one medium as data. */
import * as z from 'zod';
import { TONES } from '../../core/wording/message-content.ts';
import {
  MEANINGS,
  MEASURES,
  MESSAGE_REQUESTS,
  METHODS,
  TICKET_REQUESTS,
  type Json,
} from '../../receivers/http/preset.ts';
import { PROOFS } from '../../core/outbox/proof.ts';
import { DELIVERY_FAILURES } from '../../receivers/receiver.ts';
import { choice, duration, flag, list, number, oneOrMore, optional, or, section, settings, text } from './fields.ts';

const any = (): string | null => null;
const limit = (title: string) =>
  optional(number({ title, description: 'The most of it.' }, { atLeast: 1, whole: true }));

const json = z.custom<Json>((value) => value !== undefined, { error: 'it has to be a value of JSON' });

const key = settings({
  description: text({ title: 'Description', description: 'What to write, for people.' }),
  secret: flag({ title: 'Secret', description: 'It is shown nowhere.', default: false }),
  default: optional(text({ title: 'Default', description: 'What holds where nothing is written.' })),
  optional: flag({ title: 'Optional', description: 'It may be left out.', default: false }),
  is: choice({ title: 'Is', description: 'A base is an address to which paths are appended.', default: 'text' }, [
    'text',
    'number',
    'address',
    'base',
  ]),
  pattern: optional(
    text({ title: 'Pattern', description: 'A regular expression that a value fits.' }, (value) =>
      isPattern(value) ? null : 'it is no regular expression',
    ),
  ),
  advice: optional(text({ title: 'Advice', description: 'What to write where the pattern does not fit.' })),
  refuse: or({}, z.record(z.string(), text({ title: 'Advice', description: 'What to do in place of such a value.' }))),
});

function isPattern(value: string): boolean {
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const request = settings({
  method: choice({ title: 'Method', description: 'Of HTTP.', default: 'POST' }, METHODS),
  url: text({ title: 'Address', description: 'With placeholders.' }),
  headers: or({}, z.record(z.string(), text({ title: 'Header', description: 'With placeholders.' }))),
  basic: optional(
    settings({
      user: text({ title: 'User', description: 'With placeholders.' }, any),
      password: text({ title: 'Password', description: 'With placeholders.' }, any),
    }),
  ),
  json: optional(json),
  form: optional(z.record(z.string(), json)),
  text: optional(text({ title: 'Text', description: 'With placeholders.' })),
});

const match = {
  status: or(
    [],
    oneOrMore(
      { title: 'Status', description: 'Of HTTP: one or a list.' },
      number({ title: 'Status', description: 'Of HTTP.' }, { atLeast: 100, atMost: 599, whole: true }),
    ),
  ),
  body: or({}, z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  given: optional(text({ title: 'Given', description: 'A path that is there.' })),
  has: optional(text({ title: 'Has', description: 'A part of the body.' })),
};

const answer = settings({
  ...match,
  means: choice({ title: 'Means', description: 'What it says of the message.' }, MEANINGS),
  why: optional(text({ title: 'Why', description: 'What to mend.' })),
  code: optional(choice({ title: 'Code', description: 'For metrics.' }, DELIVERY_FAILURES)),
  learn: or({}, z.record(z.string(), text({ title: 'Path', description: 'Where the new value of a key stands.' }))),
});

const retryField = settings({
  header: optional(text({ title: 'Header', description: 'That holds it.' })),
  body: optional(text({ title: 'Path', description: 'Where it stands in the body.' })),
  unit: choice({ title: 'Unit', description: 'Of the number.', default: 's' }, ['s', 'ms']),
});

const REQUESTS = [...MESSAGE_REQUESTS, ...TICKET_REQUESTS] as const;

const requests = settings(
  Object.fromEntries(REQUESTS.map((name) => [name, optional(request)])) as Record<
    (typeof REQUESTS)[number],
    ReturnType<typeof optional<typeof request>>
  >,
);

export const presetSchema = settings({
  title: text({ title: 'Title', description: 'As people call the medium.' }),
  proves: choice({ title: 'Proves', description: 'What a success says about the message.' }, PROOFS),
  keys: or({}, z.record(z.string(), key)),
  limits: section(
    settings({
      title: limit('Title'),
      text: limit('Text'),
      body: limit('Bytes of the body'),
      of: choice({ title: 'Of', description: 'How the medium counts.', default: 'utf16' }, MEASURES),
    }),
  ),
  markdown: section(
    settings({
      escape: text(
        { title: 'Escape', description: 'Characters behind a backslash.', default: '\\`*_{}[]()#+-!|>~' },
        any,
      ),
      bold: text({ title: 'Bold', description: 'Around bold text.', default: '**' }, any),
    }),
  ),
  levels: or({}, z.record(z.string(), z.partialRecord(z.enum([...TONES, 'acknowledged']), json))),
  requests,
  oauth: optional(
    settings({
      token_url: text({ title: 'Token address', description: 'Where tokens are issued, with placeholders.' }),
      client_id: text({ title: 'Client id', description: 'With placeholders.' }),
      client_secret: text({ title: 'Client secret', description: 'With placeholders.' }),
      scope: optional(text({ title: 'Scope', description: 'What the token is for.' })),
    }),
  ),
  keep: or(
    {},
    z.record(
      z.string(),
      settings({
        opened: text({ title: 'Opened', description: 'Where it stands in the answer to open.' }),
        found: optional(text({ title: 'Found', description: 'Where it stands in the answer to find.' })),
      }),
    ),
  ),
  receipt: optional(
    settings({
      request,
      every: duration(
        { title: 'Every', description: 'The least time between two requests.', default: '5s' },
        { atLeast: 1 },
      ),
      acknowledged: settings(match),
      by: optional(text({ title: 'By', description: 'Where the name of the person or device stands.' })),
      over: settings(match),
    }),
  ),
  success: optional(settings(match)),
  answers: or([], list({}, answer)),
  retry_after: or([], list({}, retryField)),
  every: optional(duration({ title: 'Every', description: 'The least time between two messages.' })),
  windows: or(
    [],
    list(
      {},
      settings({
        most: number({ title: 'Most', description: 'Messages in the window.' }, { atLeast: 1, whole: true }),
        within: duration({ title: 'Within', description: 'Length of the window.', default: '1m' }, { atLeast: 1 }),
      }).transform(({ most, within }) => ({ most, withinMs: within })),
    ),
  ),
  max_a_day: optional(
    number({ title: 'Most a day', description: 'Messages in 24 hours.' }, { atLeast: 1, whole: true }),
  ),
  reminders: choice({ title: 'Reminders', description: 'Which are sent.', default: 'all' }, ['all', 'critical']),
});
