/** Recordings of calls. Specification sections 2.B and 4.B, Call recordings. */
import * as z from 'zod';
import { epoch, integer, secret, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { checkWindow, windowFields } from './window.ts';

const recording = z.looseObject({
  time: epoch('When the call was recorded.'),
  uuid: text('Id of the recording.'),
  caller_id: text('Who called.'),
  destination: text('Who was called.'),
  duration: integer('Length in seconds.'),
  wav_size: integer('Size as WAV in bytes.'),
  mp3_size: integer('Size as MP3 in bytes.'),
  notes: text('Notes on the recording.').nullable(),
  call_outcome: text('Outcome of the call.').nullable(),
  stream_url: secret(text('Address of the audio stream.')),
});

export const callRecordings = describeOperations('account', {
  'call-recordings.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/call-recordings',
    query: z.strictObject(windowFields).superRefine(checkWindow),
    result: z.array(recording),
    effect: 'read',
    summary: 'List recordings of calls',
    section: '4.B Call recordings',
  },
});
