/** All receivers being served, and what waits for those that were removed. */
import type { Message } from '../core/outbox/message.ts';
import type { Receiver } from '../receivers/receiver.ts';
import type { Unsaved } from './unsaved.ts';
import { createDelivery, type Attempt, type Delivery } from './delivery.ts';
import type { Failing } from './failing.ts';
import type { Muting } from './muting.ts';
import type { DaemonOptions } from './options.ts';
import type { PendingMessages } from './pending.ts';
import { emptyReceiverState } from './receiver-state.ts';
import { createRemovedReceivers, type RemovedReceivers } from './removed-receivers.ts';
import type { SharedStart } from './shared-start.ts';
import { deliveriesTo, withoutSurprises, type Surprises } from './surprise.ts';

export interface DeliveriesDeps {
  options: DaemonOptions;
  pending: PendingMessages;
  sharedStart: Pick<SharedStart, 'tellable'>;
  muting: Muting;
  unsaved: Unsaved;
  failing: Failing;
  surprises: Surprises;
}

export interface Deliveries {
  /** By receiver. */
  readonly all: ReadonlyMap<string, Delivery>;
  readonly removed: RemovedReceivers;
  isSettled(message: Message): boolean;
  /** Settles what will never be sent. */
  giveUp(receiver: string, ids: readonly string[]): Promise<void>;
  /** There may be something new to send. */
  wake(): void;
  /** Takes up what is on disk of a receiver. */
  serve(receiver: Receiver): Promise<void>;
}

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { options, pending, sharedStart, muting, unsaved, failing, surprises } = deps;
  const { clock, random, log, observer = {} } = options;
  const all = new Map<string, Delivery>();
  const configured = new Set(options.receivers.map(({ name }) => name));
  const removed = createRemovedReceivers({
    pending,
    isConfigured: (name) => configured.has(name),
    document: options.documents.receiver,
    now: clock.now,
    unsaved: (receiver, error) =>
      log.error('what was given up for a removed receiver was not saved', { receiver, error }),
  });

  function attempted(attempt: Attempt): void {
    try {
      failing.attempted(attempt);
      observer.attempted?.(attempt);
    } catch (error) {
      // What has been sent must be settled whoever fails to hear of it, or it would be sent again.
      surprises.struck(deliveriesTo(attempt.receiver), error);
    }
  }

  async function serve(receiver: Receiver): Promise<void> {
    const { name, audience } = receiver;
    const document = await options.documents.receiver(name, emptyReceiverState());
    const delivery = createDelivery({
      receiver: withoutSurprises(receiver, deliveriesTo(name), surprises),
      document,
      clock,
      random,
      promised: () => (audience === 'people' ? sharedStart.tellable(pending.to(name)) : pending.to(name)),
      isPromised: pending.holds,
      sources: [...options.pages, ...(options.accounts ?? [])].map((source) => source.name),
      muting,
      unsaved,
      attempted,
    });
    all.set(name, delivery);
  }

  return {
    all,
    removed,
    isSettled: (message) => all.get(message.receiver)?.isSettled(message.id) ?? removed.isSettled(message),
    giveUp: (receiver, ids) => all.get(receiver)?.giveUp(ids) ?? removed.giveUp(receiver, ids),
    wake() {
      for (const delivery of all.values()) delivery.wake();
    },
    serve,
  };
}
