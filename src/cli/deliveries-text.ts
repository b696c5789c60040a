/** Messages that wait or were refused as lines for people. */
import type { WaitingReport } from '../daemon/control.ts';
import { timeText, type Reader } from './time-text.ts';

/** What it is, and below it why it is still here. */
export function deliveryLine(delivery: WaitingReport, reader: Reader): string {
  const { id, receiver, state, alert, title, kinds, promised_at: at, reason } = delivery;
  const about = `${alert === null ? '' : `#${alert} `}${title} (${kinds.join(', ')})`;
  const why = reason === null ? '' : `\n          ${reason}`;
  const standing = state === 'removed' ? 'receiver removed' : state;
  return `${id.slice(0, 8)}  ${receiver}  ${standing}, promised ${timeText(at, reader)}  ${about}${why}`;
}
