/** Switches of the telephone system, such as "After hours". Specification sections 2.B and 4.B, Action toggles. */
import * as z from 'zod';
import { flag, integer, nonEmptyText, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { CANNOT_BE_UNDONE, idAnswer, idParam, statusAnswer } from './common.ts';

const toggle = z.looseObject({
  id: integer('Id of the toggle.'),
  name: text('Name of the toggle.'),
  status: flag('Whether it is on.'),
});

const params = z.strictObject({ action_toggle: idParam('Id of the toggle.') });
const path = '/api/v1/pbx/action-toggles/{action_toggle}';
const section = '4.B Action toggles';

export const actionToggles = describeOperations('account', {
  'action-toggles.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/action-toggles',
    result: z.array(toggle),
    effect: 'read',
    summary: 'List the action toggles',
    section,
  },
  'action-toggles.create': {
    verbs: ['POST'],
    path: '/api/v1/pbx/action-toggles',
    body: z.strictObject({
      name: nonEmptyText('Name of the toggle.'),
      status: flag('Whether it is on; off by default.').optional(),
    }),
    result: idAnswer,
    effect: 'set',
    summary: 'Create an action toggle',
    section,
  },
  'action-toggles.show': {
    verbs: ['GET'],
    path,
    params,
    result: toggle,
    effect: 'read',
    summary: 'Show an action toggle',
    section,
  },
  'action-toggles.update': {
    verbs: ['PUT', 'PATCH'],
    path,
    params,
    body: z.strictObject({
      name: nonEmptyText('New name of the toggle.').optional(),
      status: flag('Whether it is on.').optional(),
    }),
    result: toggle,
    effect: 'set',
    summary: 'Rename an action toggle or switch it',
    section,
  },
  'action-toggles.delete': {
    verbs: ['DELETE'],
    path,
    params,
    result: statusAnswer,
    effect: 'set',
    summary: 'Delete an action toggle',
    warning: CANNOT_BE_UNDONE,
    section,
  },
});
