/** Configured hours in which a toggle should be on. */
import type { AccountConfig } from '../../config/config.ts';
import type { Hours } from '../../core/text/hours.ts';

type Expected = AccountConfig['toggles']['expect'][number];

/** One value for each, so that callers can memoise by identity. */
const hoursKnown = new WeakMap<Expected, Hours>();

/** Returns the same object for the same expectation. */
export function resolveHours(expected: Expected): Hours {
  const known = hoursKnown.get(expected);
  if (known !== undefined) return known;
  const { onDuring, except, timezone } = expected;
  const own = except.map(({ dates, onDuring: ranges }) => ({ dates, ranges }));
  const hours: Hours = { ranges: onDuring, except: own, timezone };
  hoursKnown.set(expected, hours);
  return hours;
}
