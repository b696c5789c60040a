/** Request to note that people read what receivers are sent. The first part keeps the proofs for all. */
import * as z from 'zod';
import { ControlRefusal } from '../../control/protocol.ts';
import { findAsked } from '../../core/engine/weekly-proof.ts';
import { defineRequest } from './request.ts';

/** By the token of an opened link, or by the receivers that were notified of an acknowledged alert. */
const asks = z.union([z.strictObject({ token: z.string() }), z.strictObject({ receivers: z.array(z.string()) })]);

/** Answers with the receivers that are proved by it: those that are asked for proofs. */
export const MARK_SEEN = defineRequest({
  name: 'receiver.seen',
  asks,
  changes: true,
  async perform({ own }, ask): Promise<{ receivers: string[] }> {
    const { proofs = {} } = own.state;
    if ('receivers' in ask) {
      const receivers = ask.receivers.filter((receiver) => Object.hasOwn(proofs, receiver));
      if (receivers.length > 0) await own.happened({ kind: 'seen', receivers });
      return { receivers };
    }
    const receiver = findAsked(proofs, ask.token);
    if (receiver === null) throw new ControlRefusal('A newer message has a newer link: please open that one.');
    await own.happened({ kind: 'seen', receivers: [receiver] });
    return { receivers: [receiver] };
  },
  answer: ({ daemons, performIn }) => performIn(daemons.parts()[0]),
});
