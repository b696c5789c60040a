/** What is open and what is over, each alert once, however many sources take part in it. */
import type { Alert } from '../alert/record.ts';
import { wholes, type Whole } from '../alert/whole.ts';
import { DAY } from '../text/duration.ts';

export interface OpenAndEnded {
  open: Whole[];
  /** Those of the last 24 hours. */
  ended: (Whole & { resolvedAt: number })[];
}

/** `alerts` of all sources, in any order, which is kept; `now` in epoch milliseconds. */
export function openAndEnded(alerts: readonly Alert[], now: number): OpenAndEnded {
  const all = wholes(alerts);
  return {
    open: all.filter(({ status }) => status === 'open'),
    ended: all.flatMap((whole) => {
      const { resolvedAt } = whole;
      return resolvedAt === null || now - resolvedAt > DAY ? [] : [{ ...whole, resolvedAt }];
    }),
  };
}
