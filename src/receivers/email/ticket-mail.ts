/**
 * Mails that a help desk turns into tickets: the opening, each worsening, and the end. Other news of an alert would be more
 * tickets, since a help desk of this kind knows a mail by its subject only.
 */
import type { Conversation, Message } from '../../core/outbox/message.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { toOneLine, truncate } from '../../core/text/plain.ts';
import { isWorse, SEVERITIES, type Severity } from '../../core/transition/kind.ts';
import type { Outcome } from '../receiver.ts';
import type { RenderedMail } from './render.ts';

const LONGEST_SUBJECT = 180;
/** Autotask drops more mails of one sender and subject, and Zendesk suspends their sender. */
const MOST_OF_ONE_SUBJECT = 2;
const WITHIN = 5 * MINUTE;

export interface TicketMail {
  subject: string;
  /** What later messages need to know. */
  keep: Conversation;
}

/** Null for what is no news for a ticket. `customer`: the label of the alert's customer, or null. */
export function planTicketMail(message: Message, customer: string | null): TicketMail | null {
  const { alert, changes, reminder, conversation } = message;
  if (alert.number === null || reminder > 0) return null;
  const told = SEVERITIES.find((severity) => severity === conversation?.['severity']) ?? null;
  const isOver = alert.resolvedAt !== null;
  if (isOver && told === null) return null;
  if (!isOver && told !== null && !isWorse(alert.severity, told)) return null;
  if (!isOver && changes.every(({ status }) => status === 'info')) return null;
  const title = message.subject ?? alert.title;
  return {
    subject: subjectOf(alert.number, customer, isOver ? 'over' : alert.severity, title),
    // A trouble that comes back opens anew.
    keep: isOver ? {} : { severity: alert.severity },
  };
}

function subjectOf(number: number, customer: string | null, state: Severity | 'over', title: string): string {
  const named = [...(customer === null ? [] : [customer]), state, title].join(': ');
  return truncate(`[LW#${number}] ${toOneLine(named)}`, LONGEST_SUBJECT);
}

/** The mail of a ticket: no calendar, and none of the headers by which help desks know automatic mail. */
export function toTicketMail(mail: RenderedMail, { subject }: TicketMail): RenderedMail {
  const {
    'List-Id': _list,
    'Auto-Submitted': _automatic,
    'X-Auto-Response-Suppress': _quiet,
    ...headers
  } = mail.headers;
  return { ...mail, subject, headers, calendar: null };
}

export interface SubjectLimit {
  /** Null where another mail of the subject may go out now; else how long it waits. */
  check(subject: string, now: number): Outcome | null;
  sent(subject: string, now: number): void;
}

/** At most two mails of one subject in five minutes. */
export function createSubjectLimit(): SubjectLimit {
  let recent: { subject: string; at: number }[] = [];
  return {
    check(subject, now) {
      recent = recent.filter(({ at }) => at > now - WITHIN && at <= now);
      const same = recent.filter((one) => one.subject === subject);
      const oldest = same.at(-MOST_OF_ONE_SUBJECT);
      if (oldest === undefined) return null;
      const reason = 'two mails of this subject went out in five minutes, and a help desk would drop a third';
      return { kind: 'transient', code: 'throttled', reason, retryAfterMs: oldest.at + WITHIN - now };
    },
    sent: (subject, now) => void recent.push({ subject, at: now }),
  };
}
