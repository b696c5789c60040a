/** Phonebooks and their items, which name callers in reports. */
import type { Random } from '../random.ts';
import { pickLandlineNumber, pickMobileNumber, pickPersonName } from './random-values.ts';

export const ITEM_NUMBERS = ['office', 'office2', 'mobile', 'home', 'other'] as const;

export type PhonebookItem = { id: number; name: string; office: string } & Record<
  Exclude<(typeof ITEM_NUMBERS)[number], 'office'>,
  string | null
>;

export interface Phonebook {
  id: number;
  name: string;
  items: PhonebookItem[];
}

export type Phonebooks = ReturnType<typeof createPhonebooks>;

/** Starts empty. */
export function createPhonebooks() {
  let phonebooks: Phonebook[] = [];
  let nextId = 71;
  let nextItemId = 9001;
  return {
    all: (): readonly Phonebook[] => phonebooks,
    byId: (id: number) => phonebooks.find((phonebook) => phonebook.id === id),
    add(name: string) {
      const id = nextId;
      nextId += 1;
      phonebooks.push({ id, name, items: [] });
      return id;
    },
    remove(gone: Phonebook) {
      phonebooks = phonebooks.filter((phonebook) => phonebook !== gone);
    },
    addItem(phonebook: Phonebook, item: Omit<PhonebookItem, 'id'>) {
      const id = nextItemId;
      nextItemId += 1;
      phonebook.items.push({ id, ...item });
      return id;
    },
    removeItem(phonebook: Phonebook, gone: PhonebookItem) {
      phonebook.items = phonebook.items.filter((item) => item !== gone);
    },
    /** Name of the first entry with this number; null for none. */
    nameOf(number: string) {
      for (const { items } of phonebooks) {
        const item = items.find((candidate) => ITEM_NUMBERS.some((field) => candidate[field] === number));
        if (item !== undefined) return item.name;
      }
      return null;
    },
  };
}

/** Two phonebooks with eight entries each. */
export function seedPhonebooks(phonebooks: Phonebooks, random: Random): void {
  for (const name of ['Customers', 'Suppliers']) {
    const phonebook = phonebooks.byId(phonebooks.add(name));
    if (phonebook === undefined) continue;
    for (let count = 0; count < 8; count += 1) {
      phonebooks.addItem(phonebook, {
        name: pickPersonName(random),
        office: pickLandlineNumber(random),
        office2: null,
        mobile: random.chance(0.7) ? pickMobileNumber(random) : null,
        home: null,
        other: null,
      });
    }
  }
}
