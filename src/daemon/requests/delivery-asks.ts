/** Requests about waiting and refused messages: list, retry, drop. */
import * as z from 'zod';
import { ControlRefusal } from '../../control/protocol.ts';
import type { Message } from '../../core/outbox/message.ts';
import { formatCount } from '../../core/text/plain.ts';
import { toTimestamp } from '../../core/transition/details.ts';
import type { WaitingReport } from '../../core/view/status-schema.ts';
import { findDeliveryTrouble } from '../../core/view/standing/receiver-standing.ts';
import type { Daemon } from '../loop/daemon.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { fetchParts, type DaemonPart } from '../status/daemons.ts';
import type { ReceiverFacts } from '../status/status-reader.ts';
import { defineRequest } from './request.ts';

const chosenAsk = z.strictObject({ receiver: z.string().nullable(), id: z.string().nullable() });
type MessageChoice = z.infer<typeof chosenAsk>;

export const LIST_WAITING = defineRequest({
  name: 'deliveries.list',
  asks: z.strictObject({}),
  changes: false,
  answer: async ({ daemons }) => (await fetchParts(daemons)).flatMap(({ kept }) => listKept(kept.receivers)),
});

/** Answers with the number of retried messages. */
export const RETRY = defineRequest({
  name: 'deliveries.retry',
  asks: chosenAsk,
  changes: true,
  perform: async ({ deliveries }, chosen) => await counted(deliveries, chosen, ({ retry }) => retry),
  async answer({ daemons, performIn }, chosen) {
    const parts = await fetchParts(daemons);
    if (receiversOf(parts).some(({ name, isRemoved }) => isRemoved && name === chosen.receiver)) {
      throw new ControlRefusal(
        `${chosen.receiver} is no longer configured: put it back into the configuration, and it gets what waits; or drop that.`,
      );
    }
    const names = receiversOf(parts).flatMap(({ name, isRemoved }) => (isRemoved ? [] : [name]));
    return await performInAll(parts, chosen, names, performIn);
  },
});

/** Answers with the number of dropped messages. */
export const DROP = defineRequest({
  name: 'deliveries.drop',
  asks: chosenAsk,
  changes: true,
  async perform({ deliveries, removed }, chosen) {
    const dropped = await counted(deliveries, chosen, ({ drop }) => drop);
    return dropped + (await droppedOfRemoved(removed, chosen));
  },
  async answer({ daemons, performIn }, chosen) {
    const parts = await fetchParts(daemons);
    return await performInAll(
      parts,
      chosen,
      receiversOf(parts).map(({ name }) => name),
      performIn,
    );
  },
});

/** Performs it for each chosen delivery and adds up the answers. */
async function counted(
  deliveries: readonly Delivery[],
  chosen: MessageChoice,
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
async function droppedOfRemoved({ all, giveUp }: Daemon['removed'], chosen: MessageChoice): Promise<number> {
  let count = 0;
  for (const { name, waiting } of all()) {
    if (!isOf({ name }, chosen) || (chosen.id === null && chosen.receiver === null)) continue;
    const ids = idsAmong(waiting, chosen).flatMap((id) => id ?? waiting.map((message) => message.id));
    await giveUp(name, ids);
    count += ids.length;
  }
  return count;
}

const isOf = ({ name }: { name: string }, { receiver }: MessageChoice): boolean =>
  receiver === null || name === receiver;

/** Null for all messages that the request covers. */
function idsAmong(messages: readonly Message[], { id }: MessageChoice): (string | null)[] {
  return id === null ? [null] : messages.flatMap((one) => (one.id.startsWith(id) ? [one.id] : []));
}

const receiversOf = (parts: readonly DaemonPart[]): ReceiverFacts[] => parts.flatMap(({ kept }) => kept.receivers);

/**
 * In all parts with such messages. `names`: receivers that may be chosen. A refusal of one part does not revert the
 * others.
 */
async function performInAll(
  parts: readonly DaemonPart[],
  chosen: MessageChoice,
  names: readonly string[],
  performIn: (part: DaemonPart) => Promise<number>,
): Promise<number> {
  if (!receiversOf(parts).some((receiver) => isOf(receiver, chosen))) {
    throw new ControlRefusal(`There is no receiver ${chosen.receiver}; there are: ${[...new Set(names)].join(', ')}.`);
  }
  const concerned = parts.filter(({ kept }) =>
    kept.receivers.some(
      (one) => isOf(one, chosen) && one.unsettled.length > 0 && idsAmong(one.unsettled, chosen).length > 0,
    ),
  );
  const done = await Promise.allSettled(concerned.map(performIn));
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
    const trouble = findDeliveryTrouble(state);
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
