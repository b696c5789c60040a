/** Starting a call. Specification section 4.B, Originate. */
import * as z from 'zod';
import { digits, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';

export const originate = describeOperations('account', {
  'originate.call-connect': {
    verbs: ['POST'],
    path: '/api/v1/pbx/originate/call-connect',
    body: z.strictObject({
      phone_number: digits('Number to dial.'),
      caller_id: digits('Number to show; must be a valid caller id number of the account.'),
      dialplan_number: digits('Number of the internal dialplan to connect to.'),
    }),
    result: z.looseObject({ status: text('What became of the call.'), message: text('The same in words.') }),
    effect: 'act',
    summary: 'Call a number and connect it to a dialplan',
    warning: 'This places a call, which may cost money.',
    section: '4.B Originate',
  },
});
