/**
 * Rate limit of one receiver: a minimum interval between messages and a maximum for each of the medium's windows.
 * Nothing is dropped: excess messages wait, and alerts share messages before the medium throttles.
 */
import { findMaximum, findMinimum } from '../transition/collections.ts';

/** At most `most` messages within a time. */
export interface BudgetWindow {
  most: number;
  withinMs: number;
}

export type Budget = ReturnType<typeof createBudget>;

/** Once this share of a window is used, the rest is spread until its first message leaves it. */
const SPREAD_FROM = 1 / 3;
/** Alerts share messages if they would take more than this share of the remaining window. */
const SHARE_FROM = 1 / 2;

export function createBudget(intervalMs: number, windows: readonly BudgetWindow[]) {
  let last = -Infinity;
  let spent: number[] = [];
  const longest = findMaximum([0, ...windows.map(({ withinMs }) => withinMs)]);

  function listUsed({ withinMs }: BudgetWindow, at: number): number[] {
    return spent.filter((time) => time > at - withinMs);
  }

  function computePause(window: BudgetWindow, at: number): number {
    const used = listUsed(window, at);
    const [oldest = at] = used;
    const frees = oldest + window.withinMs;
    const left = window.most - used.length;
    if (left <= 0) return frees - at;
    return used.length < window.most * SPREAD_FROM ? 0 : last + (frees - last) / (left + 1) - at;
  }

  return {
    /** Counts a message that is sent. Times are those of a monotonic clock. */
    spend(at: number) {
      last = at;
      if (windows.length > 0) spent = [...spent.filter((time) => time > at - longest), at];
    },
    /** Time until the next message may be sent; 0 or less for now. */
    pauseMs: (at: number) =>
      findMaximum([last + intervalMs - at, ...windows.map((window) => computePause(window, at))]),
    /** If more alerts than this wait, they share messages. */
    foldAbove: (at: number) =>
      findMinimum([
        Infinity,
        ...windows.map((window) => {
          const used = listUsed(window, at).length;
          // One message a minute for each alert would fall behind.
          return used < window.most * SPREAD_FROM ? (window.most - used) * SHARE_FROM : 1;
        }),
      ]),
  };
}
