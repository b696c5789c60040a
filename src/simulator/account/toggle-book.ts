/** Action toggles: named switches used by dialplans. */
import { SimulatorError } from '../simulator-error.ts';

export interface ToggleRecord {
  id: number;
  name: string;
  /** Boolean, or any value set by a test: the interface writes it in several ways. */
  status: unknown;
}

export interface ToggleBook {
  all: () => readonly ToggleRecord[];
  byId: (id: number) => ToggleRecord | undefined;
  /** By id or name, the first of that name. Throws `SimulatorError` if there is none. */
  get: (key: number | string) => ToggleRecord;
  add: (name: string, status: boolean) => number;
  remove: (toggle: ToggleRecord) => void;
}

/** Starts with four toggles. `get` throws `SimulatorError` for an unknown toggle. */
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
