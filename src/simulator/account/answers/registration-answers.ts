import type { registrations } from '../../../provider/catalogue/registrations.ts';
import { type Answers, createJsonReply } from '../../simulated-reply.ts';
import { refuseMissingRecord } from '../refusal.ts';
import { DEFAULT_ZONE } from '../times.ts';
import type { WorldOf } from './world-of.ts';

/**
 * Quirks of the world decide the form of empty and single results. Deleting a registration reboots the phone, as in
 * reality.
 */
export function createRegistrationAnswers(worldOf: WorldOf): Answers<typeof registrations> {
  return {
    'registrations.list': (_input, call) => {
      const { phones, quirks } = worldOf(call);
      const held = phones.registrations(DEFAULT_ZONE);
      if (held.size === 0 && quirks.emptyMapAsList) return createJsonReply(200, []);
      if (!quirks.loneRegistrationAsObject) return Object.fromEntries(held);
      return createJsonReply(
        200,
        Object.fromEntries([...held].map(([number, rows]) => [number, rows.length === 1 ? rows[0] : rows])),
      );
    },
    'registrations.delete': ({ registration: id }, call) => {
      const { extensions, phones } = worldOf(call);
      const extension = extensions.byId(id);
      if (extension === undefined) return refuseMissingRecord('Extension', id);
      const registered = phones.registrations(DEFAULT_ZONE).has(extension.user_id);
      if (registered) phones.reboot({ extension: extension.user_id });
      return { result: registered };
    },
  };
}
