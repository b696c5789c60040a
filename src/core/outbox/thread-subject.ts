/**
 * The subject of a thread is the title of its alert when its first message goes out. The outbox knows the title of the
 * time when that was enqueued, which stays the subject unless the alert has outgrown it in between.
 */
import type { Message } from './message.ts';

/** The subject of a thread where the outbox knows another one. */
export interface ThreadSubject {
  /** Id of the alert. */
  alert: string;
  subject: string;
}

/** Each is some 150 bytes of a document that is written with every delivery. */
const MOST = 200;

/** The message under the subject of its thread, which it chooses where it opens the thread. */
export function withSubject(message: Message, known: readonly ThreadSubject[] = []): Message {
  const subject = known.find(({ alert }) => alert === message.alert.id)?.subject ?? chosenBy(message);
  return subject === null || subject === message.subject ? message : { ...message, subject };
}

/** What is to be remembered once a receiver has been sent these, made of some of what is `promised` to it; the latest last. */
export function subjectsAfter(
  known: readonly ThreadSubject[],
  sent: readonly Message[],
  promised: readonly Message[],
): ThreadSubject[] {
  const subjects = new Map(known.map(({ alert, subject }) => [alert, subject]));
  for (const message of sent) {
    const { id } = message.alert;
    const subject = chosenBy(message);
    const opening = promised.find(({ first, alert }) => first && alert.id === id);
    if (subject !== null && subject !== opening?.subject && !subjects.has(id)) subjects.set(id, subject);
  }
  return [...subjects].slice(-MOST).map(([alert, subject]) => ({ alert, subject }));
}

/** Null where it opens no thread of one alert. */
function chosenBy({ first, alert, alerts }: Message): string | null {
  return first && alert.number !== null && alerts === undefined ? alert.title : null;
}
