/** Chance that comes out the same for the same seed, and in parts that do not disturb each other. */

export interface Dice {
  /** From 0 to below 1. */
  next(): number;
  /** Both ends are possible. */
  int(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
  /** So many of them, in chance order. */
  sample<T>(list: readonly T[], count: number): T[];
}

export function dice(seed: number): Dice {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));

  function pick<T>(list: readonly T[]): T {
    const found = list[int(0, list.length - 1)];
    if (found === undefined) throw new Error('there is nothing to pick from');
    return found;
  }

  function sample<T>(list: readonly T[], count: number): T[] {
    const left = [...list];
    return Array.from({ length: Math.min(count, left.length) }, () => {
      const [taken] = left.splice(int(0, left.length - 1), 1);
      return taken as T;
    });
  }

  // The first numbers of neighbouring seeds are alike.
  for (let warm = 0; warm < 4; warm += 1) next();
  return { next, int, pick, chance: (share) => next() < share, sample };
}
