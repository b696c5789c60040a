/** The report of a month, by mail: promised on the first of the next, once for each month, and made when it is sent. */
import { listSourceNames, type Config } from '../../config/config.ts';
import { createReportNames } from '../../config/report-names.ts';
import type { SelfEvent } from '../../core/engine/itself.ts';
import { addMonth, subtractMonth, toMonth, formatMonth } from '../../core/report/month.ts';
import type { MailedReport } from '../../receivers/receiver.ts';
import type { HistoryPlace } from './kept-history.ts';

export interface Monthly {
  /** Names of receivers for mail; empty where nobody gets it. */
  receivers: readonly string[];
  /** IANA name of the zone whose months they are. */
  timezone: string;
}

/** People find it in the morning. */
const HOUR_OF_DAY = 8;
/** Of the months that went by while nobody ran, the latest are made up for. */
const MOST_MISSED = 3;

/**
 * What happens next of it, and when; null where nobody gets it. `reported`: the last month that was, null before the
 * first. Whoever asks for reports in the middle of a month gets that one as the first.
 */
export function monthlyEvent(
  { receivers, timezone }: Monthly,
  reported: string | null,
  now: number,
): { event: SelfEvent; dueAt: number } | null {
  if (receivers.length === 0) return null;
  const last = subtractMonth(toMonth(now, timezone));
  if (reported === null) return { event: { kind: 'reports begin', month: last }, dueAt: now };
  let earliest = last;
  for (let more = 1; more < MOST_MISSED; more += 1) earliest = subtractMonth(earliest);
  const next = addMonth(reported);
  const month = next < earliest ? earliest : next;
  const what = `the report of ${formatMonth(month)}`;
  const reason = `It is attached as a page to be printed, or handed on with a claim. “linewatch report --month ${month}” makes it anew.`;
  return { event: { kind: 'report', month, receivers, what, reason }, dueAt: dueAt(month, timezone) };
}

/** In the morning of the first day after the month. */
function dueAt(month: string, timezone: string): number {
  const first = Temporal.PlainDate.from(`${addMonth(month)}-01`);
  const plainTime = Temporal.PlainTime.from({ hour: HOUR_OF_DAY });
  return first.toZonedDateTime({ timeZone: timezone, plainTime }).epochMilliseconds;
}

/** Made of what the history has by now, in a thread of its own. Rejects where that cannot be read. */
export async function monthlyReport(
  config: HistoryPlace & Pick<Config, 'timezone' | 'accounts' | 'statusPages'> & { isHostName?: boolean },
  month: string,
  madeAt: number,
): Promise<MailedReport> {
  const { inHistoryThread } = await import('./history-tasks.ts');
  const { timezone, stateDir, instance, database } = config;
  const watched = listSourceNames(config);
  const names = createReportNames(config, { isHostName: config.isHostName === true });
  return await inHistoryThread('mailed', { timezone, stateDir, instance, database, month, madeAt, watched, ...names });
}
