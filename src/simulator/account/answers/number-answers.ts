import type { orderNumbers } from '../../../provider/catalogue/order-numbers.ts';
import type { originate } from '../../../provider/catalogue/originate.ts';
import type { sms } from '../../../provider/catalogue/sms.ts';
import { type Answers, createJsonReply } from '../../simulated-reply.ts';
import { refuseInput } from '../refusal.ts';
import type { WorldOf } from './world-of.ts';

/** The only country with numbers. */
const COUNTRY = { name: 'Australia', iso: 'AU', prefix: '61' } as const;

/** Ringing and talk time of a started call before it ends and appears in reports. */
const CONNECT_SECONDS = { wait: 5, talk: 30 } as const;

/** Number orders, outgoing calls and SMS; nothing leaves the machine. */
export function createNumberAnswers(worldOf: WorldOf): Answers<typeof orderNumbers & typeof originate & typeof sms> {
  return {
    'order-numbers.locality.list': ({ country_iso: iso }, call) => {
      if (iso.toUpperCase() !== COUNTRY.iso) return [];
      return worldOf(call)
        .numbers.localities()
        .map(({ locality, prefix }) => ({ locality, prefix: String(prefix) }));
    },
    'order-numbers.numbers.list': ({ country_iso: iso, locality_id: locality }, call) => {
      if (iso.toUpperCase() !== COUNTRY.iso) return [];
      return worldOf(call)
        .numbers.free(locality)
        .map((number) => ({
          number_id: number.numberId,
          supply_uuid: number.supplyUuid,
          locality: number.locality,
          country: COUNTRY.name,
          country_iso: COUNTRY.iso,
          country_prefix: COUNTRY.prefix,
          locality_prefix: String(number.localityPrefix),
          number: number.number,
          pool: number.pool,
        }));
    },
    'order-numbers.assign': ({ number_id: id, supply_uuid: supply }, call) => {
      const refusal = worldOf(call).numbers.assign(id, supply);
      return refusal === null ? { error: '0', message: 'Number assigned.' } : { error: '1', message: refusal };
    },
    'order-numbers.cancel': ({ number }, call) => {
      const refusal = worldOf(call).numbers.cancel(number);
      return refusal === null ? { error: '0', message: 'Number cancelled.' } : { error: '1', message: refusal };
    },
    'originate.call-connect': ({ phone_number: to, caller_id: callerId, dialplan_number: dialplan }, call) => {
      const world = worldOf(call);
      if (!world.numbers.owns(callerId)) return refuseInput({ caller_id: ['The selected caller id is invalid.'] });
      world.placeCall({
        direction: 'outgoing',
        extension: dialplan,
        callerId,
        to,
        endedAt: world.seconds() + CONNECT_SECONDS.wait + CONNECT_SECONDS.talk,
        waitSeconds: CONNECT_SECONDS.wait,
        talkSeconds: CONNECT_SECONDS.talk,
      });
      return { status: 'success', message: `Connecting ${to} to ${dialplan}.` };
    },
    'sms.send': ({ from, to, body }, call) => {
      const world = worldOf(call);
      const digits = from.replace(/^\+/, '');
      const sender = world.numbers.owned().find(({ number }) => number === digits);
      // The specification gives this error a special body: a JSON string.
      if (sender?.smsEnabled !== true) {
        return createJsonReply(400, `The number ${from} is not SMS capable or was not found in this service.`);
      }
      const message = { messageId: world.random.uuid(), at: Math.floor(world.seconds()), from, to, body };
      world.sent.push(message);
      return { message_id: message.messageId, time: message.at, service_id: world.serviceId, status: 'sent' };
    },
  };
}
