/** A message as a mail: text and HTML that say the same, threaded by alert, with a calendar entry for planned work. */
import type { Briefing } from '../../core/wording/briefing.ts';
import { mailDomain } from '../../core/wording/maintenance-entry.ts';
import { plain } from '../../core/text/plain.ts';
import type { Message } from '../../core/outbox/message.ts';
import { calendarPart, type CalendarPart, type CalendarPeople } from './calendar.ts';
import { htmlMail } from './html.ts';
import { mailParts } from './parts.ts';
import { textMail } from './text.ts';
import { threadOf } from './thread.ts';

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  messageId: string;
  inReplyTo: string | null;
  references: string[];
  headers: Record<string, string>;
  calendar: CalendarPart | null;
}

export function renderMail(message: Message, briefing: Briefing, people: CalendarPeople): RenderedMail {
  const { subject, messageId, roots } = threadOf(message, briefing);
  const parts = mailParts(briefing);
  return {
    subject,
    text: textMail(briefing, parts),
    html: htmlMail(briefing, parts, subject),
    messageId,
    inReplyTo: roots.at(-1) ?? null,
    references: roots,
    headers: headers(message, briefing),
    calendar: calendarPart(message, briefing.instance, people),
  };
}

/** No out-of-office answers, one list to filter by, and what a filter may want to know. */
function headers(message: Message, briefing: Briefing): Record<string, string> {
  const kinds = [...new Set(message.changes.map((change) => change.transition.kind))].slice(0, 10);
  return {
    'List-Id': `Linewatch <alerts.${mailDomain(briefing.instance)}>`,
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    // What is critical and goes on; its end wakes nobody.
    ...(briefing.tone === 'critical' && { Importance: 'high' }),
    'X-Linewatch-Alert': message.alert.id,
    'X-Linewatch-Severity': briefing.severity,
    'X-Linewatch-Status': briefing.status,
    'X-Linewatch-Source': plain(briefing.source).replaceAll(/[^\u0020-\u007e]/g, '?'),
    'X-Linewatch-Kind': kinds.join(', '),
  };
}
