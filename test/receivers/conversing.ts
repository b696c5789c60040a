/** A receiver whose conversations are kept between its messages, as the deliveries keep them. */
import { updateConversations, withConversation, type KeptConversation } from '../../src/core/outbox/conversation.ts';
import type { Receiver } from '../../src/receivers/receiver.ts';

export interface Conversing {
  receiver: Receiver;
  /** What is kept. */
  known: () => readonly KeptConversation[];
  /** Loses what was kept, as a crash before it was settled. */
  forget: () => void;
}

export function conversing(inner: Receiver, before: readonly KeptConversation[] = []): Conversing {
  let known = before;
  return {
    known: () => known,
    forget: () => void (known = []),
    receiver: {
      ...inner,
      async send(messages, signal, only) {
        let last = await inner.send([], signal, only);
        for (const message of messages) {
          last = await inner.send([withConversation(message, known)], signal, only);
          if (last.kind !== 'delivered') return last;
          known = updateConversations(known, [message], last.keep);
        }
        return last;
      },
    },
  };
}
