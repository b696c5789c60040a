/** Silences as lines for people. */
import { oneLine } from '../core/text/plain.ts';
import { instant, windowText } from '../core/wording/time.ts';
import type { SilenceReport } from '../daemon/control.ts';
import type { Reader } from './time-text.ts';

/** `3f2a91bc  active  Tue 24 Mar 14:43–16:43 AEDT  source=provider  “carrier works”`. */
export function silenceLine(silence: SilenceReport, { timezone, now }: Reader): string {
  const { id, state, from, until, matchers, comment } = silence;
  const window = windowText(instant(from), instant(until), timezone, now);
  const what = Object.entries(matchers).map(([key, values]) => `${key}=${values.join(',')}`);
  return `${id}  ${state}  ${window}  ${oneLine(what.join(' and '))}${comment === '' ? '' : `  “${oneLine(comment)}”`}`;
}
