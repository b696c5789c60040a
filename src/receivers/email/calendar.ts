/**
 * Planned work as a calendar entry: added when announced, moved when rescheduled, removed when cancelled. Mail clients
 * match entries by UID and SEQUENCE (RFC 5545 and 5546). The method is REQUEST, because clients move and remove only
 * entries that came as a request; it asks for no reply and blocks no time.
 */
import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import { toSafeUrl } from '../../core/wording/wording.ts';
import {
  formatEntryDescription,
  formatEntrySummary,
  toEntryUid,
  type RemovalReason,
} from '../../core/wording/notices/maintenance-wording.ts';
import { findAuthor } from '../../core/wording/authors.ts';
import { parseInstant } from '../../core/wording/time.ts';
import type { Message } from '../../core/outbox/message.ts';
import type { Transition } from '../../core/transition/transition.ts';
import type { NoticeDetails } from '../../core/transition/details.ts';

export interface CalendarPart {
  method: 'REQUEST' | 'CANCEL';
  content: string;
}

export interface CalendarPeople {
  /** Bare address of the sender. */
  organizer: string;
  attendees: readonly string[];
}

interface CalendarEntry {
  by: string;
  details: NoticeDetails;
  gone: RemovalReason;
  sequence: number;
}

/** Calendar entry for a transition; null if the calendar stays the same. */
function findEntry(transition: Transition): CalendarEntry | null {
  switch (transition.kind) {
    case 'notice.opened':
    case 'notice.reopened':
    case 'notice.rescheduled':
    case 'notice.subject':
    case 'notice.type':
    // Adds work that was announced before the first sweep; an existing entry stays the same.
    case 'maintenance.reminder':
    case 'maintenance.late':
    // A replaced notice continues the revision of the former one.
    case 'notice.replaced':
      return toEntry(transition, null);
    case 'notice.closed':
      return transition.to === 'cancelled' ? toEntry(transition, 'Cancelled') : null;
    case 'notice.withdrawn':
      return toEntry(transition, 'Withdrawn');
    default:
      return null;
  }
}

function toEntry(transition: Transition & { details: NoticeDetails }, gone: RemovalReason): CalendarEntry {
  const { details } = transition;
  return { by: findAuthor(transition), details, gone, sequence: details.revision ?? 0 };
}

/** Null for a message without planned work, or with unknown times. */
export function createCalendarPart(message: Message, instance: string, people: CalendarPeople): CalendarPart | null {
  const entry = message.changes.map((change) => findEntry(change.transition)).findLast((each) => each !== null);
  if (entry === undefined || entry === null || entry.details.notice.type !== 'planned') return null;
  const { notice, components } = entry.details;
  const start = parseInstant(notice.begins_at);
  const end = parseInstant(notice.ends_at);
  if (start === null || end === null || end < start) return null;
  const method = entry.gone !== null ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST;
  const calendar = ical({ prodId: { company: 'Linewatch', product: 'Linewatch', language: 'EN' }, method });
  calendar.createEvent({
    id: toEntryUid(message.alert.id, instance),
    sequence: entry.sequence,
    stamp: new Date(message.changes.at(-1)?.transition.at ?? message.promisedAt),
    start: new Date(start),
    end: new Date(end),
    summary: formatEntrySummary(notice.subject, entry.gone, entry.by),
    description: formatEntryDescription(
      (components ?? []).map(({ name }) => name),
      notice.url,
      entry.by,
    ),
    status: entry.gone !== null ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    transparency: ICalEventTransparency.TRANSPARENT,
    organizer: { name: 'Linewatch', email: people.organizer },
    attendees: people.attendees.map((email) => ({
      email,
      rsvp: false,
      role: ICalAttendeeRole.NON,
      status: ICalAttendeeStatus.ACCEPTED,
    })),
    url: toSafeUrl(notice.url),
  });
  return { method: entry.gone !== null ? 'CANCEL' : 'REQUEST', content: `${calendar.toString().trimEnd()}\r\n` };
}
