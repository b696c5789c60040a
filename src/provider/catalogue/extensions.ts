/** Extensions: the telephones of the account. Specification sections 2.B, 4.B and 8, Extensions. */
import * as z from 'zod';
import {
  digits,
  digitsAnswer,
  digitsLike,
  flag,
  integer,
  mailAddresses,
  oneOrZero,
  secret,
  nonEmptyText,
  stateText,
  text,
  untyped,
  voicemailCode,
  zone,
} from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { CANNOT_BE_UNDONE, idParam, statusAnswer } from './common.ts';

export const AGENT_STATUSES = ['Available', 'Logged Out', 'On Break'] as const;
const TOLLS = ['australia_directory', 'australia_local', 'australia_mobile', 'international'] as const;
/** Specification section 8. */
const AGENT_SECONDS_MINIMUM = 5;

const extension = z.looseObject({
  id: integer('Id of the extension.'),
  user_id: text('The extension number.'),
  name: text('Friendly name.'),
  customer_location_id: integer('Id of its location.'),
  emergency_dial_number: text('Number dialled for emergency access.'),
  caller_id: digitsAnswer('Number shown on outbound calls.').nullable(),
  area_code: text('Area code including country code.'),
  storage_hold_music_id: integer('Hold music.').nullable(),
  timezone: text('Zone the extension belongs to.'),
  voicemail: oneOrZero('Voicemail.'),
  vm_password: secret(text('4-digit voicemail code.')),
  vm_no_pin: oneOrZero('Voicemail without a password.'),
  vm_delay: integer('Wait before an internal call goes to voicemail.'),
  vm_set_read: oneOrZero('Messages are marked as read and not announced.'),
  outbound_recording: untyped('Outbound recording.'),
  whisper_announcement_id: integer('Announcement played when an outbound call is answered.').nullable(),
  ndlb: untyped('Compatibility switch for registration trouble.'),
  network: text('External address the extension is locked to.').nullable(),
  netmask: text('Netmask of that address.').nullable(),
  agent_mode: oneOrZero('Agent mode for skillsets.'),
  agent_status: stateText(AGENT_STATUSES, 'Status of the agent.').nullable(),
  agent_wrap_time: integer('Seconds before the next call.').nullable(),
  agent_call_timeout: integer('Seconds the agent is rung.').nullable(),
  agent_busy_delay_time: integer('Seconds before a busy agent is tried again.').nullable(),
  internal_alert_info: text('Alert text of internal calls.').nullable(),
  group_name: text('Group the extension is linked to.'),
  tolls: z.array(z.string()).meta({ description: 'Dial categories that are allowed.' }),
  voicemail_emails: z.array(z.string()).meta({ description: 'Addresses that receive voicemail messages.' }),
});

const listedExtension = extension.extend({
  agent_uuid: text('Id of the agent; in lists only.').nullable().optional(),
});

const seconds = (description: string): z.ZodInt =>
  z
    .int()
    .min(AGENT_SECONDS_MINIMUM, `must be at least ${AGENT_SECONDS_MINIMUM} seconds`)
    .meta({ description: `${description} At least 5; 10 is recommended.` });

const requiredFields = {
  name: nonEmptyText('Friendly name.'),
  area_code: digits('Area code including country code.'),
  timezone: zone('Zone the extension belongs to.'),
  customer_location_id: integer("Id of a location managed in the provider's dashboard."),
  emergency_dial_number: digitsLike(
    /^000$/,
    'must be 000',
    'Number dialled for emergency access; only 000 is accepted.',
  ),
  password: secret(nonEmptyText('Password of the extension.')),
  user_id: digits('The extension number.'),
};

