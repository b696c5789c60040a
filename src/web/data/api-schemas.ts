/** Answers of the API: one schema for each, from which its description is generated. */
import * as z from 'zod';
import { PHASES } from '../../core/correlation/alert-facts.ts';
import { CAUSES } from '../../core/view/verdict/phone-losses.ts';
import { days } from '../days/days-schema.ts';
import { report } from './report-schema.ts';

const at = z.iso.datetime().nullable();
const severity = z.enum(['info', 'warning', 'critical']);
const taken = z.object({ by: z.string(), comment: z.string(), at });

/** Current state of an alert: events use the same names. */
const standing = {
  phase: z.enum(PHASES),
  merged_into: z.int().nullable(),
  cause: z
    .object({
      kind: z.enum(CAUSES),
      name: z.string().nullable(),
      why: z.string().nullable(),
    })
    .nullable(),
  advice: z.string().nullable(),
  parts: z.array(
    z.object({
      source: z.string(),
      customer: z.string().nullable(),
      phase: z.enum(PHASES),
      affected: z.object({
        phones: z
          .object({
            total: z.int(),
            offline: z.int(),
            by_site: z.array(z.object({ site: z.string().nullable(), offline: z.int(), total: z.int() })),
          })
          .nullable(),
        components: z.array(z.string()),
        toggles: z.array(z.string()),
      }),
    }),
  ),
};

const alert = z.object({
  ...standing,
  id: z.string(),
  number: z.int(),
  severity,
  title: z.string(),
  started_at: at,
  why: z.string().optional(),
  not_told: z.string().optional(),
  due_at: at.optional(),
  acknowledged: taken.optional(),
  sources: z.array(z.string()).optional(),
  also: z.array(z.int()).optional(),
  phones: z
    .object({
      offline: z.int(),
      accounts: z.array(z.object({ source: z.string(), offline: z.int(), total: z.int() })),
    })
    .optional(),
});

const open = { alerts: z.array(alert), takes_part_in: z.array(z.object({ number: z.int(), shown_at: z.string() })) };
const read = { name: z.string(), base_url: z.string(), last_read_at: at, blind: z.array(z.string()) };
const named = z.object({ id: z.string(), name: z.string(), state: z.string() });
const count = { registered: z.int(), total: z.int(), away: z.int().optional() };
const site = z.object({
  ...count,
  site: z.string().nullable(),
  missing: z.array(z.looseObject({ extension: z.string(), name: z.string().nullable(), since: at })),
});
const toggle = z.object({
  id: z.string(),
  name: z.string(),
  status: z.boolean().nullable(),
  expected: z.boolean().nullable(),
});

const starting = z.object({ read: z.int(), total: z.int() });

const verdict = z.object({
  tone: z.enum(['crit', 'warn', 'unk', 'work', 'ok']),
  headline: z.string(),
  split: z.array(z.string()),
  todo: z.array(z.string()),
  open: z.int(),
  alert: z.int().nullable(),
  unknown: z.array(z.string()),
  starting: starting.optional(),
  phones: z.object({ registered: z.int(), offline: z.int(), not_seen: z.int(), unknown: z.int() }),
  causes: z.array(
    z.object({
      cause: z.enum(CAUSES),
      offline: z.int(),
      since: at,
      alerts: z.array(z.int()),
      customers: z.array(z.object({ name: z.string(), offline: z.int(), total: z.int() })),
    }),
  ),
});

const status = z.object({
  instance: z.string(),
  running: z.boolean(),
  started_at: at,
  starting: starting.optional(),
  verdict: verdict.optional(),
  sources: z.array(
    z.object({
      ...read,
      ...open,
      unread: z.literal(true).optional(),
      page: z.object({ name: z.string(), state: z.string() }).nullable(),
      components: z.looseObject({ total: z.int(), not_operational: z.array(named) }),
      notices: z.array(z.looseObject({ id: z.string(), subject: z.string(), state: z.string().nullable() })),
      past_notices: z.object({ settled: z.int(), total: z.int(), listing: z.boolean() }).optional(),
    }),
  ),
  accounts: z.array(
    z.object({
      ...read,
      ...open,
      /** Name for people; absent if it is the configured name. */
      called: z.string().optional(),
      unread: z.array(z.string()).optional(),
      phones: z
        .looseObject({ ...count, missing: z.array(z.string()), sites: z.array(z.looseObject(site.shape)) })
        .nullable(),
      toggles: z.array(z.looseObject(toggle.shape)).nullable(),
    }),
  ),
  linewatch: z.object({ alerts: z.array(alert), unsaved: z.array(z.string()) }),
  deliveries: z.array(
    z.looseObject({ receiver: z.string(), removed: z.literal(true).optional(), waiting: z.int(), refused: z.int() }),
  ),
});

const said = z.object({
  source: z.string(),
  /** A page of another vendor than the provider; absent for all others. */
  vendor: z.literal(true).optional(),
  at,
  state: z.string().nullable(),
  text: z.string(),
});

const muted = z.object({
  id: z.string(),
  matchers: z.record(z.string(), z.array(z.string())),
  from: at,
  until: at,
  comment: z.string(),
  /** Name of the person who made it; absent if it is not known. */
  by: z.string().optional(),
});

/** The next message to this receiver. */
const next = z.object({ due_at: at, headline: z.string() }).nullable();

