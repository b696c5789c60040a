/** What all sources have promised to all receivers, as far as the deliveries may see it. */
import { messagesOf, type Entry } from '../outbox/entry.ts';
import type { Message } from '../outbox/message.ts';

export interface Promises {
  /** The outbox of a source after a step; `saved` is false when the disk refused it. */
  replace(source: string, state: { outbox: readonly Entry[] }, saved: boolean): void;
  to(receiver: string): Message[];
  /** True while the outbox on disk, or in memory for want of a disk, holds the message. */
  holds(message: string): boolean;
}

interface Held {
  entries: readonly Entry[];
  /** Ids in the last outbox that reached the disk: their settlement must be remembered until it is rewritten. */
  durable: ReadonlySet<string>;
  visible: ReadonlySet<string>;
  unsaved: ReadonlySet<Entry>;
}

export function createPromises(): Promises {
  const held = new Map<string, Held>();
  const cache = new WeakMap<Entry, Message[]>();

  function messages(entry: Entry): Message[] {
    const known = cache.get(entry) ?? messagesOf(entry);
    cache.set(entry, known);
    return known;
  }

  return {
    replace(source, state, saved) {
      const before = held.get(source);
      const visible = new Set(state.outbox.flatMap((entry) => messages(entry).map(({ id }) => id)));
      const unsaved = saved ? [] : state.outbox.filter((entry) => !before?.entries.includes(entry) || before.unsaved.has(entry));
      held.set(source, {
        entries: state.outbox,
        durable: saved ? visible : (before?.durable ?? new Set()),
        visible,
        unsaved: new Set(unsaved),
      });
    },
    to(receiver) {
      const mine = [...held.values()].flatMap(({ entries, unsaved }) =>
        entries.flatMap((entry) =>
          messages(entry)
            .filter((message) => message.receiver === receiver)
            .map((message) => (unsaved.has(entry) ? { ...message, unsaved: true } : message)),
        ),
      );
      return mine.toSorted((a, b) => a.promisedAt - b.promisedAt);
    },
    holds: (id) => [...held.values()].some(({ durable, visible }) => durable.has(id) || visible.has(id)),
  };
}
