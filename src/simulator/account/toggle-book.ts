/** Action toggles: named switches used by dialplans. */
import { SimulatorError } from '../simulator-error.ts';

export interface ToggleRecord {
  id: number;
  name: string;
  /** Boolean, or any value set by a test: the interface writes it in several ways. */
  status: unknown;
}

/** Starts with four toggles. */
export function createToggleBook() {
  let toggles: ToggleRecord[] = [];
  let nextId = 301;
  const book = {
    all: (): readonly ToggleRecord[] => toggles,
    byId: (id: number) => toggles.find((toggle) => toggle.id === id),
    /** By id or name, the first of that name. Throws `SimulatorError` if there is none. */
    get(key: number | string) {
      const found = toggles.find((toggle) => toggle.id === key || toggle.name === key);
      if (found === undefined) throw new SimulatorError(`There is no toggle ${JSON.stringify(key)}.`);
      return found;
    },
    add(name: string, status: boolean) {
      const id = nextId;
      nextId += 1;
      toggles.push({ id, name, status });
      return id;
    },
    remove(gone: ToggleRecord) {
      toggles = toggles.filter((toggle) => toggle !== gone);
    },
  };
  book.add('After hours', false);
  book.add('Public holiday', false);
  book.add('Emergency redirect', false);
  book.add('Play delay message', true);
  return book;
}