const optionalFields = {
  voicemail: flag('Voicemail.'),
  vm_password: voicemailCode(),
  vm_delay: z
    .int()
    .min(0, 'must not be negative')
    .meta({ description: 'Wait before a call goes to voicemail; internal calls only.' }),
  caller_id: digits('Number shown on outbound calls; must be a number of the account.'),
  storage_hold_music_id: integer('Hold music; 1 is the default of the system.'),
  voicemail_emails: mailAddresses('Addresses that receive voicemail messages.'),
  vm_no_pin: flag('Reach voicemail without a password.'),
  vm_set_read: flag('Mark messages as read and do not announce them.'),
  outbound_recording: flag('Record outbound calls.'),
  whisper_announcement_id: integer('Announcement played when an outbound call is answered.'),
  ndlb: flag('Compatibility switch for registration trouble, normally off.'),
  network: text('External address the extension is locked to for authentication.'),
  netmask: text('Netmask of that address.'),
  agent_mode: flag('Agent mode for skillsets.'),
  agent_status: z.enum(AGENT_STATUSES).meta({ description: 'Status of the agent.' }),
  agent_wrap_time: seconds('Seconds before the next call.'),
  agent_call_timeout: z
    .int()
    .min(0, 'must not be negative')
    .meta({ description: 'Seconds the agent is rung; 10 is recommended.' }),
  agent_busy_delay_time: seconds('Seconds before a busy or do-not-disturb agent is tried again.'),
  internal_alert_info: text('Alert text of internal calls; some desk phones choose a ring by info=Ring.'),
  group_name: text('Group the extension is linked to.'),
  tolls: z.array(z.enum(TOLLS)).meta({ description: 'Dial categories that are allowed.' }),
};

/** Fields that may be null (section 2.B): null clears them. */
const clearedFields = {
  caller_id: optionalFields.caller_id.nullable(),
  storage_hold_music_id: optionalFields.storage_hold_music_id.nullable(),
  outbound_recording: optionalFields.outbound_recording.nullable(),
  whisper_announcement_id: optionalFields.whisper_announcement_id.nullable(),
  ndlb: optionalFields.ndlb.nullable(),
  network: optionalFields.network.nullable(),
  netmask: optionalFields.netmask.nullable(),
  agent_status: optionalFields.agent_status.nullable(),
  agent_wrap_time: optionalFields.agent_wrap_time.nullable(),
  agent_call_timeout: optionalFields.agent_call_timeout.nullable(),
  agent_busy_delay_time: optionalFields.agent_busy_delay_time.nullable(),
  internal_alert_info: optionalFields.internal_alert_info.nullable(),
};

const changes = z.strictObject({ ...requiredFields, ...optionalFields, ...clearedFields }).partial();
const creation = z.strictObject({ ...requiredFields, ...z.strictObject(optionalFields).partial().shape });

const params = z.strictObject({ extension: idParam('Id of the extension.') });
const path = '/api/v1/pbx/extensions/{extension}';
const idOfExtension = z.looseObject({ extension_id: integer('Id of the extension.') });
const section = '4.B Extensions';

export const extensions = describeOperations('account', {
  'extensions.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/extensions',
    result: z.array(listedExtension),
    effect: 'read',
    summary: 'List the extensions',
    section,
  },
  'extensions.create': {
    verbs: ['POST'],
    path: '/api/v1/pbx/extensions',
    body: creation,
    result: idOfExtension,
    effect: 'set',
    summary: 'Create an extension',
    section,
  },
  'extensions.show': {
    verbs: ['GET'],
    path,
    params,
    result: extension,
    effect: 'read',
    summary: 'Show an extension',
    section,
  },
  'extensions.update': {
    verbs: ['PUT', 'PATCH'],
    path,
    params,
    body: changes,
    result: idOfExtension,
    effect: 'set',
    summary: 'Change an extension, its voicemail or its agent status',
    section,
  },
  'extensions.delete': {
    verbs: ['DELETE'],
    path,
    params,
    result: statusAnswer,
    effect: 'set',
    summary: 'Delete an extension',
    warning: CANNOT_BE_UNDONE,
    section,
  },
});
