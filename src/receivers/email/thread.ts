/**
 * Mail clients make a conversation of mails that share a subject and refer to one root. Both follow from the
 * alert and the receiver alone, so they are the same on every attempt and after a crash.
 */
import type { Briefing } from '../../briefing/briefing.ts';
import { mailDomain } from '../../briefing/maintenance-entry.ts';
import { cut, oneLine } from '../../briefing/text.ts';
import type { Message } from '../../outbox/message.ts';
import { identity } from '../../transition/identity.ts';

export interface Thread {
  subject: string;
  /** In angle brackets, as in the header. */
  messageId: string;
  /** The root of the conversation, or null for a mail that begins it. */
  root: string | null;
}

const LONGEST_SUBJECT = 180;

export function threadOf(message: Message, briefing: Briefing): Thread {
  const domain = mailDomain(briefing.instance);
  const own = `<${message.id}@${domain}>`;
  if (message.alert.number === null) return { subject: subject(briefing.headline), messageId: own, root: null };
  const root = `<alert-${identity('mail thread', message.alert.id, message.receiver)}@${domain}>`;
  const opening = subject(briefing.title);
  if (!message.first) return { subject: `Re: ${opening}`, messageId: own, root };
  // A first mail that stands for others may follow one whose fate is unknown; under the same Message-ID a
  // mailbox that has the other one would hide it.
  if (message.replaces > 0) return { subject: opening, messageId: own, root };
  return { subject: opening, messageId: root, root: null };
}

function subject(title: string): string {
  return `[Linewatch] ${cut(oneLine(title), LONGEST_SUBJECT)}`;
}
