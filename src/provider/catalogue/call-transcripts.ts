/** Transcripts of calls. Specification sections 2.B and 4.B, Call transcripts. */
import * as z from 'zod';
import { integer, secret, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { idParam } from './common.ts';
import { checkWindow, timezoneField, windowFields } from './window.ts';

const transcript = z.looseObject({
  transcript_id: integer('Id of the transcript.'),
  call_recording_id: integer('Id of the recording it was made from.'),
  service_id: integer('The service the call belongs to.'),
  keywords: text('Keywords.'),
  summary: text('Summary.'),
  caller_id: text('Who called.'),
  destination: text('Who was called.'),
  duration: integer('Length of the call in seconds.'),
  names_involved: text('Names that were said.'),
  sentiment: text('Mood of the call.'),
  call_outcome: text('Outcome of the call.'),
  vtt_url: text('Address of the download operation.'),
  recording_url: secret(text('Address of the recording.')),
});

export const callTranscripts = describeOperations('account', {
  'call-transcripts.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/call-transcripts',
    query: z.strictObject({ ...windowFields, ...timezoneField }).superRefine(checkWindow),
    result: z.array(transcript),
    effect: 'read',
    summary: 'List transcripts of calls',
    section: '4.B Call transcripts',
  },
  'call-transcripts.download-vtt': {
    verbs: ['GET'],
    path: '/api/v1/pbx/call-transcripts/download-vtt/{transcript_id}',
    params: z.strictObject({ transcript_id: idParam('Id of the transcript.') }),
    result: z.string().meta({ description: 'The transcript as a WebVTT file.' }),
    resultKind: 'text/vtt',
    effect: 'read',
    summary: 'Download a transcript as a WebVTT file',
    section: '4.B Call transcripts',
  },
});
