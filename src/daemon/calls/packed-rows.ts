/** Rows in typed arrays: a column takes four or eight bytes a row, where objects and maps would take ten times as much. */

type Numbers = Int32Array | Uint32Array | Float64Array;
type NumbersOf = new (length: number) => Numbers;

/** A column grows by parts: copies to a larger one would leave their memory in pieces. */
const PART_BITS = 9;
const PART_ROWS = 1 << PART_BITS;

/** `empty`: value of rows that were never set. */
export function createColumn(kind: NumbersOf, empty = 0) {
  const parts: Numbers[] = [];
  return {
    at: (row: number) => parts[row >>> PART_BITS]?.[row % PART_ROWS] ?? empty,
    /** Rows up to this one are added as needed. */
    set(row: number, value: number) {
      while (parts.length <= row >>> PART_BITS) parts.push(new kind(PART_ROWS).fill(empty));
      const part = parts[row >>> PART_BITS];
      if (part !== undefined) part[row % PART_ROWS] = value;
    },
  };
}

const FIRST_SLOTS = 64;
/** Larger steps would leave more unused than a copy costs. */
const GROWTH = 1.5;

/** Finds rows by their hash: a table with open addressing, at most two thirds full. */
export function createRowIndex(hashOf: (row: number) => number) {
  /** Row plus one; 0 is free. */
  let slots = new Int32Array(FIRST_SLOTS);
  let used = 0;

  function insert(row: number): void {
    let slot = hashOf(row) % slots.length;
    while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
    slots[slot] = row + 1;
  }

  return {
    /** -1 if there is none. */
    find(hash: number, isMeant: (row: number) => boolean) {
      let slot = hash % slots.length;
      for (let found = slots[slot] ?? 0; found !== 0; found = slots[slot] ?? 0) {
        if (isMeant(found - 1)) return found - 1;
        slot = (slot + 1) % slots.length;
      }
      return -1;
    },
    add(row: number) {
      if (3 * (used + 1) > 2 * slots.length) {
        const before = slots;
        slots = new Int32Array(Math.ceil(before.length * GROWTH));
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
export function createPackedTexts() {
  const ends = createColumn(Uint32Array);
  const hashes = createColumn(Uint32Array);
  const index = createRowIndex((row) => hashes.at(row));
  let bytes = Buffer.alloc(0);
  /** The text that is sought. */
  let wanted = Buffer.alloc(0);
  let size = 0;

  const startOf = (row: number): number => (row === 0 ? 0 : ends.at(row - 1));

  function want(text: string): { length: number; hash: number } {
    const most = 3 * text.length;
    if (most > wanted.length) wanted = Buffer.alloc(most);
    const length = wanted.write(text);
    return { length, hash: hashBytes(wanted, length) };
  }

  function findWanted({ length, hash }: { length: number; hash: number }): number {
    return index.find(
      hash,
      (row) => hashes.at(row) === hash && wanted.compare(bytes, startOf(row), ends.at(row), 0, length) === 0,
    );
  }

  return {
    /** Row of the text, which is added if it is new. */
    add(text: string) {
      const { length, hash } = want(text);
      const known = findWanted({ length, hash });
      if (known >= 0) return known;
      const [row, start] = [size, startOf(size)];
      if (start + length > bytes.length) {
        const larger = Buffer.alloc(Math.max(start + length, Math.ceil(bytes.length * GROWTH)));
        bytes.copy(larger);
        bytes = larger;
      }
      wanted.copy(bytes, start, 0, length);
      ends.set(row, start + length);
      hashes.set(row, hash);
      index.add(row);
      size += 1;
      return row;
    },
    /** -1 if there is none. */
    find: (text: string) => findWanted(want(text)),
    at: (row: number) => bytes.toString('utf8', startOf(row), ends.at(row)),
  };
}

/** FNV-1a; not negative. */
function hashBytes(bytes: Buffer, length: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}
