/** Ordering and cancelling telephone numbers. Specification sections 2.B, 4.B and 7, Order numbers. */
import * as z from 'zod';
import { digits, digitsAnswer, nonEmptyText, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { textParam } from './common.ts';

const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters such as AU')
  .meta({ description: 'Country code of two letters.', examples: ['AU'] });

const locality = z.looseObject({
  locality: text('Name of the locality, with its trunk code in brackets.'),
  prefix: digitsAnswer('Prefix of its numbers.'),
});

const number = z.looseObject({
  locality: text('Name of the locality.'),
  country: text('Name of the country.'),
  country_iso: text('Country code of two letters.'),
  country_prefix: digitsAnswer('Country code of the telephone number.'),
  locality_prefix: digitsAnswer('Prefix of the locality.'),
  number: digitsAnswer('The telephone number.'),
  pool: text('Pool the number is taken from.'),
});

/** HTTP 200 either way: `error` decides. */
const outcome = z.looseObject({
  error: z.string().meta({ description: '0 for success, 1 for failure.', examples: ['0', '1'] }),
  message: text('What became of the request.'),
});

export const orderNumbers = describeOperations('account', {
  'order-numbers.locality.list': {
    verbs: ['GET'],
    path: '/api/v1/order-numbers/locality/{country_iso}',
    params: z.strictObject({ country_iso: country }),
    // The specification shows a single object but describes a list.
    result: z.union([locality, z.array(locality)]),
    effect: 'read',
    summary: 'List the localities of a country that have numbers',
    section: '4.B Order numbers',
  },
  'order-numbers.numbers.list': {
    verbs: ['GET'],
    path: '/api/v1/order-numbers/numbers/{country_iso}/{locality_id}',
    params: z.strictObject({ country_iso: country, locality_id: textParam('Name of the locality.') }),
    result: z.array(number),
    effect: 'read',
    summary: 'List the numbers to be had in a locality',
    section: '4.B Order numbers',
  },
  'order-numbers.assign': {
    verbs: ['POST'],
    path: '/api/v1/order-numbers/assign',
    body: z.strictObject({
      number_id: nonEmptyText('Id of the number, from the list of numbers.'),
      supply_uuid: nonEmptyText('Supply of the number, from the list of numbers.'),
      number: digits('The telephone number itself.').optional(),
    }),
    result: outcome,
    effect: 'act',
    summary: 'Assign a number to the service',
    warning: 'This orders a number, which may cost money.',
    errors: [{ status: 200, condition: 'the number cannot be assigned', body: outcome }],
    section: '4.B Order numbers',
  },
  'order-numbers.cancel': {
    verbs: ['DELETE'],
    path: '/api/v1/order-numbers/cancel/{number}',
    params: z.strictObject({ number: digits('The telephone number to give up.') }),
    result: outcome,
    effect: 'act',
    summary: 'Cancel a number of the service',
    warning: 'A cancelled number may not be recoverable.',
    section: '4.B Order numbers',
  },
});
