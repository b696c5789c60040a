/** The loop of one receiver over what one outbox promises it, with its document in memory, silences and troubles left out. */
import type { Clock } from '../../src/daemon/common/clock.ts';
import { createDelivery, type Delivery, type DeliveryDeps } from '../../src/daemon/delivery/delivery.ts';
import { createReceiverState, type ReceiverState } from '../../src/daemon/common/documents.ts';
import { createPending } from '../../src/daemon/delivery/pending.ts';
import type { Entry } from '../../src/core/outbox/message.ts';
import type { Receiver } from '../../src/receivers/receiver.ts';

export interface MemoryDelivery extends Pick<Receiver, 'audience' | 'batch' | 'send'> {
  outbox: readonly Entry[];
  clock: Clock;
  /** Ends it. */
  stop: AbortSignal;
}

type InMemory = Pick<DeliveryDeps, 'receiver' | 'clock' | 'promised' | 'isPromised'>;

/** The loop of a receiver, with its document in memory, silences and troubles left out. */
export function deliveryInMemory(options: InMemory): Delivery {
  let value: ReceiverState = createReceiverState();
  return createDelivery({
    ...options,
    document: {
      get value() {
        return value;
      },
      commit(next) {
        value = next;
        return Promise.resolve();
      },
    },
    random: () => 0.5,
    sources: ['provider'],
    muting: { isSilenced: () => false, heldMs: () => 0, parts: () => [] },
    seen: () => ({ lostSince: null, merged: [], shared: null }),
    facts: () => null,
    outage: () => null,
    unsaved: { refused: () => undefined, savedAgain: () => undefined },
    attempted: () => undefined,
  });
}

/** The receiver is called `ops`. Resolves at the stop. */
export async function deliverFromMemory({ outbox, clock, stop, ...receiver }: MemoryDelivery): Promise<void> {
  const pending = createPending();
  pending.replace('provider', { outbox }, true);
  const delivery = deliveryInMemory({
    receiver: { name: 'ops', type: 'paper', ...receiver },
    clock,
    promised: () => pending.to('ops'),
    isPromised: pending.holds,
  });
  await delivery.run(stop, new AbortController().signal);
}
