/** What a receiver is sent at once: the messages as they go out, and those that were promised. */
import type { Message } from './message.ts';

/** One sending and the messages it settles. */
export interface Sending {
  messages: Message[];
  settles: string[];
  /** What it is about. */
  topics: string[];
}

/** Of what is told in one sending, `promised` is settled with it. */
export function sendingOf(messages: readonly Message[], promised: readonly Message[]): Sending {
  const settles = promised.map(({ id }) => id);
  return { messages: [...messages], settles, topics: [...new Set(promised.map(topic))] };
}

/** Sources that start together share one summary. */
export function isSummary(message: Message): boolean {
  return (
    message.alert.number === null && message.changes.every(({ transition }) => transition.kind === 'source.baseline')
  );
}

/** What is told in one message, and waits as one: an alert, or the summary of a start. */
export function topic(message: Message): string {
  return isSummary(message) ? 'summary' : message.alert.id;
}

/** The alerts that are told in one message, where it is not that of one alone. */
export function foldedOf(messages: readonly Message[]): Pick<Message, 'alerts'> {
  const numbered = messages.filter(({ alert }) => alert.number !== null);
  const alerts = [...new Set(numbered.map(({ alert }) => alert.id))];
  return alerts.length > 1 ? { alerts } : {};
}
