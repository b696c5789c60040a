/** Planned work: announcements, deviations from them, and later edits of published texts. */
import type { TransitionRecord } from '../history/record.ts';
import type { Span } from '../history/rows.ts';
import type { WindowDetails } from '../transition/details.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import { toEvidence, toInstant, type OutageEvidence } from './outage-evidence.ts';
import { findNotice } from './outages.ts';

export interface Maintenance {
  /** Number of its alert; null if it opened none. */
  number: number | null;
  source: string;
  notice: string;
  title: string;
  /** Last known state. */
  state: string | null;
  /** Last announced window. */
  beginsAt: number | null;
  endsAt: number | null;
  beganAt: number | null;
  endedAt: number | null;
  /** Time first seen. */
  seenAt: number;
  /** Lead time of the announcement, negative if it came after the start; null if it was there when the watch began. */
  noticeMs: number | null;
  /** Number of times the window moved. */
  moved: number;
  /** Delay of start and end; 0 if on time. */
  lateMs: number;
  overrunMs: number;
  /** Time worked outside the announced window. */
  outsideMs: number;
  evidence: OutageEvidence[];
}

/** A published entry whose text changed without a mention. */
export interface SilentEdit extends Pick<OutageEvidence, 'id' | 'at' | 'source'> {
  notice: string;
  title: string;
  before: string;
  after: string;
}

/** Work whose announced or actual time overlaps `span`. `now` ends work in progress. */
export function listMaintenances(
  transitions: readonly TransitionRecord[],
  span: Span,
  now: number,
  timezone: string,
): Maintenance[] {
  const planned = transitions.filter((record) => findNotice(record)?.type === 'planned');
  const byNotice = Map.groupBy(planned, ({ transition: { source, subject } }) => `${source} ${subject}`);
  return [...byNotice.values()]
    .flatMap((records) => maintenanceOf(records, now, timezone))
    .filter(({ beginsAt, endsAt, beganAt, endedAt, seenAt }) => {
      const since = findMinimum([beginsAt, beganAt].filter((at) => at !== null));
      const until = findMaximum([endsAt, endedAt].filter((at) => at !== null));
      if (!Number.isFinite(since)) return seenAt >= span.since && seenAt < span.until;
      return since < span.until && Math.max(since, until) >= span.since;
    })
    .toSorted((a, b) => (a.beginsAt ?? a.seenAt) - (b.beginsAt ?? b.seenAt));
}

function maintenanceOf(records: readonly TransitionRecord[], now: number, timezone: string): Maintenance[] {
  const [first] = records;
  const last = records.findLast((record) => findNotice(record) !== null);
  const notice = last === undefined ? null : findNotice(last);
  if (first === undefined || last === undefined || notice === null) return [];
  const [beginsAt, endsAt] = [toInstant(notice.begins_at), toInstant(notice.ends_at)];
  const [beganAt, endedAt] = [toInstant(notice.began_at), toInstant(notice.ended_at)];
  const seenAt = first.transition.at;
  const announcedFor = firstBeginning(records) ?? beginsAt;
  const isNew = first.transition.kind === 'notice.opened';
  const isUnderWay = beganAt !== null && endedAt === null && notice.state === 'underway';
  const until = endedAt ?? (isUnderWay ? now : null);
  return [
    {
      number: records.find(({ alert }) => alert !== null)?.alert?.number ?? null,
      source: first.transition.source,
      notice: notice.id,
      title: notice.subject,
      state: notice.state,
      beginsAt,
      endsAt,
      beganAt,
      endedAt,
      seenAt,
      noticeMs: announcedFor === null || !isNew ? null : announcedFor - seenAt,
      moved: records.filter(({ transition: { kind } }) => kind === 'notice.rescheduled').length,
      lateMs:
        beganAt === null || beginsAt === null ? lateBy(records, 'maintenance.late') : Math.max(0, beganAt - beginsAt),
      overrunMs:
        until === null || endsAt === null ? lateBy(records, 'maintenance.overrun') : Math.max(0, until - endsAt),
      outsideMs: outside({ since: beganAt, until }, { since: beginsAt, until: endsAt }),
      evidence: records.map((record) => toEvidence(record, timezone, () => null)),
    },
  ];
}

/** Start as first announced; null if it never moved. */
function firstBeginning(records: readonly TransitionRecord[]): number | null {
  const moved = records.find(({ transition: { kind } }) => kind === 'notice.rescheduled');
  return moved === undefined ? null : toInstant((moved.transition.from as WindowDetails).begins_at);
}

function lateBy(records: readonly TransitionRecord[], kind: 'maintenance.late' | 'maintenance.overrun'): number {
  const said = records.flatMap(({ transition }) =>
    transition.kind === kind ? [transition.details.milliseconds ?? transition.to * 1000] : [],
  );
  return Math.max(0, findMaximum(said));
}

interface Open {
  since: number | null;
  until: number | null;
}

function outside(work: Open, window: Open): number {
  if (work.since === null || work.until === null || window.since === null || window.until === null) return 0;
  const before = Math.max(0, Math.min(work.until, window.since) - work.since);
  const after = Math.max(0, work.until - Math.max(work.since, window.until));
  return before + after;
}

/** In order of the transitions. */
export function listSilentEdits(transitions: readonly TransitionRecord[], span: Span): SilentEdit[] {
  return transitions.flatMap(({ transition }) => {
    if (transition.kind !== 'notice.edited' || transition.at < span.since || transition.at >= span.until) return [];
    const { id, at, source, from: before, to: after, details } = transition;
    return [{ id, at, source, notice: details.notice.id, title: details.notice.subject, before, after }];
  });
}
