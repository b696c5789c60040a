/**
 * The monthly report by mail: enqueued on the first of the next month, once for each month, and made when it is sent.
 */
import { listSourceNames, type Config } from '../../config/config.ts';
import { createReportNames } from '../../config/report-names.ts';
import type { SelfEvent } from '../../core/engine/self-source.ts';
import { addMonth, subtractMonth, toMonth, formatMonth } from '../../core/report/month.ts';
import type { MailedReport } from '../../receivers/receiver.ts';
import type { HistoryPlace } from './kept-history.ts';

export interface Monthly {
  /** Names of mail receivers; empty without a recipient. */
  receivers: readonly string[];
  /** IANA name of the zone that defines the months. */
  timezone: string;
}

/** Sent early, so that people have it in the morning. */
const HOUR_OF_DAY = 8;
/** After a long downtime, only the latest missed months are reported. */
const MOST_MISSED = 3;

/**
 * The next report and its time; null without a recipient. `reported` is the last reported month, null before the first.
 * If reports are enabled in the middle of a month, that month is the first.
 */
export function findMonthlyEvent(
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

/** Morning of the first day after the month. */
function dueAt(month: string, timezone: string): number {
  const first = Temporal.PlainDate.from(`${addMonth(month)}-01`);
  const plainTime = Temporal.PlainTime.from({ hour: HOUR_OF_DAY });
  return first.toZonedDateTime({ timeZone: timezone, plainTime }).epochMilliseconds;
}

/** Made from the current history, in a thread. Rejects if the history cannot be read. */
export async function makeMonthlyReport(
  config: HistoryPlace & Pick<Config, 'timezone' | 'accounts' | 'statusPages'> & { isHostName?: boolean },
  month: string,
  madeAt: number,
): Promise<MailedReport> {
  const { runInHistoryThread: inHistoryThread } = await import('./history-tasks.ts');
  const { timezone, stateDir, instance, database } = config;
  const watched = listSourceNames(config);
  const names = createReportNames(config, { isHostName: config.isHostName === true });
  return await inHistoryThread('mailed', { timezone, stateDir, instance, database, month, madeAt, watched, ...names });
}
