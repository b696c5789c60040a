/**
 * Mails for a help desk that creates a ticket from each: the opening, each worsening, and the end. Other updates would
 * create more tickets, because such a help desk matches mails by subject only.
 */
import type { Conversation, Message } from '../../core/outbox/message.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { toOneLine, truncate } from '../../core/text/plain.ts';
import { isWorse, SEVERITIES, type Severity } from '../../core/transition/kind.ts';
import type { Outcome } from '../receiver.ts';
import type { RenderedMail } from './render.ts';

const LONGEST_SUBJECT = 180;
/** Autotask drops further mails of one sender and subject, and Zendesk suspends their sender. */
const MOST_OF_ONE_SUBJECT = 2;
const WITHIN = 5 * MINUTE;

export interface TicketMail {
  subject: string;
  /** Values to keep for later messages. */
  keep: Conversation;
}

/** Null for a message that should not become a ticket. `customer`: label of the alert's customer, or null. */
export function planTicketMail(message: Message, customer: string | null): TicketMail | null {
  const { alert, changes, reminder, conversation } = message;
  if (alert.number === null || reminder > 0) return null;
  const sentSeverity = SEVERITIES.find((severity) => severity === conversation?.['severity']) ?? null;
  const isOver = alert.resolvedAt !== null;
  if (isOver && sentSeverity === null) return null;
  if (!isOver && sentSeverity !== null && !isWorse(alert.severity, sentSeverity)) return null;
  if (!isOver && changes.every(({ status }) => status === 'info')) return null;
  const title = message.subject ?? alert.title;
  return {
    subject: formatTicketSubject(alert.number, customer, isOver ? 'over' : alert.severity, title),
    // Empty at the end, so that a reopened alert gets a new ticket.
    keep: isOver ? {} : { severity: alert.severity },
  };
}

function formatTicketSubject(number: number, customer: string | null, state: Severity | 'over', title: string): string {
  const named = [...(customer === null ? [] : [customer]), state, title].join(': ');
  return truncate(`[LW#${number}] ${toOneLine(named)}`, LONGEST_SUBJECT);
}

/** Ticket mail without calendar and without the headers by which help desks detect automatic mail. */
export function toTicketMail(mail: RenderedMail, { subject }: TicketMail): RenderedMail {
  const {
    'List-Id': _list,
    'Auto-Submitted': _automatic,
    'X-Auto-Response-Suppress': _quiet,
    ...headers
  } = mail.headers;
  return { ...mail, subject, headers, calendar: null };
}

/** Limits mails of one subject to two in five minutes. */
export function createSubjectLimit() {
  let recent: { subject: string; at: number }[] = [];
  return {
    /** Null if another mail with this subject may be sent now; else a transient outcome with the delay. */
    check(subject: string, now: number): Outcome | null {
      recent = recent.filter(({ at }) => at > now - WITHIN && at <= now);
      const same = recent.filter((one) => one.subject === subject);
      const oldest = same.at(-MOST_OF_ONE_SUBJECT);
      if (oldest === undefined) return null;
      const reason = 'two mails of this subject went out in five minutes, and a help desk would drop a third';
      return { kind: 'transient', code: 'throttled', reason, retryAfterMs: oldest.at + WITHIN - now };
    },
    sent: (subject: string, now: number): void => void recent.push({ subject, at: now }),
  };
}
