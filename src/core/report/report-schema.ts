/** The report for programs: a schema from which its type and the published description follow. */
import * as z from 'zod';
import { word } from '../text/word-schema.ts';
import { SEVERITIES, type Kind } from '../transition/kind.ts';

/** ISO 8601 in UTC. */
const at = z.iso.datetime();
const atOrNull = at.nullable();
const severity = z.enum(SEVERITIES);
const msOrNull = z.number().nullable();
const text = z.string();
const textOrNull = text.nullable();
const span = { since: at, until: at };

const evidence = z.object({
  id: text,
  at,
  source: text,
  kind: word<Kind>(),
  headline: text,
  name: textOrNull,
  from: textOrNull,
  to: textOrNull,
  words: z.array(z.object({ at: atOrNull, state: textOrNull, text })),
});

const felt = z.object({
  accounts: z.array(text),
  lost_at: at,
  back_at: atOrNull,
  word_at: at,
  lag_ms: z.number(),
  after_resolved_ms: msOrNull,
  page: text.exactOptional(),
  unwatched_since: at.exactOptional(),
});

const outage = z.object({
  within: z.object(span),
  within_ms: z.number(),
  unread: z.array(z.object(span)),
  unread_ms: z.number(),
  not_watched_before: atOrNull,
  number: z.int(),
  source: text,
  sources: z.array(text),
  id: text,
  notice: textOrNull,
  title: text,
  severity,
  since: at,
  until: atOrNull,
  unwatched_since: atOrNull,
  seen_at: at,
  components: z.array(text),
  phones: felt.nullable(),
  evidence: z.array(evidence),
});

const maintenance = z.object({
  number: z.int().nullable(),
  source: text,
  notice: text,
  title: text,
  state: textOrNull,
  begins_at: atOrNull,
  ends_at: atOrNull,
  began_at: atOrNull,
  ended_at: atOrNull,
  seen_at: at,
  notice_ms: msOrNull,
  moved: z.int(),
  late_ms: z.number(),
  overrun_ms: z.number(),
  outside_ms: z.number(),
  evidence: z.array(evidence),
});

/** Phones of a site or of a customer. */
const phones = {
  phones: z.int(),
  losses: z.int(),
  lost_ms: z.number(),
  phones_ms: z.number(),
  percent: z.number().nullable(),
};

const record = z.object({
  source: text,
  told: z.object(span).nullable(),
  notices: z.array(
    z.object({
      id: text,
      type: text,
      state: textOrNull,
      subject: text,
      began_at: atOrNull,
      ended_at: atOrNull,
      created_at: atOrNull,
      url: textOrNull,
      components: z.array(text),
      lateness: z.enum(['in time', 'late', 'after its end']),
    }),
  ),
  punctuality: z.object({ incidents: z.int(), late: z.int(), after_end: z.int() }),
  components: z.array(
    z.object({
      id: text,
      name: text,
      incidents: z.int(),
      months: z.int().nullable(),
      since: atOrNull,
      median_ms: z.int().nullable(),
    }),
  ),
});

export const report = z.object({
  instance: text,
  timezone: text,
  month: textOrNull,
  heading: textOrNull,
  called: z.record(z.string(), text),
  made_at: at,
  ...span,
  history_begins_at: atOrNull,
  sources: z.array(
    z.object({ source: text, gaps: z.array(z.object(span)), unknown_ms: z.number(), unwatched_since: atOrNull }),
  ),
  uptimes: z.array(
    z.object({
      source: text,
      subject: text,
      name: text,
      percent: z.number().nullable(),
      percent_beside_maintenance: z.number().nullable(),
      known_ms: z.number(),
      up_ms: z.number(),
      degraded_ms: z.number(),
      maintenance_ms: z.number(),
      unknown_ms: z.number(),
    }),
  ),
  outages: z.array(outage),
  maintenances: z.array(maintenance),
  edits: z.array(z.object({ id: text, at, source: text, notice: text, title: text, before: text, after: text })),
  sites: z.array(z.object({ source: text, site: text, most_at_once: z.int(), ...phones })),
  customers: z.array(z.object({ customer: text, called: text, accounts: z.array(text), ...phones })),
  receivers: z.array(
    z.object({ receiver: text, delivered: z.int(), late: z.int(), refused: z.int(), longest_ms: msOrNull }),
  ),
  late: z.array(
    z.object({
      id: text,
      at,
      receiver: text,
      number: z.int().nullable(),
      due_at: at,
      outcome: z.enum(['delivered', 'transient', 'permanent']),
      late_ms: msOrNull,
      why: textOrNull,
    }),
  ),
  record: z.array(record),
  left_out: z.object({ alerts: z.int(), changes: z.int(), late: z.int() }),
});

export type ReportJson = z.infer<typeof report>;
