/** When a toggle should be on, as the configuration says. */
import type { AccountConfig } from '../../config/config.ts';
import type { Hours } from '../../core/text/hours.ts';

type Expected = AccountConfig['toggles']['expect'][number];

/** One value for each, as whoever asks again and again remembers what it found. */
const hoursKnown = new WeakMap<Expected, Hours>();

/** The same object for the same expectation, however often it is asked for. */
export function hoursOf(expected: Expected): Hours {
  const known = hoursKnown.get(expected);
  if (known !== undefined) return known;
  const { onDuring, except, timezone } = expected;
  const own = except.map(({ dates, onDuring: ranges }) => ({ dates, ranges }));
  const hours: Hours = { ranges: onDuring, except: own, timezone };
  hoursKnown.set(expected, hours);
  return hours;
}
