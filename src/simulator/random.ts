/** A seeded random stream: one seed yields the same world on every machine. */
export interface Random {
  /** 0 (inclusive) to 1 (exclusive). */
  next: () => number;
  /** A whole number between `low` and `high`, inclusive. */
  whole: (low: number, high: number) => number;
  /** A random element, evenly distributed. */
  pick: <T>(from: readonly [T, ...T[]]) => T;
  /** True with this probability. */
  chance: (probability: number) => boolean;
  /** Lower-case hexadecimal digits. */
  hex: (length: number) => string;
  /** Decimal digits, the first not zero. */
  digits: (length: number) => string;
  /** Formatted like a version 4 UUID. */
  uuid: () => string;
}

/** mulberry32 (public domain, Tommy Ettinger): 32 bits of state suffice for a fictional world. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  function whole(low: number, high: number): number {
    return low + Math.floor(next() * (high - low + 1));
  }
  function hex(length: number): string {
    let text = '';
    while (text.length < length) text += whole(0, 15).toString(16);
    return text;
  }
  function digits(length: number): string {
    let text = '';
    while (text.length < length) text += whole(text === '' ? 1 : 0, 9).toString();
    return text;
  }
  return {
    next,
    whole,
    hex,
    pick: (from) => from[whole(0, from.length - 1)] ?? from[0],
    chance: (probability) => next() < probability,
    digits,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${whole(8, 11).toString(16)}${hex(3)}-${hex(12)}`,
  };
}
