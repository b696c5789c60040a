import type { extensions } from '../../../provider/catalogue/extensions.ts';
import type { FieldErrors } from '../../request-input.ts';
import type { Answers, RawReply } from '../../simulated-reply.ts';
import type { ExtensionRecord } from '../extension-book.ts';
import { refuseMissingRecord, refuseInput } from '../refusal.ts';
import type { AccountWorld } from '../account-world.ts';
import { type WorldOf, omitUndefined } from './world-of.ts';

/** Public fields of an extension: no password, and switches as 0 or 1. */
function shown(extension: ExtensionRecord) {
  const { agentUuid: _listed, ...fields } = extension;
  return {
    ...fields,
    voicemail: Number(extension.voicemail),
    vm_no_pin: Number(extension.vm_no_pin),
    vm_set_read: Number(extension.vm_set_read),
    agent_mode: Number(extension.agent_mode),
    outbound_recording: extension.outbound_recording === null ? null : Number(extension.outbound_recording),
    ndlb: extension.ndlb === null ? null : Number(extension.ndlb),
  };
}

/** As in the list, which alone names the agent's id. */
export function toExtensionRow(extension: ExtensionRecord) {
  return { ...shown(extension), agent_uuid: extension.agentUuid };
}

/** Conflicts across fields: numbers that are taken, or that belong to another account. */
function conflicts(
  world: AccountWorld,
  wanted: {
    user_id?: string | undefined;
    caller_id?: string | null | undefined;
    customer_location_id?: number | undefined;
  },
  self: ExtensionRecord | null,
): FieldErrors {
  const errors: FieldErrors = {};
  const holder = wanted.user_id === undefined ? undefined : world.extensions.byNumber(wanted.user_id);
  if (holder !== undefined && holder !== self) errors['user_id'] = ['The user id has already been taken.'];
  if (wanted.caller_id !== undefined && wanted.caller_id !== null && !world.numbers.owns(wanted.caller_id)) {
    errors['caller_id'] = ['The selected caller id is invalid.'];
  }
  const location = wanted.customer_location_id;
  if (location !== undefined && (location < 1 || location > world.sites.length)) {
    errors['customer_location_id'] = ['The selected customer location id is invalid.'];
  }
  return errors;
}

/** 404 for an unknown id, 422 for a number that is taken. Passwords are not stored. */
export function createExtensionAnswers(worldOf: WorldOf): Answers<typeof extensions> {
  function withExtension<T>(world: AccountWorld, id: number, answer: (extension: ExtensionRecord) => T): T | RawReply {
    const extension = world.extensions.byId(id);
    return extension === undefined ? refuseMissingRecord('Extension', id) : answer(extension);
  }
  return {
    'extensions.list': (_input, call) => worldOf(call).extensions.all().map(toExtensionRow),
    'extensions.create': ({ password: _kept, ...wanted }, call) => {
      const world = worldOf(call);
      const errors = conflicts(world, wanted, null);
      if (Object.keys(errors).length > 0) return refuseInput(errors);
      return {
        extension_id: world.extensions.add({ ...omitUndefined(wanted), name: wanted.name, user_id: wanted.user_id }),
      };
    },
    'extensions.show': ({ extension: id }, call) => withExtension(worldOf(call), id, shown),
    'extensions.update': ({ extension: id, password: _kept, ...wanted }, call) => {
      const world = worldOf(call);
      return withExtension(world, id, (extension) => {
        const errors = conflicts(world, wanted, extension);
        if (Object.keys(errors).length > 0) return refuseInput(errors);
        const before = extension.user_id;
        world.extensions.update(extension, omitUndefined(wanted));
        world.phones.rename(before, extension.user_id);
        return { extension_id: id };
      });
    },
    'extensions.delete': ({ extension: id }, call) => {
      const world = worldOf(call);
      return withExtension(world, id, (extension) => {
        world.extensions.remove(extension);
        world.phones.forget(extension.user_id);
        return { status: 'success' };
      });
    },
  };
}
