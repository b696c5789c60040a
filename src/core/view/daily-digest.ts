/** The digest of a morning: what is open, what ended since yesterday, and the sign of life itself. */
import type { Alert } from '../alert/record.ts';
import { byWeight, type Whole } from '../alert/whole.ts';
import { when, windowText } from '../wording/time.ts';
import { HOUR } from '../text/duration.ts';
import { plural } from '../text/plain.ts';
import { openAndEnded } from './open-and-ended.ts';

export interface DigestSource {
  name: string;
  alerts: readonly Alert[];
  /** When it was last read in full; null if never since the start. */
  lastReadAt: number | null;
}

export interface DigestFacts {
  sources: readonly DigestSource[];
  /** Linewatch's own alerts: what goes wrong here is not to be missed either. */
  own: readonly Alert[];
  /** Messages that nobody has taken yet. */
  waiting: number;
}

export function composeDigest(
  { sources, own, waiting }: DigestFacts,
  timezone: string,
  now: number,
): { what: string; reason: string } {
  const told = [...sources.flatMap(({ alerts }) => alerts), ...own].filter((alert) => !alert.muted);
  const { open: unsorted, ended } = openAndEnded(told, now);
  const open = unsorted.toSorted(byWeight);
  const unread = sources.filter(({ lastReadAt }) => lastReadAt === null || now - lastReadAt > HOUR);
  const lines = [
    ...open.map((alert) => `Open: ${named(alert)}, since ${when(alert.startedAt, timezone, now)}`),
    ...ended.map((alert) => `Ended: ${named(alert)}, ${windowText(alert.startedAt, alert.resolvedAt, timezone, now)}`),
    ...unread.map(({ name }) => `Not read within the last hour: ${name}`),
    ...(waiting === 0 ? [] : [`${plural(waiting, 'message waits', 'messages wait')} to be delivered`]),
  ];
  const what =
    `daily digest — watching ${plural(sources.length, 'source')}, ` +
    `${open.length === 0 ? 'nothing' : open.length} open, ${ended.length === 0 ? 'nothing' : ended.length} ended in 24 hours`;
  return { what, reason: lines.join('\n') };
}

function named({ number, severity, title, sources }: Whole): string {
  return `#${number} ${severity}: ${title} (${sources.join(', ')})`;
}
