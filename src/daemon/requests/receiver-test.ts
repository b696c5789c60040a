/** Request to send a sample message through a receiver. */
import * as z from 'zod';
import { ControlRefusal } from '../../control/protocol.ts';
import { createSampleMessage } from '../../core/wording/samples/samples.ts';
import type { Kind } from '../../core/transition/kind.ts';
import type { Proof } from '../../core/outbox/proof.ts';
import { readProof, type Outcome, type Receiver } from '../../receivers/receiver.ts';
import { defineRequest } from './request.ts';

/** Response of the receiver to the sample; `proof` is null if it was not accepted. */
export interface TestAnswer {
  proof: Proof | null;
  said: string;
}

/** Shortest time between two tests of a receiver: each uses up limits of a medium, and may ring. */
const APART_MS = 10_000;

/** Start of the last test. A reload creates new receivers, without it. */
const testedAt = new WeakMap<Receiver, number>();

/** Throws `ControlRefusal` if the last test is too recent; else records a new one. */
function beginTest(receiver: Receiver, now: number): void {
  const last = testedAt.get(receiver);
  // After a backward clock change, send at once.
  if (last !== undefined && now >= last && now - last < APART_MS) {
    const [ago, wait] = [now - last, last + APART_MS - now].map((ms) => Math.ceil(ms / 1_000));
    throw new ControlRefusal(
      `A test went to ${receiver.name} ${ago === 0 ? 'just now' : `${ago} s ago`}: the next can be sent in ${wait} s.`,
    );
  }
  testedAt.set(receiver, now);
}

/** Never throws. An incident opened at a pager is resolved at once. */
export async function sendSample(receiver: Receiver, kind: Kind, now: number): Promise<Outcome> {
  const { signal } = new AbortController();
  const sample = createSampleMessage(kind, receiver.name, now);
  const outcome = await receiver.send([sample], signal);
  if (outcome.kind !== 'delivered' || receiver.ringsUntilTheEnd !== true || sample.alert.resolvedAt !== null) {
    return outcome;
  }
  const ended = { ...sample, alert: { ...sample.alert, resolvedAt: now } };
  return await receiver.send([{ ...ended, ...(outcome.keep !== undefined && { conversation: outcome.keep }) }], signal);
}

/** All parts have the same receivers: the first sends. */
export const TEST_RECEIVER = defineRequest({
  name: 'deliveries.test',
  asks: z.strictObject({ receiver: z.string() }),
  changes: false,
  async perform({ deliveries }, { receiver: name }, { now }): Promise<TestAnswer> {
    const found = deliveries.find(({ receiver }) => receiver.name === name);
    if (found === undefined) throw new ControlRefusal(`There is no receiver ${name}.`);
    const at = now();
    beginTest(found.receiver, at);
    const outcome = await sendSample(found.receiver, 'notice.opened', at);
    return outcome.kind === 'delivered'
      ? { proof: readProof(found.receiver, outcome), said: outcome.detail }
      : { proof: null, said: outcome.reason };
  },
  answer: ({ daemons, performIn }) => performIn(daemons.parts()[0]),
});
