/** Sending an SMS. Specification sections 2.B, 4.B and 7, SMS. */
import * as z from 'zod';
import { e164, epoch, integer, nonEmptyText, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';

export const sms = describeOperations('account', {
  'sms.send': {
    verbs: ['POST'],
    path: '/api/v1/pbx/sms/send',
    body: z.strictObject({
      from: e164('Number to send from; must be an SMS-enabled number of the service.'),
      to: e164('Number to send to; a leading + is recommended.'),
      body: nonEmptyText('The message.'),
    }),
    result: z.looseObject({
      message_id: text('Id of the message.'),
      time: epoch('When it was accepted.'),
      service_id: integer('The service it was sent from.'),
      status: text('What became of it.'),
    }),
    effect: 'act',
    summary: 'Send an SMS',
    warning: 'This sends a message, which costs money and cannot be undone.',
    errors: [
      {
        status: 400,
        condition: 'the number to send from is not SMS capable or is not found in the service',
        body: text('A sentence that says so.'),
      },
    ],
    section: '4.B SMS',
  },
});
