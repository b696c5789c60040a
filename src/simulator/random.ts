/** A seeded stream of numbers: the same seed gives the same world, on every machine. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next: () => number;
  /** A whole number from `low` to `high`, both included. */
  whole: (low: number, high: number) => number;
  /** One of the given things, each as likely as the other. */
  pick: <T>(from: readonly [T, ...T[]]) => T;
  /** True once in `1 / probability` times. */
  chance: (probability: number) => boolean;
  /** Lower-case hexadecimal digits. */
  hex: (length: number) => string;
  /** Decimal digits, the first not zero. */
  digits: (length: number) => string;
  /** The shape of a version 4 UUID. */
  uuid: () => string;
}

/** The generator is mulberry32 (public domain, Tommy Ettinger): 32 bits of state are plenty for a made-up world. */
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
    return Array.from({ length }, () => whole(0, 15).toString(16)).join('');
  }
  return {
    next,
    whole,
    hex,
    pick: (from) => from[whole(0, from.length - 1)] ?? from[0],
    chance: (probability) => next() < probability,
    digits: (length) => Array.from({ length }, (_, place) => whole(place === 0 ? 1 : 0, 9).toString()).join(''),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${whole(8, 11).toString(16)}${hex(3)}-${hex(12)}`,
  };
}
