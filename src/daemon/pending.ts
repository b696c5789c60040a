/** What all sources have promised to all receivers, as far as the deliveries may see it. */
import { messagesOf, type Entry } from '../core/outbox/entry.ts';
import type { Message } from '../core/outbox/message.ts';

export interface PendingMessages {
  /** The outbox of a source after a step; `saved` is false when the disk refused it. */
  replace(source: string, state: { outbox: readonly Entry[] }, saved: boolean): void;
  /** Oldest first; the same list as long as nothing has changed. */
  to(receiver: string): readonly Message[];
  /** Every entry of every outbox. */
  entries(): Entry[];
  /** Everybody something is promised to. */
  receivers(): string[];
  /** True while the outbox on disk, or in memory for want of a disk, holds the message. */
  holds(message: string): boolean;
}

interface Held {
  entries: ReadonlySet<Entry>;
  /** Ids in the last outbox that reached the disk: their settlement must be remembered until it is rewritten. */
  durable: ReadonlySet<string>;
  visible: ReadonlySet<string>;
  unsaved: ReadonlySet<Entry>;
}

/** `dueAt` says when a message may go out by today's route: asked once a message, as neither of them changes. */
export function createPending(dueAt: (message: Message) => number = (message) => message.dueAt): PendingMessages {
  const dated = new WeakMap<Message, Message>();
  const held = new Map<string, Held>();
  /** By receiver, oldest first; made when first asked for after a change. */
  let lists: Map<string, Message[]> | null = null;

  function onTime(promised: Message): Message {
    const message = dated.get(promised) ?? { ...promised, dueAt: dueAt(promised) };
    dated.set(promised, message);
    return message;
  }

  function sorted(): Map<string, Message[]> {
    const all = [...held.values()].flatMap(({ entries, unsaved }) => {
      // A source's own promises keep their order even where the wall clock was put back between two of them.
      let latest = -Infinity;
      return [...entries].flatMap((entry) => {
        latest = Math.max(latest, entry.promisedAt);
        const at = latest;
        return messagesOf(entry).map((promised) => {
          const message = onTime(promised);
          return { at, message: unsaved.has(entry) ? { ...message, unsaved: true } : message };
        });
      });
    });
    all.sort((a, b) => a.at - b.at);
    return Map.groupBy(
      all.map(({ message }) => message),
      ({ receiver }) => receiver,
    );
  }

  return {
    replace(source, state, saved) {
      const before = held.get(source);
      const visible = new Set(state.outbox.flatMap((entry) => messagesOf(entry).map(({ id }) => id)));
      const unsaved = saved
        ? []
        : state.outbox.filter((entry) => before?.entries.has(entry) !== true || before.unsaved.has(entry));
      held.set(source, {
        entries: new Set(state.outbox),
        durable: saved ? visible : (before?.durable ?? new Set()),
        visible,
        unsaved: new Set(unsaved),
      });
      lists = null;
    },
    to(receiver) {
      lists ??= sorted();
      return lists.get(receiver) ?? NOTHING;
    },
    entries: () => [...held.values()].flatMap(({ entries }) => [...entries]),
    receivers() {
      lists ??= sorted();
      return [...lists.keys()];
    },
    holds: (id) => [...held.values()].some(({ durable, visible }) => durable.has(id) || visible.has(id)),
  };
}

const NOTHING: readonly Message[] = [];
