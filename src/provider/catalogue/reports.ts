/** Reports on calls. Specification sections 2.B and 4.B, Reports. */
import * as z from 'zod';
import { datetimeText, digits, digitsAnswer, epoch, flag, integer, text, zone } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { checkWindow, timezoneField, windowFields } from './window.ts';

const callFields = {
  id: integer('Id of the record.'),
  service_id: integer('The service the call belongs to.'),
  answer_epoch: epoch('When the call was answered.'),
  end_epoch: epoch('When the call ended.'),
  answer_stamp: text('When the call was answered: day, date, time and offset.'),
  end_stamp: text('When the call ended: day, date, time and offset.'),
  created_time: epoch('When the record was made.'),
  from: text('Who called.'),
  to: text('Who was called.'),
  talk_duration: integer('Seconds of talk.'),
  duration: integer('Seconds in all.'),
  hangup_case: text('Why the call ended.'),
  uuid: text('Id of the call.'),
};

const incomingCall = z.looseObject({
  ...callFields,
  external_caller_name: text('Name of the caller as sent.'),
  dialplan_name: text('Dialplan that took the call.'),
  condition_name: text('Condition that chose the dialplan.'),
});

const outgoingCall = z.looseObject({
  ...callFields,
  parent_uuid: text('Id of the call this one came from.').nullable(),
  transferred_call: flag('Whether the call was a transfer.'),
  rate_digits: digitsAnswer('Prefix that chose the rate.'),
  rate_name: text('Name of the rate.'),
});

const answeredCall = z.looseObject({
  ...callFields,
  from_extension_name: text('Name of the calling extension.').nullable(),
  to_extension_name: text('Name of the extension that answered.'),
  phonebook_name: text('Name of the caller in a phonebook.').nullable(),
  transfer_to: text('Where the call was transferred to.').nullable(),
  transfer_from: text('Where the call was transferred from.').nullable(),
  originator: text('Who started the call.').nullable(),
  dialplan_name: text('Dialplan that took the call.'),
  condition_name: text('Condition that chose the dialplan.'),
  external_did: digitsAnswer('Number of ours that was called.'),
  skillset_name: text('Skillset that took the call.').nullable(),
  queue_name: text('Queue the call waited in.').nullable(),
  record_uuid: text('Id of the recording.').nullable(),
});

const counts = (description: string) => z.array(z.int()).meta({ description });
const labels = (description: string) => z.array(z.string()).meta({ description });

const answeredVersusMissed = z.looseObject({
  exclude_did_numbers: z.array(z.unknown()).meta({ description: 'Numbers that were left out.' }),
  ignore_seconds: integer('Calls shorter than this many seconds were left out.'),
  format_start_time: datetimeText('Start of the window.'),
  format_end_time: datetimeText('End of the window.'),
  headings: labels('Hours, HH:MM.'),
  legends: labels('Names of the series.'),
  missed: counts('Missed calls.'),
  missed_vm: counts('Missed calls that left a voicemail.'),
  day_total_answered: counts('Answered calls a day.'),
  day_total_missed: counts('Missed calls a day.'),
  day_total_missed_vm: counts('Missed calls with voicemail a day.'),
  day_answered_seconds: counts('Seconds of answered calls a day.'),
  hour_total_answered: counts('Answered calls an hour.'),
  hour_total_missed: counts('Missed calls an hour.'),
  hour_total_missed_vm: counts('Missed calls with voicemail an hour.'),
  total_answered: integer('Answered calls in all.'),
  total_missed: integer('Missed calls in all.'),
  total_missed_vm: integer('Missed calls with voicemail in all.'),
  top_10_hours: labels('The ten busiest hours.'),
});

const missedCall = z.looseObject({
  uuid: text('Id of the call.'),
  service_id: integer('The service the call belongs to.'),
  answer_epoch: epoch('When the call was answered.'),
  end_epoch: epoch('When the call ended.'),
  from: text('Who called.'),
  external_did: digitsAnswer('Number of ours that was called.'),
  duration: integer('Seconds in all.'),
  wait_sec: integer('Seconds of waiting.'),
  hangup_case: text('Why the call ended.'),
  dialplan_name: text('Dialplan that took the call.'),
  condition_name: text('Condition that chose the dialplan.'),
  extensions: z
    .record(
      z.string(),
      z.looseObject({ extension: text('The extension number.'), hangup_cause: text('Why it stopped ringing.') }),
    )
    .meta({ description: 'The extensions that rang, by number.' }),
});

const availability = z.looseObject({
  user_id: digitsAnswer('The extension number.'),
  name: text('Name of the agent.'),
  status: text('Status of the agent.'),
  epoch: epoch('When the status began.'),
  date_time: text('The same in the time zone asked for.'),
  timezone: text('That time zone.'),
  duration: integer('Seconds in that status.'),
});

const window = z.strictObject(windowFields).superRefine(checkWindow);
const zonedWindow = z.strictObject({ ...windowFields, ...timezoneField }).superRefine(checkWindow);
const section = '4.B Reports';

export const reports = describeOperations('account', {
  'reports.incoming-calls-external-numbers.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/reports/incoming-calls-external-numbers',
    query: window,
    result: z.array(incomingCall),
    effect: 'read',
    summary: 'List incoming calls to external numbers',
    section,
  },
  'reports.outgoing-calls.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/reports/outgoing-calls',
    query: zonedWindow,
    result: z.array(outgoingCall),
    effect: 'read',
    summary: 'List outgoing calls',
    section,
  },
  'reports.answered-extensions.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/reports/answered-extensions',
    query: zonedWindow,
    result: z.array(answeredCall),
    effect: 'read',
    summary: 'List calls that extensions answered',
    section,
  },
  'reports.incoming-answered-vs-missed.show': {
    verbs: ['GET'],
    path: '/api/v1/pbx/reports/incoming-answered-vs-missed',
    query: z
      .strictObject({
        ...windowFields,
        timezone: zone('Time zone of the report.').optional(),
        exclude_did_numbers: z
          .array(digits('A telephone number.'))
          .meta({ description: 'Numbers to leave out.' })
          .optional(),
        ignore_seconds: z
          .int()
          .min(0, 'must not be negative')
          .meta({ description: 'Leave out calls shorter than this many seconds.' })
          .optional(),
      })
      .superRefine(checkWindow),
    result: answeredVersusMissed,
    effect: 'read',
    summary: 'Compare answered with missed incoming calls',
    section,
  },
  'reports.missed-calls.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/reports/missed-calls',
    query: zonedWindow,
    result: z.record(z.string(), missedCall).meta({ description: 'By key of the record.' }),
    effect: 'read',
    summary: 'List missed calls',
    section,
  },
  'reports.agent-availability.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/reports/agent-availability',
    query: z
      .strictObject({
        ...windowFields,
        timezone: zone('Time zone of time_period and of the times shown; by default Australia/Melbourne.').optional(),
        agent_ids: z
          .array(digits('An extension number.'))
          .meta({ description: 'Agents by extension number; by default all.' })
          .optional(),
        agent_statuses: z
          .array(z.string())
          .meta({ description: 'Statuses; by default all that are configured.' })
          .optional(),
      })
      .superRefine(checkWindow),
    result: z.array(availability),
    effect: 'read',
    summary: 'List when agents were available',
    section,
  },
});
