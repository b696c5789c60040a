/**
 * The subject of a thread is the title of its alert when its first message is sent. The outbox has the title at the
 * time of enqueueing, which may be outdated by then.
 */
import type { Message } from './message.ts';

/** Subject of a thread that differs from the one in the outbox. */
export interface ThreadSubject {
  /** Id of the alert. */
  alert: string;
  subject: string;
}

/** Limits the size: each is some 150 bytes of a document that is written with every delivery. */
const MOST = 200;

/** Adds the subject of its thread to the message; a message that opens the thread uses its title. */
export function withSubject(message: Message, known: readonly ThreadSubject[] = []): Message {
  const subject = known.find(({ alert }) => alert === message.alert.id)?.subject ?? findOpeningTitle(message);
  return subject === null || subject === message.subject ? message : { ...message, subject };
}

/**
 * Subjects to save after these messages were sent, the latest last; `promised` are the messages that they were made
 * from.
 */
export function updateThreadSubjects(
  known: readonly ThreadSubject[],
  sent: readonly Message[],
  promised: readonly Message[],
): ThreadSubject[] {
  const subjects = new Map(known.map(({ alert, subject }) => [alert, subject]));
  for (const message of sent) {
    const { id } = message.alert;
    const subject = findOpeningTitle(message);
    const opening = promised.find(({ first, alert }) => first && alert.id === id);
    if (subject !== null && subject !== opening?.subject && !subjects.has(id)) subjects.set(id, subject);
  }
  return [...subjects].slice(-MOST).map(([alert, subject]) => ({ alert, subject }));
}

/** Title of a message that opens the thread of one alert; null for any other message. */
function findOpeningTitle({ first, alert, alerts }: Message): string | null {
  return first && alert.number !== null && alerts === undefined ? alert.title : null;
}
