/** A sample message through a receiver: from the command line, and from the page over the control socket. */
import * as z from 'zod';
import { ControlRefusal } from '../../control/protocol.ts';
import { sampleMessage } from '../../core/wording/samples/samples.ts';
import type { Kind } from '../../core/transition/kind.ts';
import type { Proof } from '../../core/outbox/proof.ts';
import { readProof, type Outcome, type Receiver } from '../../receivers/receiver.ts';
import { readAsk } from './asking.ts';
import { doneIn, type Daemons, type Request } from '../status/daemons.ts';

export interface TestContract {
  'deliveries.test': { ask: z.infer<typeof testAsk>; answer: TestAnswer };
}

/** Response of the receiver to the sample; `proof` is null if it was not accepted. */
export interface TestAnswer {
  proof: Proof | null;
  said: string;
}

const testAsk = z.strictObject({ receiver: z.string() });

/** Never throws. An incident opened at a pager is resolved at once. */
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

export function createTest(now: () => number): Request<TestAnswer> {
  return {
    name: 'deliveries.test',
    async deed({ deliveries }, ask) {
      const { receiver: name } = readAsk(testAsk, ask);
      const found = deliveries.find(({ receiver }) => receiver.name === name);
      if (found === undefined) throw new ControlRefusal(`There is no receiver ${name}.`);
      const outcome = await sendSample(found.receiver, 'notice.opened', now());
      return outcome.kind === 'delivered'
        ? { proof: readProof(found.receiver, outcome), said: outcome.detail }
        : { proof: null, said: outcome.reason };
    },
  };
}

/** All parts have the same receivers: the first sends. */
export async function testReceiver(daemons: Daemons, request: Request<TestAnswer>, ask: unknown): Promise<TestAnswer> {
  const asked = readAsk(testAsk, ask);
  return await doneIn(daemons.parts()[0], request, asked);
}
