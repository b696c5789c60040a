/** The digest of a morning: what is open, what ended since yesterday, and the sign of life itself. */
import { plural } from '../text/plain.ts';
import { span, when, windowText } from '../wording/time.ts';
import { isLate, type OpenAlert, type Picture, type ReceiverView, type SourceView } from './picture.ts';

/** `timezone`: of those who read it. */
export function composeDigest(
  { now, sources, open, ended, receivers }: Picture,
  timezone: string,
): { what: string; reason: string } {
  const lines = [
    ...open.map((alert) => `Open: ${named(alert)}, since ${when(alert.startedAt, timezone, now)}`),
    ...ended.map((alert) => `Ended: ${named(alert)}, ${windowText(alert.startedAt, alert.endedAt, timezone, now)}`),
    ...sources.filter(isLate).map(unread),
    ...waitingFor(receivers),
  ];
  const what =
    `daily digest — watching ${plural(sources.length, 'source')}, ` +
    `${open.length === 0 ? 'nothing' : open.length} open, ${ended.length === 0 ? 'nothing' : ended.length} ended in 24 hours`;
  return { what, reason: lines.join('\n') };
}

function named({
  number,
  severity,
  title,
  sources,
}: Pick<OpenAlert, 'number' | 'severity' | 'title' | 'sources'>): string {
  return `#${number} ${severity}: ${title} (${sources.join(', ')})`;
}

function unread({ name, lastReadAt, unreadMs }: SourceView): string {
  return lastReadAt === null
    ? `Not read in full since the start: ${name}`
    : `Not read in full for ${span(unreadMs)}: ${name}`;
}

/** The receivers that are still there take what waits as soon as they can; the others need the operator. */
function waitingFor(receivers: readonly ReceiverView[]): string[] {
  const waiting = receivers.reduce((sum, receiver) => sum + (receiver.isRemoved ? 0 : receiver.waiting), 0);
  return [
    ...(waiting === 0 ? [] : [`${waits(waiting)} to be delivered`]),
    ...receivers.flatMap(({ name, isRemoved, waiting: left, refused }) => [
      ...(isRemoved && left > 0 ? [`${waits(left)} for ${name}, which is no longer configured`] : []),
      ...(refused === 0 ? [] : [`${plural(refused, 'message was', 'messages were')} refused for good by ${name}`]),
    ]),
  ];
}

function waits(count: number): string {
  return plural(count, 'message waits', 'messages wait');
}
