/** Messages left. Specification sections 2.B and 4.B, Voicemails. */
import * as z from 'zod';
import { secret, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { CANNOT_BE_UNDONE, statusAnswer, textParam } from './common.ts';

const voicemail = z.looseObject({
  uuid: text('Id of the message.'),
  created_epoch: text('When it was left, in seconds since the Unix epoch.'),
  username: text('Whose message it is.'),
  cid_name: text('Name of the caller.'),
  cid_number: text('Number of the caller.'),
  message_len: text('Length in seconds.'),
  stream_url: secret(text('Address of the audio stream.')),
});

const params = z.strictObject({ voicemail: textParam('Id of the message.') });
const path = '/api/v1/pbx/voicemail/{voicemail}';
const section = '4.B Voicemails';

export const voicemails = describeOperations('account', {
  'voicemail.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/voicemail',
    result: z.array(voicemail),
    effect: 'read',
    summary: 'List the voicemail messages',
    section,
  },
  'voicemail.show': {
    verbs: ['GET'],
    path,
    params,
    result: voicemail,
    effect: 'read',
    summary: 'Show a voicemail message',
    section,
  },
  'voicemail.delete': {
    verbs: ['DELETE'],
    path,
    params,
    result: statusAnswer,
    effect: 'set',
    summary: 'Delete a voicemail message',
    warning: CANNOT_BE_UNDONE,
    section,
  },
});
