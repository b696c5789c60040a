/**
 * Planned work by the clock: reminders before it begins, a word when it is late to begin, and one when it is
 * still going on after its window. Each is said once for a window; a moved window begins anew. While the notices cannot be
 * read nobody knows whether work has begun or ended, and only reminders are said.
 */
import type { Draft } from '../transition/transition.ts';
import { toSubject, toNoticeDetails } from './notice.ts';
import type { NoticeMemory, Snapshot } from './snapshot.ts';
import { findEarliest } from '../transition/collections.ts';

export interface MaintenanceSettings {
  /** How long before the beginning to remind, in milliseconds. */
  reminders: readonly number[];
  /** How long past the window before late or overrun is told, in milliseconds. */
  graceMs: number;
}

interface Due {
  key: string;
  at: number;
  kind: 'maintenance.reminder' | 'maintenance.late' | 'maintenance.overrun';
  /** A reminder has nothing to say any more from here on. */
  until: number;
}

/** What is known of planned work, and whether it was read when last asked for. */
type ReadNotices = Pick<Snapshot, 'notices' | 'health'>;

/** Everything a notice's window calls to be said, what was said and what is long past included. */
function dues(notice: NoticeMemory, { reminders, graceMs }: MaintenanceSettings, { blind }: Snapshot['health']): Due[] {
  if (notice.type !== 'planned' || notice.closedAt !== null) return [];
  const { beginsAt, endsAt } = notice;
  const begun = notice.beganAt !== null || notice.state === 'underway';
  const all: Due[] = [];
  if (!begun && beginsAt !== null) {
    for (const before of reminders) {
      all.push({ key: `reminder ${before}`, at: beginsAt - before, kind: 'maintenance.reminder', until: beginsAt });
    }
    all.push({ key: 'late', at: beginsAt + graceMs, kind: 'maintenance.late', until: Infinity });
  }
  if (begun && endsAt !== null) {
    all.push({ key: 'overrun', at: endsAt + graceMs, kind: 'maintenance.overrun', until: Infinity });
  }
  // That it should have begun is no news where it was past already when this window was first seen; that it has not
  // ended is so for as long as it goes on.
  return all.filter(
    ({ key, at, kind }) =>
      !notice.said.includes(key) &&
      (at > notice.windowSince || kind === 'maintenance.overrun') &&
      (kind === 'maintenance.reminder' || blind['notices'] === undefined),
  );
}

/** What the clock has to say now, and the notices that remember that it was said. */
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
    // Of several reminders that fell due together, as after a long stop, the one closest to the beginning counts.
    const [said] = due.filter(({ until }) => now < until).toSorted((a, b) => b.at - a.at);
    if (said !== undefined) drafts.push(draft(notice, said, now));
    return { ...notice, said: [...notice.said, ...due.map(({ key }) => key)] };
  });
  return {
    drafts,
    notices: drafts.length > 0 || after.some((notice, index) => notice !== notices[index]) ? after : [...notices],
  };
}

/** The next wall time at which the clock will have something to say; null when it never will. */
export function findNextMaintenanceChange(
  { notices, health }: ReadNotices,
  settings: MaintenanceSettings,
): number | null {
  return findEarliest((notices ?? []).flatMap((notice) => dues(notice, settings, health).map(({ at }) => at)));
}

function draft(notice: NoticeMemory, { kind }: Due, now: number): Draft {
  const edge = kind === 'maintenance.overrun' ? notice.endsAt : notice.beginsAt;
  const milliseconds = Math.abs(now - (edge ?? now));
  const details = { ...toNoticeDetails(notice, []), milliseconds };
  return { subject: toSubject(notice.id), kind, from: null, to: Math.round(milliseconds / 1000), details };
}