const story = z.object({
  ...z.object(standing).partial().shape,
  id: z.string(),
  number: z.int(),
  status: z.enum(['open', 'resolved']),
  severity,
  title: z.string(),
  state: z.string().nullable(),
  started_at: at,
  resolved_at: at,
  why: z.string().optional(),
  sources: z.array(z.string()),
  /** Names for people, of sources that have one. */
  called: z.record(z.string(), z.string()),
  also: z.array(z.int()),
  affected: z.array(z.string()),
  url: z.string().nullable(),
  acknowledged: taken.nullable(),
  not_told: z.string().nullable(),
  /** Time of the waiting message. */
  due_at: at,
  told: z.array(
    z.object({ receiver: z.string(), type: z.string(), last_at: at, reminders: z.int(), waiting: z.int(), next }),
  ),
  untold: z.array(z.object({ receiver: z.string(), why: z.string(), next })),
  silences: z.array(z.string()),
  words: z.array(said),
  /** The record in the history; null for none. */
  history: z
    .object({
      events: z.array(
        z.object({
          ids: z.array(z.string()),
          at,
          source: z.string(),
          kind: z.string(),
          /** Its effect on the alert. */
          status: z.enum(['open', 'update', 'resolved', 'info']),
          severity,
          headline: z.string(),
          /** Old and new value in words. */
          from: z.string().nullable(),
          to: z.string().nullable(),
          notes: z.array(z.string()),
          words: z.array(said),
          edited: z.object({ before: z.string(), after: z.string() }).nullable(),
        }),
      ),
      messages: z.array(
        z.object({
          due_at: at,
          reminder: z.int(),
          events: z.array(z.string()),
          delivered: z.array(z.object({ receiver: z.string(), after_ms: z.int(), attempts: z.int() })),
          undelivered: z.array(z.object({ receiver: z.string(), reason: z.string(), for_good: z.boolean() })),
        }),
      ),
      phones: z.array(z.object({ at, registered: z.int(), total: z.int() })),
      /** Silences that muted it at any time. */
      silences: z.array(muted),
      /** Same meaning as in ninety days. */
      provider_lag_ms: z.int().nullable(),
      back_after_resolved_ms: z.int().nullable(),
    })
    .nullable(),
  /** Reason why the history cannot be read; absent if it can. */
  history_unread: z.string().optional(),
});

const ended = z.object({
  number: z.int(),
  severity,
  title: z.string(),
  sources: z.array(z.string()),
  state: z.string().nullable(),
  started_at: at,
  ended_at: at,
  url: z.string().nullable(),
});

const maintenance = z.object({
  number: z.int(),
  source: z.string(),
  subject: z.string(),
  phase: z.enum(['to come', 'under way', 'ended', 'cancelled']),
  begins_at: at,
  ends_at: at,
  affected: z.array(z.string()),
  url: z.string().nullable(),
});

const silence = muted.extend({ active: z.boolean() });

const delivery = z.object({
  id: z.string(),
  receiver: z.string(),
  state: z.enum(['waiting', 'refused', 'removed']),
  alert: z.int().nullable(),
  title: z.string(),
  kinds: z.array(z.string()),
  promised_at: at,
  reason: z.string().nullable(),
});

const component = z.object({
  source: z.string(),
  id: z.string(),
  name: z.string(),
  state: z.string(),
  parent_id: z.string().nullable(),
  since: at,
  known: z.boolean(),
});

const UNREADABLE = 'The history cannot be read';

/** By the end of the path; `refusals` by status, in plain text. */
export const API = {
  verdict: { summary: 'One verdict over everything, as the page and the badge say it', schema: verdict },
  status: {
    summary: 'Each source, what is open, and what waits: what `linewatch status --json` prints',
    schema: status,
  },
  alerts: {
    summary: 'Open alerts, sorted by severity, phones offline, not acknowledged first, age',
    schema: z.array(alert),
  },
  'alerts/{number}': {
    summary: 'The whole story of one alert, open or over',
    schema: story,
    refusals: { '404': 'No such alert is remembered', '503': UNREADABLE },
    query: { id: ['Its id, where the state was deleted since and a later alert has its number', z.string()] },
  },
  ended: { summary: 'Alerts of the last 24 hours that are over, the latest first', schema: z.array(ended) },
  days: {
    summary: 'Ninety days of each component and each site of phones, 50 sources at a time',
    schema: days,
    refusals: { '503': UNREADABLE },
    query: {
      q: ['Of which customer, site, page or part, by a piece of its name', z.string().max(100)],
      show: ['Only what had trouble', z.literal('trouble')],
      page: ['Which fifty sources, counted from 1', z.int().min(1)],
    },
  },
  report: {
    summary: 'The report of a month, or from one time to another: what `linewatch report --format json` prints',
    schema: report,
    refusals: {
      '404': 'The history has nothing of it',
      '422': 'It is no month or no time, or has not begun yet',
      '503': `${UNREADABLE}, or other exports are being read`,
    },
    query: {
      month: ['Such as 2026-10; default the last whole month', z.string().regex(/^\d{4}-\d\d$/)],
      from: ['In place of a month: a day, a time, or how long ago, such as 7d', z.string()],
      to: ['Until then, a day with all of it; default now', z.string()],
      source: ['Only of this page or account', z.string()],
      customer: ['Only of the accounts of this customer, and of the pages named for them', z.string()],
    },
  },
  components: { summary: 'Every component of every status page', schema: z.array(component) },
  maintenance: {
    summary: 'Planned work: to come, under way, and over as far as it is remembered',
    schema: z.array(maintenance),
  },
  deliveries: { summary: 'Messages that wait or were refused', schema: z.array(delivery) },
  silences: { summary: 'Silences that are active or to come', schema: z.array(silence) },
} as const;

export type ApiName = keyof typeof API;
