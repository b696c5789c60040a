/** The loop of one receiver over what one outbox promises it, with its document in memory, silences and troubles left out. */
import type { Clock } from '../../src/daemon/clock.ts';
import { createDelivery } from '../../src/daemon/delivery.ts';
import { emptyReceiverState, type ReceiverState } from '../../src/daemon/documents.ts';
import { createPending } from '../../src/daemon/pending.ts';
import type { Entry } from '../../src/core/outbox/message.ts';
import type { Receiver } from '../../src/receivers/receiver.ts';

export interface MemoryDelivery extends Pick<Receiver, 'audience' | 'batch' | 'send'> {
  outbox: readonly Entry[];
  clock: Clock;
  /** Ends it. */
  stop: AbortSignal;
}

/** The receiver is called `ops`. Resolves at the stop. */
export async function deliverFromMemory({ outbox, clock, stop, ...receiver }: MemoryDelivery): Promise<void> {
  const pending = createPending();
  pending.replace('provider', { outbox }, true);
  let value: ReceiverState = emptyReceiverState();
  const delivery = createDelivery({
    receiver: { name: 'ops', type: 'paper', ...receiver },
    document: {
      get value() {
        return value;
      },
      commit(next) {
        value = next;
        return Promise.resolve();
      },
    },
    clock,
    random: () => 0.5,
    sources: ['provider'],
    promised: () => pending.to('ops'),
    isPromised: pending.holds,
    muting: { isSilenced: () => false, heldMs: () => 0, parts: () => [] },
    unsaved: { refused: () => undefined, savedAgain: () => undefined },
    attempted: () => undefined,
  });
  await delivery.run(stop, new AbortController().signal);
}
