/**
 * Planned maintenance of all sources as a calendar to subscribe to. Its entries match those of the mails: the same UID,
 * and a SEQUENCE that grows as the work moves.
 */
import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import { toSafeUrl } from '../../core/wording/wording.ts';
import {
  formatEntryDescription,
  formatEntrySummary,
  toEntryUid,
} from '../../core/wording/notices/maintenance-wording.ts';
import { findAlertAuthor } from '../../core/wording/authors.ts';
import { toOneLine } from '../../core/text/plain.ts';
import type { MaintenanceView, SystemStatus } from '../../core/view/system-status.ts';

/** Refresh interval for calendars. */
const REFRESH_SECONDS = 15 * 60;

/** An iCalendar document (RFC 5545), with CR LF at the end of each line. */
export function renderCalendarFeed({ instance, maintenance, sources }: SystemStatus): string {
  const calendar = ical({
    name: `${sources.some(({ vendor }) => vendor === true) ? 'Planned' : 'Provider'} maintenance (${toOneLine(instance)})`,
    prodId: { company: 'Linewatch', product: 'Linewatch', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  });
  for (const work of maintenance) enter(calendar, work, instance, findAlertAuthor(sources, { sources: [work.source] }));
  return `${calendar.toString().trimEnd()}\r\n`;
}

/** Work without a full window cannot be a calendar entry. */
function enter(calendar: ReturnType<typeof ical>, work: MaintenanceView, instance: string, by: string): void {
  const { alert, phase, beginsAt, endsAt, subject, affected, url, revision, changedAt, source } = work;
  if (beginsAt === null || endsAt === null || endsAt < beginsAt) return;
  const cancelled = phase === 'cancelled';
  calendar.createEvent({
    id: toEntryUid(alert, instance),
    sequence: revision,
    stamp: new Date(changedAt),
    start: new Date(beginsAt),
    end: new Date(endsAt),
    summary: formatEntrySummary(subject, cancelled ? 'Cancelled' : null, by),
    description: formatEntryDescription(affected, url, by),
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    transparency: ICalEventTransparency.TRANSPARENT,
    categories: [{ name: source }],
    url: toSafeUrl(url),
  });
}
