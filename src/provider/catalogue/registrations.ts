/** Registered telephones. Specification sections 2.B and 4.B, Registrations. */
import * as z from 'zod';
import { flag, text, untyped } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { idParam } from './common.ts';

const registration = z.looseObject({
  user_id: text('The extension number.'),
  expiry: text('When the registration ends.'),
  protocol: text('Transport, e.g. UDP.'),
  external_ipaddress: text('Address the provider sees.'),
  external_port: text('Port the provider sees.'),
  internal_ipaddress: text('Address in its own network.'),
  internal_port: untyped('Port in its own network.').optional(),
  contact_short: text('Contact address, shortened.'),
  contact: text('Contact address.'),
  status: text('State of the registration, e.g. Registered(UDP-NAT)(unknown) EXP(…) EXPSECS(…).'),
  user_agent: text('Make, model and firmware as the telephone says.'),
});

const contacts = z.array(registration).meta({
  description: 'The contacts of the extension; a single one has also been sent as an object.',
  'x-one-or-many': true,
});

export const registrations = describeOperations('account', {
  'registrations.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/registrations',
    result: z.record(z.string(), contacts).meta({ description: 'By extension number.' }),
    effect: 'read',
    summary: 'List the registered telephones by extension',
    section: '4.B Registrations',
  },
  'registrations.delete': {
    verbs: ['DELETE'],
    path: '/api/v1/pbx/registrations/{registration}',
    params: z.strictObject({ registration: idParam('Id of the extension whose registration is dropped.') }),
    result: z.looseObject({ result: flag('Whether the registration was dropped.') }),
    effect: 'act',
    summary: 'Drop the registration of an extension',
    warning: 'This reboots the telephone.',
    section: '4.B Registrations',
  },
});
