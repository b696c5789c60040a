/** Renders a message as a mail: HTML and plain text, threaded by alert, with a calendar entry for planned work. */
import type { MessageContent } from '../../core/wording/message-content.ts';
import { toMailDomain } from '../../core/wording/notices/maintenance-wording.ts';
import { truncate, toOneLine, toPlainText } from '../../core/text/plain.ts';
import type { Message } from '../../core/outbox/message.ts';
import { createCalendarPart, type CalendarPart, type CalendarPeople } from './calendar.ts';
import { renderHtmlMail } from './html-mail.ts';
import { fitMailParts, renderTextMail } from './mail-parts.ts';
import { hashIdentity } from '../../core/transition/transition.ts';

const LONGEST_SUBJECT = 180;

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

/** `messageId` and `references` thread the mails of an alert (RFC 5322, section 3.6.4). */
export function renderMail(message: Message, content: MessageContent, people: CalendarPeople): RenderedMail {
  const { subject, messageId, roots } = findThread(message, content);
  const parts = fitMailParts(content);
  return {
    subject,
    text: renderTextMail(content, parts),
    html: renderHtmlMail(content, parts, subject),
    messageId,
    inReplyTo: roots.at(-1) ?? null,
    references: roots,
    headers: createHeaders(message, content),
    calendar: createCalendarPart(message, content.instance, people),
  };
}

/** Headers that suppress automatic replies, and that mail filters can use. */
function createHeaders(message: Message, content: MessageContent): Record<string, string> {
  const kinds = [...new Set(message.changes.map((change) => change.transition.kind))].slice(0, 10);
  return {
    'List-Id': `Linewatch <alerts.${toMailDomain(content.instance)}>`,
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    // Set for open critical alerts only, not for their resolve.
    ...(content.tone === 'critical' && { Importance: 'high' }),
    'X-Linewatch-Alert': message.alert.id,
    'X-Linewatch-Severity': content.severity,
    'X-Linewatch-Status': content.status,
    'X-Linewatch-Source': toPlainText(content.source).replaceAll(/[^\u0020-\u007e]/g, '?'),
    'X-Linewatch-Kind': kinds.join(', '),
  };
}

interface Thread {
  subject: string;
  /** In angle brackets, as in the header. */
  messageId: string;
  /** Roots of its threads; empty for a mail that opens one. */
  roots: string[];
}

/**
 * Mail clients thread mails with the same subject and root. Both are derived from alert and receiver alone, so they are
 * the same on every attempt and after a crash. A mail about several alerts refers to the root of each, so later mails
 * of each alert join the same thread.
 */
export function findThread(message: Message, content: MessageContent): Thread {
  const domain = toMailDomain(content.instance);
  const own = `<${message.id}@${domain}>`;
  const rootOf = (alert: string): string => `<alert-${hashIdentity('mail thread', alert, message.receiver)}@${domain}>`;
  const folded = listAlertsIn(message).map(rootOf);
  if (message.alert.number === null) {
    return { subject: formatSubject(content.headline), messageId: own, roots: folded };
  }
  const root = rootOf(message.alert.id);
  const roots = folded.length > 0 ? folded : [root];
  const opening = formatSubject(message.subject ?? content.title);
  if (!message.first) return { subject: `Re: ${opening}`, messageId: own, roots };
  // A first mail that replaces others may follow one with an unknown outcome. Under the same Message-ID, a mailbox that
  // has the other one would hide it.
  if (message.replaces > 0 || folded.length > 0) return { subject: opening, messageId: own, roots };
  return { subject: opening, messageId: root, roots: [] };
}

/** Alerts of a mail about several: those folded into it, and those that a summary lists. */
function listAlertsIn({ alerts, changes }: Message): string[] {
  const listed = changes.flatMap(({ transition }) =>
    transition.kind === 'source.baseline' ? transition.details.open.map(({ alert }) => alert) : [],
  );
  return [...new Set([...(alerts ?? []), ...listed])];
}

function formatSubject(title: string): string {
  return `[Linewatch] ${truncate(toOneLine(title), LONGEST_SUBJECT)}`;
}
