/** Requests about waiting and refused messages, from the control socket and the page: list, retry, drop. */
import * as z from 'zod';
import { ControlRefusal, type ControlRoutes } from '../../control/protocol.ts';
import type { Message } from '../../core/outbox/message.ts';
import { formatCount } from '../../core/text/plain.ts';
import { toTimestamp, type Timestamp } from '../../core/transition/details.ts';
import { troubleOf } from '../../core/view/standing/receiver-standing.ts';
import { readAsk } from './asking.ts';
import type { Daemon } from '../loop/daemon.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { doneIn, partsOfNow, type Daemons, type Part, type Request } from '../status/daemons.ts';
import type { ReceiverFacts } from '../status/drawing.ts';

const chosenAsk = z.strictObject({ receiver: z.string().nullable(), id: z.string().nullable() });
type Chosen = z.infer<typeof chosenAsk>;

export interface DeliveryContract {
  'deliveries.list': { ask: Record<string, never>; answer: WaitingReport[] };
  /** Both answer with the number of affected messages. */
  'deliveries.retry': { ask: Chosen; answer: number };
  'deliveries.drop': { ask: Chosen; answer: number };
}

export interface WaitingReport {
  id: string;
  receiver: string;
  /** `removed`: the receiver is no longer configured. */
  state: 'waiting' | 'refused' | 'removed';
  alert: number | null;
  title: string;
  kinds: string[];
  promised_at: Timestamp | null;
  /** Reason of the refusal, or of the receiver's current failure. */
  reason: string | null;
}

export type DeliveryRoutes = ControlRoutes<DeliveryContract>;

/** Each route rejects with `ControlRefusal` if the request is invalid or cannot be performed. */
export function deliveryRoutes(daemons: Daemons): DeliveryRoutes {
  return {
    'deliveries.list': async () => (await partsOfNow(daemons)).flatMap(({ kept }) => listKept(kept.receivers)),
    async 'deliveries.retry'(ask) {
      const chosen = readAsk(chosenAsk, ask);
      const parts = await partsOfNow(daemons);
      if (receiversOf(parts).some(({ name, isRemoved }) => isRemoved && name === chosen.receiver)) {
        throw new ControlRefusal(
          `${chosen.receiver} is no longer configured: put it back into the configuration, and it gets what waits; or drop that.`,
        );
      }
      return await doneInAll(parts, RETRY, chosen);
    },
    async 'deliveries.drop'(ask) {
      return await doneInAll(await partsOfNow(daemons), DROP, readAsk(chosenAsk, ask));
    },
  };
}

export const RETRY: Request<number> = {
  name: 'deliveries.retry',
  async deed({ deliveries }, ask) {
    return await counted(deliveries, readAsk(chosenAsk, ask), ({ retry }) => retry);
  },
};

export const DROP: Request<number> = {
  name: 'deliveries.drop',
  async deed({ deliveries, removed }, ask) {
    const chosen = readAsk(chosenAsk, ask);
    const dropped = await counted(deliveries, chosen, ({ drop }) => drop);
    return dropped + (await droppedOfRemoved(removed, chosen));
  },
};

/** Performs it for each chosen delivery and adds up the answers. */
async function counted(
  deliveries: readonly Delivery[],
  chosen: Chosen,
  doing: (delivery: Delivery) => Delivery['retry'],
): Promise<number> {
  let count = 0;
  for (const delivery of deliveries) {
    if (!isOf(delivery.receiver, chosen)) continue;
    for (const one of idsAmong(delivery.unsettled(), chosen)) count += await doing(delivery)(one);
  }
  return count;
}

/** A removed receiver may return: its messages are dropped only if it is named. */
async function droppedOfRemoved({ all, giveUp }: Daemon['removed'], chosen: Chosen): Promise<number> {
  let count = 0;
  for (const { name, waiting } of all()) {
    if (!isOf({ name }, chosen) || (chosen.id === null && chosen.receiver === null)) continue;
    const ids = idsAmong(waiting, chosen).flatMap((id) => id ?? waiting.map((message) => message.id));
    await giveUp(name, ids);
    count += ids.length;
  }
  return count;
}

const isOf = ({ name }: { name: string }, { receiver }: Chosen): boolean => receiver === null || name === receiver;

/** Null for all messages that the request covers. */
function idsAmong(messages: readonly Message[], { id }: Chosen): (string | null)[] {
  return id === null ? [null] : messages.flatMap((one) => (one.id.startsWith(id) ? [one.id] : []));
}

const receiversOf = (parts: readonly Part[]): ReceiverFacts[] => parts.flatMap(({ kept }) => kept.receivers);

/** In all parts that have such messages. A failure in one part does not revert the others. */
async function doneInAll(parts: readonly Part[], request: Request<number>, chosen: Chosen): Promise<number> {
  const receivers = receiversOf(parts);
  if (!receivers.some((receiver) => isOf(receiver, chosen))) {
    const names = new Set(receivers.flatMap(({ name, isRemoved }) => (isRemoved && request === RETRY ? [] : [name])));
    throw new ControlRefusal(`There is no receiver ${chosen.receiver}; there are: ${[...names].join(', ')}.`);
  }
  const concerned = parts.filter(({ kept }) =>
    kept.receivers.some(
      (one) => isOf(one, chosen) && one.unsettled.length > 0 && idsAmong(one.unsettled, chosen).length > 0,
    ),
  );
  const done = await Promise.allSettled(concerned.map((part) => doneIn(part, request, chosen)));
  const count = done.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
  const [failed] = done.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  if (failed instanceof ControlRefusal && count > 0) {
    throw new ControlRefusal(`${formatCount(count, 'message')} taken up, and no more: ${failed.message}`);
  }
  if (failed !== undefined) throw failed;
  if (chosen.id !== null && count === 0) throw new ControlRefusal(`No message ${chosen.id} waits or was refused.`);
  return count;
}

function listKept(receivers: readonly ReceiverFacts[]): WaitingReport[] {
  return receivers.flatMap(({ isRemoved, state, waiting, unsettled }) => {
    if (isRemoved) return waiting.map((message) => reported(message, 'removed', REMOVED));
    const trouble = troubleOf(state);
    const reasons = new Map(state.refused.map(({ id, reason }) => [id, reason]));
    return unsettled.map((message) => {
      const refusal = reasons.get(message.id);
      return reported(message, refusal === undefined ? 'waiting' : 'refused', refusal ?? trouble?.reason);
    });
  });
}

const REMOVED = 'the receiver is no longer configured; should it return within a week, it gets this';

function reported(
  { id, receiver, alert, changes, promisedAt }: Message,
  state: WaitingReport['state'],
  reason: string | undefined,
): WaitingReport {
  return {
    id,
    receiver,
    state,
    alert: alert.number,
    title: alert.title,
    kinds: [...new Set(changes.map(({ transition }) => transition.kind))],
    promised_at: toTimestamp(promisedAt),
    reason: reason ?? null,
  };
}
