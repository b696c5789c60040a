/** Phonebooks. Specification sections 2.B and 4.B, Phonebooks. */
import * as z from 'zod';
import { integer, nonEmptyText, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { CANNOT_BE_UNDONE, idAnswer, idParam, statusAnswer } from './common.ts';

const phonebook = z.looseObject({ id: integer('Id of the phonebook.'), name: text('Name of the phonebook.') });
const params = z.strictObject({ phonebook: idParam('Id of the phonebook.') });
const path = '/api/v1/pbx/phonebook/{phonebook}';
const section = '4.B Phonebooks';

export const phonebooks = describeOperations('account', {
  'phonebook.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/phonebook',
    result: z.array(phonebook),
    effect: 'read',
    summary: 'List the phonebooks',
    section,
  },
  'phonebook.create': {
    verbs: ['POST'],
    path: '/api/v1/pbx/phonebook',
    body: z.strictObject({ name: nonEmptyText('Name of the phonebook.') }),
    result: idAnswer,
    effect: 'set',
    summary: 'Create a phonebook',
    section,
  },
  'phonebook.show': {
    verbs: ['GET'],
    path,
    params,
    result: phonebook,
    effect: 'read',
    summary: 'Show a phonebook',
    section,
  },
  'phonebook.update': {
    verbs: ['PUT', 'PATCH'],
    path,
    params,
    body: z.strictObject({ name: nonEmptyText('New name of the phonebook.').optional() }),
    result: text('A sentence that confirms the new name.'),
    effect: 'set',
    summary: 'Rename a phonebook',
    section,
  },
  'phonebook.delete': {
    verbs: ['DELETE'],
    path,
    params,
    result: statusAnswer,
    effect: 'set',
    summary: 'Delete a phonebook',
    warning: CANNOT_BE_UNDONE,
    section,
  },
});
