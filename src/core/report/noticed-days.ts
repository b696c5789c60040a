/** Days before the watch, reconstructed from the provider's notices. */
import { isIncident } from '../history/notice-record.ts';
import type { PageRecord, PastNotice } from '../history/past-notice.ts';
import type { Span } from '../history/rows.ts';
import type { DayRow, DayTime } from './days.ts';
import { joinSpans, sumLengths, clipSpans } from './uptime.ts';

/** The unwatched part of a span that a record covers; null if there is none. */
export function findNoticedSpan(
  { since: begins, watchedSince }: Pick<PageRecord, 'since' | 'watchedSince'>,
  { since, until }: Span,
): Span | null {
  if (begins === null || watchedSince === null) return null;
  const covered = { since: Math.max(since, begins), until: Math.min(until, watchedSince) };
  return covered.until > covered.since ? covered : null;
}

/** Adds the notices of the days before the watch to components. */
export function withNotices(
  rows: readonly DayRow[],
  days: readonly Span[],
  records: readonly PageRecord[],
): readonly DayRow[] {
  const bySource = new Map(records.map((record) => [record.source, record]));
  return rows.map((row) => {
    const record = bySource.get(row.source);
    if (record === undefined || !row.subject.startsWith('component/')) return row;
    const covered = days.map((day) => findNoticedSpan(record, day));
    if (covered.every((one) => one === null)) return row;
    const id = row.subject.slice('component/'.length);
    const own = record.notices.filter(({ components }) => components.some((component) => component.id === id));
    const trouble = joinSpans(own.filter(isIncident).flatMap(toSpans));
    const work = joinSpans(own.filter(({ type }) => type === 'planned').flatMap(toSpans));
    const times = row.days.map((time, index) => withTold(time, covered[index] ?? null, trouble, work));
    return { ...row, days: times };
  });
}

function withTold(time: DayTime, covered: Span | null, trouble: readonly Span[], work: readonly Span[]): DayTime {
  if (covered === null) return time;
  const degraded = sumLengths(clipSpans(trouble, covered));
  const either = sumLengths(clipSpans(joinSpans([...trouble, ...work]), covered));
  const noticed = covered.until - covered.since;
  return {
    ...time,
    up: time.up + noticed - either,
    degraded: time.degraded + degraded,
    maintenance: time.maintenance + either - degraded,
    unknown: Math.max(0, time.unknown - noticed),
    noticed,
  };
}

/** Empty if a time is missing. */
function toSpans({ beganAt, endedAt }: Pick<PastNotice, 'beganAt' | 'endedAt'>): Span[] {
  return beganAt === null || endedAt === null || endedAt <= beganAt ? [] : [{ since: beganAt, until: endedAt }];
}

/** Unwatched incidents within the span, latest first. */
export function listNoticed(records: readonly PageRecord[], span: Span): PastNotice[] {
  return records
    .flatMap(({ notices }) => notices)
    .filter(({ origin, beganAt, createdAt, endedAt }) => {
      const began = beganAt ?? createdAt;
      if (origin !== 'imported' || began === null) return false;
      return began < span.until && (endedAt ?? began) >= span.since;
    })
    .toSorted((a, b) => (b.beganAt ?? b.createdAt ?? 0) - (a.beganAt ?? a.createdAt ?? 0));
}
