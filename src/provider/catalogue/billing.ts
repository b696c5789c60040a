/** Call charges. Specification sections 2.B and 4.B, Billing. */
import * as z from 'zod';
import { datetimeInput, datetimeText, digitsAnswer, flag, integer, oneOrZero, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';

const chargeFields = {
  unique_id: integer('Id of the charge.'),
  service_id: integer('The service charged.'),
  external_did: digitsAnswer('Number of ours that was used.').nullable(),
  from: text('Who called.'),
  to: text('Who was called.'),
  charge: z.number().meta({ description: 'Amount charged, in decimals of the currency of the bill.' }),
  start_time: datetimeText('Start of the call.'),
  end_time: datetimeText('End of the call.'),
  seconds: integer('Length of the call in seconds.'),
  auth_code: text('Authorisation code used for the call.').nullable(),
  hangup_cause: text('Why the call ended.'),
  on_net: oneOrZero("Whether the call stayed within the provider's network."),
  call_rate_prefix: text('Prefix that chose the rate.'),
  call_rate_name: text('Name of the rate.'),
};

const collectionCharge = z.looseObject(chargeFields);

const outgoingCharge = z.looseObject({
  ...chargeFields,
  transferred_call: flag('Whether the call was a transfer.'),
  uuid: text('Id of the call.'),
  parent_uuid: text('Id of the call this one came from.').nullable(),
});

/** Text of equal format compares like its times. */
const period = z
  .strictObject({
    start_date: datetimeInput('Start of the period.'),
    end_date: datetimeInput('End of the period.'),
  })
  .refine(({ start_date, end_date }) => end_date >= start_date, {
    path: ['end_date'],
    message: 'must not be before start_date',
    params: { named: ['start_date'] },
  });

export const billing = describeOperations('account', {
  'billing.calls.outgoing.list': {
    verbs: ['GET'],
    path: '/api/v1/billing/calls/outgoing/{start_date}/{end_date}',
    params: period,
    result: z.array(outgoingCharge),
    effect: 'read',
    summary: 'List what outgoing calls cost in a period',
    section: '4.B Billing',
  },
  'billing.calls.collection.list': {
    verbs: ['GET'],
    path: '/api/v1/billing/calls/collection/{start_date}/{end_date}',
    params: period,
    result: z.array(collectionCharge),
    effect: 'read',
    summary: 'List what collection calls cost in a period',
    section: '4.B Billing',
  },
});
