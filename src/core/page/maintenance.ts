/**
 * Time-based events of planned work: reminders before the start, a late start, and an overrun. Each is reported once
 * per window; a moved window starts over. While notices are unreadable only reminders are sent, because start and end
 * are unknown.
 */
import type { Draft } from '../transition/transition.ts';
import { toSubject, toNoticeDetails } from './notice.ts';
import type { NoticeMemory, Snapshot } from './snapshot.ts';
import { findEarliest } from '../transition/collections.ts';

export interface MaintenanceSettings {
  /** Milliseconds before the start. */
  reminders: readonly number[];
  /** Milliseconds past the window before late or overrun is reported. */
  graceMs: number;
}

interface DueReminder {
  key: string;
  at: number;
  kind: 'maintenance.reminder' | 'maintenance.late' | 'maintenance.overrun';
  /** The reminder expires here. */
  until: number;
}

/** Remembered notices, and whether they were readable in the last sweep. */
type ReadNotices = Pick<Snapshot, 'notices' | 'health'>;

/** All events of a window, including those already reported or long past. */
function dues(
  notice: NoticeMemory,
  { reminders, graceMs }: MaintenanceSettings,
  { blind }: Snapshot['health'],
): DueReminder[] {
  if (notice.type !== 'planned' || notice.closedAt !== null) return [];
  const { beginsAt, endsAt } = notice;
  const begun = notice.beganAt !== null || notice.state === 'underway';
  const all: DueReminder[] = [];
  if (!begun && beginsAt !== null) {
    for (const before of reminders) {
      all.push({ key: `reminder ${before}`, at: beginsAt - before, kind: 'maintenance.reminder', until: beginsAt });
    }
    all.push({ key: 'late', at: beginsAt + graceMs, kind: 'maintenance.late', until: Infinity });
  }
  if (begun && endsAt !== null) {
    all.push({ key: 'overrun', at: endsAt + graceMs, kind: 'maintenance.overrun', until: Infinity });
  }
  // A late start is no news if the window was first seen after it. An overrun is news as long as the work goes on.
  return all.filter(
    ({ key, at, kind }) =>
      !notice.said.includes(key) &&
      (at > notice.windowSince || kind === 'maintenance.overrun') &&
      (kind === 'maintenance.reminder' || blind['notices'] === undefined),
  );
}

/** Returns the events due now, and the notices with their reported events. */
export function judgeMaintenance(
  { notices, health }: ReadNotices,
  settings: MaintenanceSettings,
  now: number,
): { drafts: Draft[]; notices: NoticeMemory[] | null } {
  if (notices === null) return { drafts: [], notices };
  const drafts: Draft[] = [];
  const after = notices.map((notice) => {
    const due = dues(notice, settings, health).filter(({ at }) => at <= now);
    if (due.length === 0) return notice;
    // If several reminders fall due together, as after downtime, use the one closest to the start.
    const [said] = due.filter(({ until }) => now < until).toSorted((a, b) => b.at - a.at);
    if (said !== undefined) drafts.push(draft(notice, said, now));
    return { ...notice, said: [...notice.said, ...due.map(({ key }) => key)] };
  });
  return {
    drafts,
    notices: drafts.length > 0 || after.some((notice, index) => notice !== notices[index]) ? after : [...notices],
  };
}

/** Time of the next event; null if there is none. */
export function findNextMaintenanceChange(
  { notices, health }: ReadNotices,
  settings: MaintenanceSettings,
): number | null {
  return findEarliest((notices ?? []).flatMap((notice) => dues(notice, settings, health).map(({ at }) => at)));
}

function draft(notice: NoticeMemory, { kind }: DueReminder, now: number): Draft {
  const edge = kind === 'maintenance.overrun' ? notice.endsAt : notice.beginsAt;
  const milliseconds = Math.abs(now - (edge ?? now));
  const details = { ...toNoticeDetails(notice, []), milliseconds };
  return { subject: toSubject(notice.id), kind, from: null, to: Math.round(milliseconds / 1000), details };
}
