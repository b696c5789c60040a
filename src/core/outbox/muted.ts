/** Selects the messages that silences mute for one receiver. A silence matches the present state of an alert. */
import type { Message } from './message.ts';

/**
 * True if a silence mutes the message now; `latest` is the last enqueued message of its alert, with its present state.
 */
export type IsMuted = (message: Message, latest: () => Message) => boolean;

export interface Unmuted {
  /** Messages that may be sent, in order. Some are muted and go along with a later message of their alert. */
  open: readonly Message[];
  /** The message is muted, even if it may go along. */
  isMuted(message: Message): boolean;
}

/**
 * A muted message never blocks an unmuted one. The last unmuted message of an alert takes all earlier ones along.
 * Messages without an alert have no order; each is muted by itself.
 */
export function withoutMuted(waiting: readonly Message[], isMuted: IsMuted): Unmuted {
  // Created on demand: thousands of messages may wait, and usually there is no silence.
  let latest: ReadonlyMap<string, Message> | null = null;
  const latestOf = (message: Message): Message => {
    latest ??= new Map(waiting.map((each) => [toPartKey(each), each]));
    return latest.get(toPartKey(message)) ?? message;
  };
  const muted = new Set(waiting.filter((message) => isMuted(message, () => latestOf(message))));
  if (muted.size === 0) return { open: waiting, isMuted: () => false };
  const going = new Set<string>();
  const open = waiting.toReversed().filter((message) => {
    const { id, number } = message.alert;
    if (!muted.has(message) && number !== null) going.add(id);
    return !muted.has(message) || going.has(id);
  });
  return { open: open.reverse(), isMuted: (message) => muted.has(message) };
}

/** Key of an alert's part in one source; a message without an alert is a key of its own. */
function toPartKey({ id, alert }: Message): string {
  return alert.number === null ? id : `${alert.id} ${alert.source}`;
}
