/** Action toggles: named switches that dialplans look at. */
import { SimulatorError } from '../simulator-error.ts';

export interface ToggleRecord {
  id: number;
  name: string;
  /** A boolean, or whatever a test put there: the interface is known to write it in several ways. */
  status: unknown;
}

export interface ToggleBook {
  all: () => readonly ToggleRecord[];
  byId: (id: number) => ToggleRecord | undefined;
  /** By id or by name, the first of that name. Throws a `SimulatorError` where there is none. */
  get: (key: number | string) => ToggleRecord;
  add: (name: string, status: boolean) => number;
  remove: (toggle: ToggleRecord) => void;
}

/** With four toggles. `get` throws `SimulatorError` for a toggle there is none of. */
export function createToggleBook(): ToggleBook {
  let toggles: ToggleRecord[] = [];
  let nextId = 301;
  const book: ToggleBook = {
    all: () => toggles,
    byId: (id) => toggles.find((toggle) => toggle.id === id),
    get(key) {
      const found = toggles.find((toggle) => toggle.id === key || toggle.name === key);
      if (found === undefined) throw new SimulatorError(`There is no toggle ${JSON.stringify(key)}.`);
      return found;
    },
    add(name, status) {
      const id = nextId;
      nextId += 1;
      toggles.push({ id, name, status });
      return id;
    },
    remove(gone) {
      toggles = toggles.filter((toggle) => toggle !== gone);
    },
  };
  book.add('After hours', false);
  book.add('Public holiday', false);
  book.add('Emergency redirect', false);
  book.add('Play delay message', true);
  return book;
}
