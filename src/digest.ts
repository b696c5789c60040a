/** The digest of a morning: what is open, what ended since yesterday, and the sign of life itself. */
import type { Alert } from './alert/record.ts';

export interface DigestSettings {
  /** Local time of the day, `08:00`. */
  at: string;
  /** 1 Monday to 7 Sunday. */
  days: readonly number[];
  /** IANA name. */
  timezone: string;
}

/** The next time a digest is due after this one, epoch milliseconds. A local time that is skipped moves forward. */
export function nextDigest({ at, days, timezone }: DigestSettings, after: number): number {
  const time = Temporal.PlainTime.from(at);
  const today = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(timezone).toPlainDate();
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const day = today.add({ days: ahead });
    const due = day.toZonedDateTime({ timeZone: timezone, plainTime: time }).epochMilliseconds;
    if (due > after && days.includes(day.dayOfWeek)) return due;
  }
  throw new RangeError('a digest needs at least one day of the week');
}

export interface DigestSource {
  name: string;
  alerts: readonly Alert[];
  /** When it was last read in full; null if never since the start. */
  lastReadAt: number | null;
}

const DAY_MS = 24 * 3_600_000;

export function composeDigest(
  sources: readonly DigestSource[],
  waiting: number,
  now: number,
): { what: string; reason: string } {
  const all = sources.flatMap(({ alerts }) => alerts.filter((alert) => !alert.muted));
  const open = all.filter((alert) => alert.status === 'open');
  const ended = all.filter((alert) => alert.status === 'resolved' && now - (alert.resolvedAt ?? 0) <= DAY_MS);
  const unread = sources.filter(({ lastReadAt }) => lastReadAt === null || now - lastReadAt > DAY_MS / 24);
  const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
  const lines = [
    ...open.map((alert) => `Open: #${alert.number} ${alert.severity}: ${alert.title} (${alert.source})`),
    ...ended.map((alert) => `Ended: #${alert.number} ${alert.severity}: ${alert.title} (${alert.source})`),
    ...unread.map(({ name }) => `Not read within the last hour: ${name}`),
    ...(waiting === 0 ? [] : [`${count(waiting, 'message waits', 'messages wait')} to be delivered`]),
  ];
  const what =
    `daily digest: watching ${count(sources.length, 'source', 'sources')}, ` +
    `${open.length === 0 ? 'nothing' : open.length} open, ${ended.length} ended in 24 hours`;
  return { what, reason: lines.join('\n') };
}
