/** An alert's story as JSON, for `alert show --json` and the API of the page. Its names are an API. */
import { toTimestamp } from '../../transition/details.ts';
import { reportFacts } from './facts-report.ts';
import type { AlertHistory } from './alert-history.ts';
import type { SilenceView } from '../system-status.ts';
import type { NextMessage, Story } from './story.ts';
import type { HistoryReport, MutingReport, NextReport, StoryReport } from './story-schema.ts';

/**
 * Times are ISO 8601 in UTC. Always has all fields except `why`, `history_unread` and, for an alert that only the
 * history has, its current facts: phase, cause, advice and parts.
 */
export function reportStory(story: Story, history: AlertHistory | null, unread: string | null): StoryReport {
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
    history: history === null ? null : reportHistory(history),
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

function reportHistory({ moments, messages, phones, silences, felt }: AlertHistory): HistoryReport {
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
