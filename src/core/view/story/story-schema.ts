/** The story of an alert for programs: a schema from which its types and the published description follow. */
import * as z from 'zod';
import { STATUSES, type Kind } from '../../transition/kind.ts';
import type { MissedReport } from '../standing/calls-view.ts';
import { word } from '../../text/word-schema.ts';
import { at, facts, holdReason, severity, taken, type Late } from './alert-schema.ts';

const said = z.object({
  source: z.string(),
  /** A page of another vendor than the provider; absent for all others. */
  vendor: z.literal(true).exactOptional(),
  at,
  state: z.string().nullable(),
  text: z.string(),
});

export const muting = z.object({
  id: z.string(),
  matchers: z.record(z.string(), z.array(z.string())),
  from: at,
  until: at,
  comment: z.string(),
  /** Name of the person who made it; absent if it is not known. */
  by: z.string().exactOptional(),
});

/** A message that is about to be sent. */
const next = z.object({ due_at: at, headline: z.string() });

const notified = z.object({
  receiver: z.string(),
  type: z.string(),
  last_at: at,
  reminders: z.int(),
  waiting: z.int(),
  next: next.nullable(),
});
const unnotified = z.object({ receiver: z.string(), why: holdReason, next: next.nullable() });

/** One event of an alert. */
const event = z.object({
  /** Ids of its transitions. */
  ids: z.array(z.string()),
  at,
  source: z.string(),
  kind: word<Kind>(),
  /** Its effect on the alert. */
  status: z.enum(STATUSES),
  severity,
  headline: z.string(),
  /** Old and new value in words; null if there is none on that side. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Consequences in full sentences, and the components that changed with it. */
  notes: z.array(z.string()),
  words: z.array(said),
  /** A text that the provider changed silently. */
  edited: z.object({ before: z.string(), after: z.string() }).nullable(),
});

/** One message with its receivers. */
const told = z.object({
  due_at: at,
  /** 0, or the number of the reminder. */
  reminder: z.int(),
  /** Ids of its transitions. */
  events: z.array(z.string()),
  delivered: z.array(z.object({ receiver: z.string(), after_ms: z.int(), attempts: z.int() })),
  undelivered: z.array(z.object({ receiver: z.string(), reason: z.string(), for_good: z.boolean() })),
});

const history = z.object({
  events: z.array(event),
  messages: z.array(told),
  phones: z.array(z.object({ at, registered: z.int(), total: z.int() })),
  /** Silences that muted it at any time. */
  silences: z.array(muting),
  /** Same meaning as in ninety days. */
  provider_lag_ms: z.int().nullable(),
  back_after_resolved_ms: z.int().nullable(),
});

export const story = z.object({
  /** Absent for an alert that only the history has. */
  ...facts.partial().shape,
  id: z.string(),
  number: z.int(),
  status: z.enum(['open', 'resolved']),
  severity,
  title: z.string(),
  state: z.string().nullable(),
  started_at: at,
  resolved_at: at,
  /** Evidence for the cause of a loss, in a sentence; absent without a cause. */
  why: z.string().exactOptional(),
  sources: z.array(z.string()),
  /** Names for people, of sources that have one. */
  called: z.record(z.string(), z.string()),
  also: z.array(z.int()),
  affected: z.array(z.string()),
  url: z.string().nullable(),
  acknowledged: taken.nullable(),
  /** Reason why people were not notified of it, or of its latest change; null if they were. */
  not_told: holdReason.nullable(),
  /** Time of the waiting message; null if none waits, or it has no time. */
  due_at: at,
  told: z.array(notified as z.ZodType<Late<z.infer<typeof notified>, 'next'>>),
  untold: z.array(unnotified as z.ZodType<Late<z.infer<typeof unnotified>, 'next'>>),
  /** Ids of silences that mute a part of it, or did while it was open. */
  silences: z.array(z.string()),
  /** Texts of the provider and other vendors' pages, oldest first. */
  words: z.array(said),
  /** The record in the history; null for none. */
  history: history.nullable(),
  /** Reason why the history cannot be read, in a sentence; absent if it can. */
  history_unread: z.string().exactOptional(),
});

export type EventReport = z.infer<typeof event>;
export type MutingReport = z.infer<typeof muting>;
export type ToldReport = z.infer<typeof told>;
export type HistoryReport = z.infer<typeof history>;
export type NextReport = z.infer<typeof next>;
export interface StoryReport extends Late<z.infer<typeof story>, 'called' | 'due_at'> {
  /** Callers not answered meanwhile; absent if calls are not watched. */
  callers?: MissedReport[];
  /** Reason why they cannot be listed, in a sentence; absent if they can. */
  callers_unread?: string;
}
