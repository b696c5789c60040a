/** Which messages silences keep from one receiver. A silence is asked about an alert as it stands now. */
import type { Message } from './message.ts';

/** Muted for now by a silence; `latest` is what was promised last of its alert, which says how that stands. */
export type IsMuted = (message: Message, latest: () => Message) => boolean;

export interface Unmuted {
  /** What may go, in order: some of it only with what comes later of its alert. */
  open: readonly Message[];
  /** It is muted, although it may go along. */
  isMuted(message: Message): boolean;
}

/**
 * The rule for whoever sends: what is muted never blocks what is not. The last message of an alert that may go takes all
 * earlier ones along. What is about no alert has no order, and each is muted by itself.
 */
export function withoutMuted(waiting: readonly Message[], isMuted: IsMuted): Unmuted {
  // Made when first asked for: thousands may wait, and mostly there is no silence.
  let latest: ReadonlyMap<string, Message> | null = null;
  const latestOf = (message: Message): Message => {
    latest ??= new Map(waiting.map((each) => [partOf(each), each]));
    return latest.get(partOf(message)) ?? message;
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

/** An alert as one of its sources tells it; a message about no alert is one by itself. */
function partOf({ id, alert }: Message): string {
  return alert.number === null ? id : `${alert.id} ${alert.source}`;
}
