/** The entries of a phonebook. Specification sections 2.B and 4.B, Phonebook items. */
import * as z from 'zod';
import { integer, nonEmptyText, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { CANNOT_BE_UNDONE, idAnswer, idParam, statusAnswer } from './common.ts';

const item = z.looseObject({
  id: integer('Id of the entry.'),
  name: text('Name.'),
  office: text('Office number.'),
  office2: text('Second office number.').nullable(),
  mobile: text('Mobile number.').nullable(),
  home: text('Home number.').nullable(),
  other: text('Other number.').nullable(),
});

const numbers = {
  office: text('Office number.').optional(),
  office2: text('Second office number.').optional(),
  mobile: text('Mobile number.').optional(),
  home: text('Home number.').optional(),
  other: text('Other number.').optional(),
};

/** Numbers that may be null (section 2.B): null clears them. */
const changedNumbers = {
  ...numbers,
  office2: numbers.office2.nullable(),
  mobile: numbers.mobile.nullable(),
  home: numbers.home.nullable(),
  other: numbers.other.nullable(),
};

const ofPhonebook = { phonebook_id: idParam('Id of the phonebook.') };
const params = z.strictObject({ ...ofPhonebook, item: idParam('Id of the entry.') });
const path = '/api/v1/pbx/phonebook/{phonebook_id}/items/{item}';
const section = '4.B Phonebook items';

export const phonebookItems = describeOperations('account', {
  'phonebook.items.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/phonebook/{phonebook_id}/items',
    params: z.strictObject(ofPhonebook),
    result: z.array(item),
    effect: 'read',
    summary: 'List the entries of a phonebook',
    section,
  },
  'phonebook.items.create': {
    verbs: ['POST'],
    path: '/api/v1/pbx/phonebook/{phonebook_id}/items',
    params: z.strictObject(ofPhonebook),
    body: z.strictObject({ name: nonEmptyText('Name.'), ...numbers }),
    result: idAnswer,
    effect: 'set',
    summary: 'Add an entry to a phonebook',
    section,
  },
  'phonebook.items.show': {
    verbs: ['GET'],
    path,
    params,
    result: item,
    effect: 'read',
    summary: 'Show an entry of a phonebook',
    section,
  },
  'phonebook.items.update': {
    verbs: ['PUT', 'PATCH'],
    path,
    params,
    body: z.strictObject({ name: nonEmptyText('Name.').optional(), ...changedNumbers }),
    result: z.looseObject({ status: text('What became of the request.'), id: text('Id of the entry.') }),
    effect: 'set',
    summary: 'Change an entry of a phonebook',
    section,
  },
  'phonebook.items.delete': {
    verbs: ['DELETE'],
    path,
    params,
    result: statusAnswer,
    effect: 'set',
    summary: 'Delete an entry of a phonebook',
    warning: CANNOT_BE_UNDONE,
    section,
  },
});
