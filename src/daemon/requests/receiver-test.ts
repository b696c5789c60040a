/** Request to send a sample message through a receiver. */
import * as z from 'zod';
import { ControlRefusal } from '../../control/protocol.ts';
import { sampleMessage } from '../../core/wording/samples/samples.ts';
import type { Kind } from '../../core/transition/kind.ts';
import type { Proof } from '../../core/outbox/proof.ts';
import { readProof, type Outcome, type Receiver } from '../../receivers/receiver.ts';
import { defineRequest } from './request.ts';

/** The other side's answer to the sample; `proof` is null where it was not taken. */
export interface TestAnswer {
  proof: Proof | null;
  said: string;
}

/** Never throws. A pager is told the end at once. */
export async function sendSample(receiver: Receiver, kind: Kind, now: number): Promise<Outcome> {
  const { signal } = new AbortController();
  const sample = sampleMessage(kind, receiver.name, now);
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
    const outcome = await sendSample(found.receiver, 'notice.opened', now());
    return outcome.kind === 'delivered'
      ? { proof: readProof(found.receiver, outcome), said: outcome.detail }
      : { proof: null, said: outcome.reason };
  },
  answer: ({ daemons, performIn }) => performIn(daemons.parts()[0]),
});
