/** `linewatch report`: a month of the history, for people, for a claim, for a spreadsheet or for programs. */
import { monthBefore, monthOf, spanOfMonth } from '../core/report/month.ts';
import { makeReport } from '../core/report/made-report.ts';
import { printedReport, REPORT_FORMATS } from '../core/report/printed.ts';
import { sourceNames } from '../config/config.ts';
import { choice, defineCommand, EXIT, text, UsageError } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { knownSource, withHistory } from './history.ts';
import { jsonText, widthFor } from './terminal-text.ts';

export const report = defineCommand({
  description:
    'Sums up a month of the history: uptime of each component, outages with the words of the provider and what they ' +
    'cost your own phones, maintenance kept and overrun, silent edits, phones lost by site, messages that came late. ' +
    'What was not read is said and never counted as up. The HTML is one file that can be attached to a claim.',
  options: {
    month: text('MONTH', 'such as 2026-10, in the time zone of the configuration; default the last whole month'),
    source: text('NAME', 'only of this page or account'),
    format: choice('FORMAT', 'how it is written; default text', REPORT_FORMATS),
  },
  examples: [
    ['linewatch report', 'the last whole month'],
    ['linewatch report --month 2026-10 --format html > october.html', 'to be printed, or attached to a claim'],
  ],
  async run({ platform, config: file, options }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    const { instance, timezone } = config;
    const madeAt = platform.clock.now();
    const month = options.month ?? monthBefore(monthOf(madeAt, timezone));
    const span = spanOfMonth(month, timezone);
    if (span === null) throw new UsageError(`--month wants a month such as 2026-10, not '${month}'`);
    if (span.since > madeAt) throw new UsageError(`--month ${month} has not begun yet`);
    const made = await withHistory(config, async (reader) => {
      const source = options.source === undefined ? undefined : await knownSource(reader, config, options.source);
      const watched = sourceNames(config);
      return await makeReport(reader, { instance, timezone, month, madeAt, span, source, watched });
    });
    platform.out.write(
      printedReport(made, options.format ?? 'text', { jsonOf: jsonText, width: widthFor(platform.out) }),
    );
    return EXIT.done;
  },
});
