/** An alert's story as JSON, for `alert show --json` and the API of the page. Its names are an API. */
import type { HoldReason } from '../../correlation/decision.ts';
import { toTimestamp, type Timestamp } from '../../transition/details.ts';
import type { OfVendor } from '../../transition/transition.ts';
import type { Kind, Severity, Status } from '../../transition/kind.ts';
import type { MissedReport } from '../standing/calls-view.ts';
import { type FactsReport, reportFacts } from './facts-report.ts';
import type { PastStory } from './past-story.ts';
import type { SilenceView } from '../picture.ts';
import type { NextMessage, Story } from './story.ts';

type SaidReport = OfVendor & { source: string; at: Timestamp | null; state: string | null; text: string };

/** One event of an alert. */
export interface EventReport {
  /** Ids of its transitions. */
  ids: string[];
  at: Timestamp | null;
  source: string;
  kind: Kind;
  /** Its effect on the alert. */
  status: Status;
  severity: Severity;
  headline: string;
  /** Old and new value in words; null if there is none on that side. */
  from: string | null;
  to: string | null;
  /** Consequences in full sentences, and the components that changed with it. */
  notes: string[];
  words: SaidReport[];
  /** A text that the provider changed silently. */
  edited: { before: string; after: string } | null;
}

export interface MutingReport {
  id: string;
  matchers: Record<string, string[]>;
  comment: string;
  /** Name of the person who made it; absent if it is not known. */
  by?: string;
  from: Timestamp | null;
  until: Timestamp | null;
}

/** One message with its receivers. */
export interface ToldReport {
  due_at: Timestamp | null;
  /** 0, or the number of the reminder. */
  reminder: number;
  /** Ids of its transitions. */
  events: string[];
  delivered: { receiver: string; after_ms: number; attempts: number }[];
  undelivered: { receiver: string; reason: string; for_good: boolean }[];
}

export interface HistoryReport {
  events: EventReport[];
  messages: ToldReport[];
  phones: { at: Timestamp | null; registered: number; total: number }[];
  /** Silences that muted it at any time. */
  silences: MutingReport[];
  provider_lag_ms: number | null;
  back_after_resolved_ms: number | null;
}

export interface StoryReport extends Partial<FactsReport> {
  /** Callers not answered meanwhile; absent if calls are not watched. */
  callers?: MissedReport[];
  /** Reason why they cannot be listed, in a sentence; absent if they can. */
  callers_unread?: string;
  id: string;
  number: number;
  status: 'open' | 'resolved';
  severity: Severity;
  title: string;
  state: string | null;
  started_at: Timestamp | null;
  resolved_at: Timestamp | null;
  /** Evidence for the cause of a loss, in a sentence; absent without a cause. */
  why?: string;
  sources: string[];
  /** Names for people, of sources that have one. */
  called?: Record<string, string>;
  also: number[];
  affected: string[];
  url: string | null;
  acknowledged: { by: string; comment: string; at: Timestamp | null } | null;
  /** Reason why people were not notified of it, or of its latest change; null if they were. */
  not_told: HoldReason | null;
  /** Time of the waiting message; null if none waits, or it has no time. */
  due_at?: Timestamp | null;
  told: {
    receiver: string;
    type: string;
    last_at: Timestamp | null;
    reminders: number;
    waiting: number;
    next?: NextReport | null;
  }[];
  untold: { receiver: string; why: HoldReason; next?: NextReport | null }[];
  /** Ids of silences that mute a part of it, or did while it was open. */
  silences: string[];
  /** Texts of the provider and other vendors' pages, oldest first. */
  words: SaidReport[];
  /** The record in the history; null for none. */
  history: HistoryReport | null;
  /** Reason why the history cannot be read, in a sentence; absent if it can. */
  history_unread?: string;
}

/** A message that is about to be sent. */
export interface NextReport {
  due_at: Timestamp | null;
  headline: string;
}

/**
 * Times are ISO 8601 in UTC. Always has all fields except `why`, `history_unread` and, for an alert that only the
 * history has, its current facts: phase, cause, advice and parts.
 */
export function reportStory(story: Story, past: PastStory | null, unread: string | null): StoryReport {
  const { id, number, status, severity, title, state, startedAt, endedAt, why, sources, also, affected, url } = story;
  const { facts, acknowledged, notTold, notified, untold, silences, words } = story;
  return {
    id,
    number,
    status,
    severity,
    title,
    state,
    started_at: toTimestamp(startedAt),
    resolved_at: toTimestamp(endedAt),
    ...(why !== null && { why }),
    sources: [...sources],
    ...(facts !== null && reportFacts(facts)),
    called: { ...story.called },
    also: [...also],
    affected,
    url,
    acknowledged: acknowledged === null ? null : { ...acknowledged, at: toTimestamp(acknowledged.at) },
    not_told: notTold?.reason ?? null,
    due_at: toTimestamp(notTold?.dueAt ?? null),
    told: notified.map(({ receiver, type, at, reminders, waiting, next }) => ({
      receiver,
      type,
      last_at: toTimestamp(at),
      reminders,
      waiting,
      next: reportNext(next),
    })),
    untold: untold.map(({ receiver, why, next }) => ({ receiver, why: why.reason, next: reportNext(next) })),
    silences: silences.map((silence) => silence.id),
    words: words.map(({ at, ...said }) => ({ ...said, at: toTimestamp(at) })),
    history: past === null ? null : reportPast(past),
    ...(unread !== null && { history_unread: unread }),
  };
}

function reportNext(next: NextMessage | null): NextReport | null {
  return next === null ? null : { due_at: toTimestamp(next.dueAt), headline: next.headline };
}

export function reportMuting({ id, matchers, from, until, comment, by }: SilenceView): MutingReport {
  const asked = Object.fromEntries(Object.entries(matchers).map(([key, values]) => [key, [...values]]));
  const made = by === undefined ? {} : { by };
  return { id, matchers: asked, comment, ...made, from: toTimestamp(from), until: toTimestamp(until) };
}

function reportPast({ moments, messages, phones, silences, felt }: PastStory): HistoryReport {
  return {
    events: moments.map(({ at, words, edit, ...moment }) => ({
      ...moment,
      at: toTimestamp(at),
      words: words.map((said) => ({ ...said, at: toTimestamp(said.at) })),
      edited: edit,
    })),
    messages: messages.map(({ at, reminder, transitions, receivers, refused }) => ({
      due_at: toTimestamp(at),
      reminder,
      events: [...transitions],
      delivered: receivers.map(({ receiver, afterMs, attempts }) => ({ receiver, after_ms: afterMs, attempts })),
      undelivered: refused.map(({ receiver, detail, forGood }) => ({ receiver, reason: detail, for_good: forGood })),
    })),
    phones: phones.map(({ at, registered, total }) => ({ at: toTimestamp(at), registered, total })),
    silences: silences.map(reportMuting),
    provider_lag_ms: felt?.lagMs ?? null,
    back_after_resolved_ms: felt?.afterResolvedMs ?? null,
  };
}
