export type Random = ReturnType<typeof createRandom>;

/**
 * A seeded random stream: one seed yields the same world on every machine. mulberry32 (public domain, Tommy Ettinger):
 * 32 bits of state suffice for a fictional world.
 */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** 0 (inclusive) to 1 (exclusive). */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  /** A whole number between `low` and `high`, inclusive. */
  function whole(low: number, high: number): number {
    return low + Math.floor(next() * (high - low + 1));
  }
  /** Lower-case hexadecimal digits. */
  function hex(length: number): string {
    let text = '';
    while (text.length < length) text += whole(0, 15).toString(16);
    return text;
  }
  /** Decimal digits, the first not zero. */
  function digits(length: number): string {
    let text = '';
    while (text.length < length) text += whole(text === '' ? 1 : 0, 9).toString();
    return text;
  }
  return {
    next,
    whole,
    hex,
    /** A random element, evenly distributed. */
    pick: <T>(from: readonly [T, ...T[]]): T => from[whole(0, from.length - 1)] ?? from[0],
    /** True with this probability. */
    chance: (probability: number) => next() < probability,
    digits,
    /** Formatted like a version 4 UUID. */
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${whole(8, 11).toString(16)}${hex(3)}-${hex(12)}`,
  };
}
