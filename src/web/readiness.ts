/** Whether Linewatch can do its work now: it reads every source, reaches every receiver and can save its state. */
import { oneLine, plural } from '../core/text/plain.ts';
import { span } from '../core/wording/time.ts';
import type { Overview, ReceiverView, SourceView } from '../core/view/overview.ts';
import { MINUTE } from '../core/text/duration.ts';

/** A receiver that fails this long is stuck, though it may yet recover by itself. */
export const STUCK_AFTER_MS = 10 * MINUTE;

/** What keeps it from being ready, a sentence each; none when it is ready. */
export function notReady(overview: Overview): string[] {
  return [
    ...overview.sources.flatMap(unread),
    ...overview.receivers.flatMap((receiver) => stuck(receiver, overview.now)),
    ...overview.unsaved.map(
      (document) => `state of ${oneLine(document)}: it cannot be saved; alerts go out from memory`,
    ),
  ];
}

function unread({ name, lastReadAt, unreadMs, unreadAfterMs, blind }: SourceView): string[] {
  if (lastReadAt !== null && unreadMs <= unreadAfterMs) return [];
  const why = blind.length === 0 ? '' : `: ${oneLine(blind.join('; '))}`;
  if (lastReadAt === null) return [`source ${name}: not read in full since the start${why}`];
  return [`source ${name}: last read in full ${span(unreadMs)} ago, and ${span(unreadAfterMs)} is the limit${why}`];
}

function stuck({ name, failing, refused, refusal }: ReceiverView, now: number): string[] {
  if (refused > 0) {
    return [
      `receiver ${name}: refused ${plural(refused, 'message')}${refusal === null ? '' : `: ${oneLine(refusal)}`}`,
    ];
  }
  if (failing === null || now - failing.since <= STUCK_AFTER_MS) return [];
  return [`receiver ${name}: failing for ${span(now - failing.since)}: ${oneLine(failing.reason)}`];
}
