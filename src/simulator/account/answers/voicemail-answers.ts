import type { voicemails } from '../../../provider/catalogue/voicemail.ts';
import type { voicemailExtensions } from '../../../provider/catalogue/voicemail-extensions.ts';
import { type Answers, type ApiCall, type RawReply, createJsonReply } from '../../simulated-reply.ts';
import { refuseMissingRecord, refuseInput } from '../refusal.ts';
import type { VoicemailMessage, VoicemailExtension } from '../voicemail-book.ts';
import { omitUndefined, toLinks, type WorldOf } from './world-of.ts';

/** 404 for missing records, in each interface's own wording. */
export function createVoicemailAnswers(worldOf: WorldOf): Answers<typeof voicemails & typeof voicemailExtensions> {
  function withExtension<T>(call: ApiCall, id: number, answer: (extension: VoicemailExtension) => T): T | RawReply {
    const extension = worldOf(call).voicemailExtensions.byId(id);
    // The specification gives this error a special body: a JSON string.
    if (extension === undefined) return createJsonReply(404, 'Voicemail extension not found. Please check the ID.');
    return answer(extension);
  }
  function withMessage<T>(call: ApiCall, uuid: string, answer: (message: VoicemailMessage) => T): T | RawReply {
    const message = worldOf(call).messages.byUuid(uuid);
    return message === undefined ? refuseMissingRecord('Voicemail', uuid) : answer(message);
  }
  function taken(call: ApiCall, number: string | undefined, self: VoicemailExtension | null): RawReply | null {
    if (number === undefined || number === self?.user_id) return null;
    const { extensions, voicemailExtensions: boxes } = worldOf(call);
    const free = extensions.byNumber(number) === undefined && !boxes.all().some((box) => box.user_id === number);
    return free ? null : refuseInput({ user_id: ['The user id has already been taken.'] });
  }
  function shown(message: VoicemailMessage, call: ApiCall) {
    const known = worldOf(call).phonebooks.nameOf(message.callerNumber);
    return {
      uuid: message.uuid,
      created_epoch: String(message.createdAt),
      username: message.mailbox,
      cid_name: known ?? message.callerNumber,
      cid_number: message.callerNumber,
      message_len: String(message.seconds),
      stream_url: toLinks(call).stream('voicemail', message.uuid),
    };
  }
  return {
    'voicemail-extensions.list': (_input, call) =>
      worldOf(call)
        .voicemailExtensions.all()
        .map(({ timezone: _shownAlone, ...listed }) => listed),
    'voicemail-extensions.create': (wanted, call) =>
      taken(call, wanted.user_id, null) ?? {
        voicemail_extension_id: worldOf(call).voicemailExtensions.add({
          user_id: '',
          name: '',
          timezone: 'Australia/Melbourne',
          vm_password: '0000',
          voicemail_emails: [],
          ...omitUndefined(wanted),
        }),
      },
    'voicemail-extensions.show': ({ voicemail_extension: id }, call) =>
      withExtension(call, id, (extension) => extension),
    'voicemail-extensions.update': ({ voicemail_extension: id, ...wanted }, call) =>
      withExtension(call, id, (extension) => {
        const refusal = taken(call, wanted.user_id, extension);
        if (refusal !== null) return refusal;
        Object.assign(extension, omitUndefined(wanted));
        return { voicemail_extension_id: id };
      }),
    'voicemail-extensions.delete': ({ voicemail_extension: id }, call) =>
      withExtension(call, id, (extension) => {
        worldOf(call).voicemailExtensions.remove(extension);
        return { status: 'success' };
      }),
    'voicemail.list': (_input, call) =>
      worldOf(call)
        .messages.all()
        .map((message) => shown(message, call)),
    'voicemail.show': ({ voicemail: uuid }, call) => withMessage(call, uuid, (message) => shown(message, call)),
    'voicemail.delete': ({ voicemail: uuid }, call) =>
      withMessage(call, uuid, (message) => {
        worldOf(call).messages.remove(message);
        return { status: 'success' };
      }),
  };
}
