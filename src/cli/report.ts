/**
 * `linewatch report`: a report of a month or another span, for people, for a claim, for a spreadsheet or for programs.
 */
import { toMonth, formatMonth, toSpan } from '../core/report/month.ts';
import { makeReport } from '../core/report/made-report.ts';
import type { ReportOptions } from '../core/report/monthly-report.ts';
import { parsePeriod, type PeriodAsked } from '../core/report/period.ts';
import { printReport, REPORT_FORMATS } from '../core/report/printed.ts';
import type { HistoryReader } from '../core/history/rows.ts';
import { formatList } from '../core/text/plain.ts';
import { fitLines } from '../core/text/wrap.ts';
import { formatTime } from '../core/wording/time.ts';
import { listSourceNames, type Config } from '../config/config.ts';
import { findCustomer, listReportCustomers, createReportNames, type ReportNames } from '../config/report-names.ts';
import { choice, defineCommand, EXIT, text, UsageError } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { requireKnownSource, withHistory } from './history.ts';
import type { Platform } from './platform.ts';
import { recordWhatWaits, withCommitted } from './recorded-now.ts';
import { toTerminalJson, measureTerminal } from './terminal-text.ts';

export const report = defineCommand({
  description:
    'Sums up a month of the history, or the time from one day to another: uptime of each component, outages with the ' +
    'words of the provider and what they cost your own phones, maintenance kept and overrun, silent edits, phones by ' +
    'site and customer, messages that came late. What was not read is said and never counted as up. The HTML is one ' +
    'file that can be attached to a claim.',
  options: {
    month: text('MONTH', 'such as 2026-10, in the time zone of the configuration; default the last whole month'),
    from: text(
      'TIME',
      'in place of a month: from a day such as 2026-10-01, a time such as 2026-10-01T08:00, or 7d ago',
    ),
    to: text('TIME', 'until then, a day with all of it; default now'),
    source: text('NAME', 'only of this page or account'),
    customer: text('NAME', 'only of the accounts of this customer, and of the pages named for them'),
    format: choice('FORMAT', 'how it is written; default text', REPORT_FORMATS),
  },
  examples: [
    ['linewatch report', 'the last whole month'],
    ['linewatch report --month 2026-10 --format html > october.html', 'to be printed, or attached to a claim'],
    ['linewatch report --from 2026-10-05 --to 2026-10-11', 'a week'],
  ],
  async run({ platform, config: file, options }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    const { customer, format = 'text' } = options;
    if (customer !== undefined && options.source !== undefined) {
      throw new UsageError('--customer and --source cannot both be');
    }
    const asked = periodAsked(options, config.timezone, platform.clock.now());
    const names = namesOf(config, platform, customer);
    await recordWhatWaits(config);
    const madeAt = platform.clock.now();
    const isDefault = options.month === undefined && options.from === undefined;
    const { made, note } = await withHistory(config, async (kept) => {
      const reader = await withCommitted(kept, config, platform);
      const source =
        options.source === undefined ? undefined : await requireKnownSource(reader, config, options.source);
      const { period, note } = isDefault
        ? await knownPeriod(reader, asked, names, config.timezone, madeAt)
        : { period: asked, note: null };
      const { instance, timezone } = config;
      const of = { instance, timezone, madeAt, source, watched: listSourceNames(config), ...names };
      return { made: await makeReport(reader, { ...of, ...period }), note };
    });
    const width = measureTerminal(platform.out);
    if (note !== null) {
      // Output for programs has no sentence before it.
      if (format === 'text') platform.out.write(`${fitLines([note], width).join('\n')}\n\n`);
      else platform.err.write(`linewatch: ${note}\n`);
    }
    platform.out.write(printReport(made, format, { jsonOf: toTerminalJson, width }));
    return EXIT.done;
  },
});

type PeriodOptions = Pick<ReportOptions, 'month' | 'span'>;

function periodAsked(options: PeriodAsked, timezone: string, now: number): PeriodOptions {
  const period = parsePeriod(options, timezone, now, (field, value) =>
    value === undefined ? `--${field}` : `--${field} ${value}`,
  );
  if (!('why' in period)) return period;
  throw new UsageError(`${period.why}${period.written === undefined ? '' : `, not '${period.written}'`}`);
}

function namesOf(config: Config, { hostname }: Pick<Platform, 'hostname'>, customer: string | undefined): ReportNames {
  const isHostName = config.instance === hostname;
  if (customer === undefined) return createReportNames(config, { isHostName });
  const found = findCustomer(config, customer);
  if (found !== null) return createReportNames(config, { isHostName, customer: found });
  const known = listReportCustomers(config);
  throw new UsageError(
    known.length === 0
      ? `--customer: there is no customer '${customer}', as no account is configured`
      : `--customer: there is no customer '${customer}'; known are ${formatList(known)}`,
  );
}

/** Without data on the last full month: the current month, with a sentence that says why. */
async function knownPeriod(
  reader: HistoryReader,
  asked: PeriodOptions,
  { heading }: ReportNames,
  timezone: string,
  now: number,
): Promise<{ period: PeriodOptions; note: string | null }> {
  const begins = (await reader.kept())?.since;
  const month = toMonth(now, timezone);
  const span = toSpan(month, timezone);
  if (begins === undefined || begins < asked.span.until || asked.month === null || span === null) {
    return { period: asked, note: null };
  }
  const title = [formatMonth(asked.month), heading].filter((part) => part !== null).join(', ');
  const why = `${title}: not known, as the history begins ${formatTime(begins, timezone, now)}. The month so far:`;
  return { period: { month, span }, note: why };
}
