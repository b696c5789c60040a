import type { phonebookItems } from '../../../provider/catalogue/phonebook-items.ts';
import type { phonebooks } from '../../../provider/catalogue/phonebooks.ts';
import type { Answers, ApiCall, RawReply } from '../../simulated-reply.ts';
import type { Phonebook, PhonebookItem } from '../phonebooks.ts';
import { refuseMissingRecord } from '../refusal.ts';
import { type WorldOf, omitUndefined } from './world-of.ts';

/** 404 for an unknown id. */
export function createPhonebookAnswers(worldOf: WorldOf): Answers<typeof phonebooks & typeof phonebookItems> {
  function withPhonebook<T>(call: ApiCall, id: number, answer: (phonebook: Phonebook) => T): T | RawReply {
    const phonebook = worldOf(call).phonebooks.byId(id);
    return phonebook === undefined ? refuseMissingRecord('Phonebook', id) : answer(phonebook);
  }
  function withItem<T>(
    call: ApiCall,
    { phonebook_id: phonebookId, item: id }: { phonebook_id: number; item: number },
    answer: (item: PhonebookItem, phonebook: Phonebook) => T,
  ): T | RawReply {
    return withPhonebook(call, phonebookId, (phonebook) => {
      const item = phonebook.items.find((candidate) => candidate.id === id);
      return item === undefined ? refuseMissingRecord('PhonebookItem', id) : answer(item, phonebook);
    });
  }
  return {
    'phonebook.list': (_input, call) =>
      worldOf(call)
        .phonebooks.all()
        .map(({ id, name }) => ({ id, name })),
    'phonebook.create': ({ name }, call) => ({ id: worldOf(call).phonebooks.add(name) }),
    'phonebook.show': ({ phonebook }, call) => withPhonebook(call, phonebook, ({ id, name }) => ({ id, name })),
    'phonebook.update': ({ phonebook: id, name }, call) =>
      withPhonebook(call, id, (phonebook) => {
        phonebook.name = name ?? phonebook.name;
        return `The phonebook is now called ${phonebook.name}.`;
      }),
    'phonebook.delete': ({ phonebook: id }, call) =>
      withPhonebook(call, id, (phonebook) => {
        worldOf(call).phonebooks.remove(phonebook);
        return { status: 'success' };
      }),
    'phonebook.items.list': ({ phonebook_id: id }, call) => withPhonebook(call, id, ({ items }) => items),
    'phonebook.items.create': ({ phonebook_id: id, name, office = '', office2, mobile, home, other }, call) =>
      withPhonebook(call, id, (phonebook) => ({
        id: worldOf(call).phonebooks.addItem(phonebook, {
          name,
          office,
          office2: office2 ?? null,
          mobile: mobile ?? null,
          home: home ?? null,
          other: other ?? null,
        }),
      })),
    'phonebook.items.show': (input, call) => withItem(call, input, (item) => item),
    'phonebook.items.update': (input, call) =>
      withItem(call, input, (item) => {
        const { phonebook_id: _path, item: _id, ...changes } = input;
        Object.assign(item, omitUndefined(changes));
        return { status: 'success', id: String(item.id) };
      }),
    'phonebook.items.delete': (input, call) =>
      withItem(call, input, (item, phonebook) => {
        worldOf(call).phonebooks.removeItem(phonebook, item);
        return { status: 'success' };
      }),
  };
}
