/** Rows in typed arrays: a column takes four or eight bytes a row, where objects and maps would take ten times as much. */

type Numbers = Int32Array | Uint32Array | Float64Array;
type NumbersOf = new (length: number) => Numbers;

const FIRST_ROWS = 64;
/** Larger steps would leave more unused than a copy costs. */
const GROWTH = 1.25;

export interface Column {
  at(row: number): number;
  /** Rows up to this one are added as needed. */
  set(row: number, value: number): void;
}

/** `empty`: value of rows that were never set. */
export function createColumn(kind: NumbersOf, empty = 0): Column {
  let values = new kind(0);
  return {
    at: (row) => values[row] ?? empty,
    set(row, value) {
      if (row >= values.length) {
        const larger = new kind(Math.max(FIRST_ROWS, row + 1, Math.ceil(values.length * GROWTH)));
        larger.set(values);
        larger.fill(empty, values.length);
        values = larger;
      }
      values[row] = value;
    },
  };
}

/** Finds rows by their hash: a table with open addressing, at most two thirds full. */
export interface RowIndex {
  /** -1 if there is none. */
  find(hash: number, isMeant: (row: number) => boolean): number;
  add(row: number): void;
}

export function createRowIndex(hashOf: (row: number) => number): RowIndex {
  /** Row plus one; 0 is free. */
  let slots = new Int32Array(FIRST_ROWS);
  let used = 0;

  function insert(row: number): void {
    let slot = hashOf(row) % slots.length;
    while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
    slots[slot] = row + 1;
  }

  return {
    find(hash, isMeant) {
      let slot = hash % slots.length;
      for (let found = slots[slot] ?? 0; found !== 0; found = slots[slot] ?? 0) {
        if (isMeant(found - 1)) return found - 1;
        slot = (slot + 1) % slots.length;
      }
      return -1;
    },
    add(row) {
      if (3 * (used + 1) > 2 * slots.length) {
        const before = slots;
        slots = new Int32Array(Math.ceil(before.length * 1.5));
        for (const one of before) if (one !== 0) insert(one - 1);
      }
      insert(row);
      used += 1;
    },
  };
}

/** Mixes a number well enough for a table; not negative. */
export function hashNumber(value: number): number {
  const mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Different short texts, such as ids, as bytes one after the other. */
export interface PackedTexts {
  readonly size: number;
  /** Row of the text, which is added if it is new. */
  add(text: string): number;
  /** -1 if there is none. */
  find(text: string): number;
  at(row: number): string;
}

export function createPackedTexts(): PackedTexts {
  const ends = createColumn(Uint32Array);
  const hashes = createColumn(Uint32Array);
  const index = createRowIndex((row) => hashes.at(row));
  let bytes = Buffer.alloc(0);
  let size = 0;

  const startOf = (row: number): number => (row === 0 ? 0 : ends.at(row - 1));
  const findBytes = (wanted: Buffer, hash: number): number =>
    index.find(hash, (row) => hashes.at(row) === hash && wanted.compare(bytes, startOf(row), ends.at(row)) === 0);

  return {
    get size() {
      return size;
    },
    add(text) {
      const wanted = Buffer.from(text);
      const hash = hashBytes(wanted);
      const known = findBytes(wanted, hash);
      if (known >= 0) return known;
      const [row, start] = [size, startOf(size)];
      const end = start + wanted.length;
      if (end > bytes.length) {
        const larger = Buffer.alloc(Math.max(FIRST_ROWS, end, Math.ceil(bytes.length * GROWTH)));
        bytes.copy(larger);
        bytes = larger;
      }
      wanted.copy(bytes, start);
      ends.set(row, end);
      hashes.set(row, hash);
      index.add(row);
      size += 1;
      return row;
    },
    find(text) {
      const wanted = Buffer.from(text);
      return findBytes(wanted, hashBytes(wanted));
    },
    at: (row) => bytes.toString('utf8', startOf(row), ends.at(row)),
  };
}

/** FNV-1a; not negative. */
function hashBytes(bytes: Buffer): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
