/** Extensions that only take messages. Specification sections 2.B, 4.B and 7, Voicemail extensions. */
import * as z from 'zod';
import { digits, integer, mailAddresses, secret, nonEmptyText, text, voicemailCode, zone } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { CANNOT_BE_UNDONE, idParam, statusAnswer } from './common.ts';

const listed = z.looseObject({
  id: integer('Id of the voicemail extension.'),
  user_id: text('The extension number.'),
  name: text('Name.'),
  vm_password: secret(text('4-digit voicemail code.')),
  voicemail_emails: z.array(z.string()).meta({ description: 'Addresses that receive the messages.' }),
});

const shown = listed.extend({ timezone: text('Zone it belongs to.') });

/** Shared by create and update: everything is optional in both. */
const body = z.strictObject({
  name: nonEmptyText('Name.').optional(),
  vm_password: voicemailCode().optional(),
  timezone: zone('Zone it belongs to.').optional(),
  user_id: digits('The extension number.').optional(),
  voicemail_emails: mailAddresses('Addresses that receive the messages.').optional(),
});

const params = z.strictObject({ voicemail_extension: idParam('Id of the voicemail extension.') });
const path = '/api/v1/pbx/voicemail-extensions/{voicemail_extension}';
const idOfVoicemailExtension = z.looseObject({ voicemail_extension_id: integer('Id of the voicemail extension.') });
const section = '4.B Voicemail extensions';

export const voicemailExtensions = describeOperations('account', {
  'voicemail-extensions.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/voicemail-extensions',
    result: z.array(listed),
    effect: 'read',
    summary: 'List the voicemail extensions',
    section,
  },
  'voicemail-extensions.create': {
    verbs: ['POST'],
    path: '/api/v1/pbx/voicemail-extensions',
    body,
    result: idOfVoicemailExtension,
    effect: 'set',
    summary: 'Create a voicemail extension',
    section,
  },
  'voicemail-extensions.show': {
    verbs: ['GET'],
    path,
    params,
    result: shown,
    effect: 'read',
    summary: 'Show a voicemail extension',
    errors: [{ status: 404, condition: 'the id does not exist', body: text('A sentence that asks to check the id.') }],
    section,
  },
  'voicemail-extensions.update': {
    verbs: ['PUT', 'PATCH'],
    path,
    params,
    body,
    result: idOfVoicemailExtension,
    effect: 'set',
    summary: 'Change a voicemail extension',
    section,
  },
  'voicemail-extensions.delete': {
    verbs: ['DELETE'],
    path,
    params,
    result: statusAnswer,
    effect: 'set',
    summary: 'Delete a voicemail extension',
    warning: CANNOT_BE_UNDONE,
    section,
  },
});
