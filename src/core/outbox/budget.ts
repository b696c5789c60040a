/**
 * The pace of one receiver: the least time between two messages, and the most in each of the medium's windows. Nothing is
 * dropped: what would be too much waits, and several alerts share one message before the medium throttles.
 */
import { findMaximum, findMinimum } from '../transition/collections.ts';

/** At most so many messages within a time. */
export interface Window {
  most: number;
  withinMs: number;
}

export interface Budget {
  /** A sending begins. Times are those of a monotonic clock. */
  spend(at: number): void;
  /** The time until the next sending may begin; 0 or less for now. */
  pauseMs(at: number): number;
  /** Where more alerts than this wait, they share messages. */
  foldAbove(at: number): number;
}

/** Once a third of a window is used, what is left of it is spread until its first message leaves it. */
const SPREAD_FROM = 1 / 3;
/** Alerts share messages where they would take more than half of what is left. */
const SHARE_FROM = 1 / 2;

export function createBudget(intervalMs: number, windows: readonly Window[]): Budget {
  let last = -Infinity;
  let spent: number[] = [];
  const longest = findMaximum([0, ...windows.map(({ withinMs }) => withinMs)]);

  function usedIn({ withinMs }: Window, at: number): number[] {
    return spent.filter((time) => time > at - withinMs);
  }

  function pauseIn(window: Window, at: number): number {
    const used = usedIn(window, at);
    const [oldest = at] = used;
    const frees = oldest + window.withinMs;
    const left = window.most - used.length;
    if (left <= 0) return frees - at;
    return used.length < window.most * SPREAD_FROM ? 0 : last + (frees - last) / (left + 1) - at;
  }

  return {
    spend(at) {
      last = at;
      if (windows.length > 0) spent = [...spent.filter((time) => time > at - longest), at];
    },
    pauseMs: (at) => findMaximum([last + intervalMs - at, ...windows.map((window) => pauseIn(window, at))]),
    foldAbove: (at) =>
      findMinimum([
        Infinity,
        ...windows.map((window) => {
          const used = usedIn(window, at).length;
          // A message a minute for each alert would fall behind.
          return used < window.most * SPREAD_FROM ? (window.most - used) * SHARE_FROM : 1;
        }),
      ]),
  };
}
